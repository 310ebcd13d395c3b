"""An engine in 15 lines: any game of Agon, one random move after another."""

import random
import sys

import agon


class Mine(agon.Player):
    game = sys.argv[1] if len(sys.argv) > 1 else "nogo"

    def choose(self, game: agon.Game, clock: agon.Clock) -> str:
        return random.choice(game.legal_moves())


Mine().run()
