#!/usr/bin/env python3
"""Recomputes every roll and deal of finished match logs from the secret in their last line.

It follows referee/CHANCE.md and nothing else of this project: games of EinStein wuerfelt nicht and of
Chinese dark chess, from `startpos` with or without moves. Usage: verify_chance.py LOG...
"""
import hashlib
import hmac
import json
import sys

SQUARES = [file + rank for rank in "12345678" for file in "abcd"]
PIECES = "".join(p * n for p, n in zip("KGMRNCPkgmrncp", [1, 2, 2, 2, 2, 2, 5] * 2))


def words(key, name):
    """The words of a stream."""
    word = 0
    while True:
        message = f"agon 1 {name} word {word}".encode()
        yield int.from_bytes(hmac.digest(key, message, "sha256")[:8], "big")
        word += 1


def below(stream, n):
    """A uniform number below n: words in the biased remainder are skipped."""
    return next(x * n >> 64 for x in stream if x * n % 2**64 >= 2**64 % n)


def deal(key, place, opening):
    """What lies under each square that the opening leaves face down."""
    shown = dict(zip(opening, opening[1:]))
    shown = {square: piece[1] for square, piece in shown.items() if piece.startswith("=")}
    pieces = list(PIECES)
    for piece in shown.values():
        pieces.remove(piece)
    stream = words(key, f"deal {place}")
    for i in range(len(pieces) - 1, 0, -1):
        j = below(stream, i + 1)
        pieces[i], pieces[j] = pieces[j], pieces[i]
    return dict(zip((s for s in SQUARES if s not in shown), pieces))


def key_of(chance, secrets):
    """The key of the games after the header or a continuation, from its entry about chance."""
    texts = [c["text"].encode() for c in chance.get("contributions", [])]
    digests = "".join(hashlib.sha256(text).hexdigest() + "\n" for text in texts)
    secret = secrets[chance["commitment"]]
    return hmac.digest(secret, ("agon 1 key\n" + digests).encode(), "sha256")


def check_game(game, name, chance, key):
    """Checks a game of `name`; returns the number of its chance outcomes."""
    scope = "pair" if chance["shared"] else "game"
    place = f"{scope} {game[scope]}"
    opening = game["opening"].split()
    assert opening[0] == "startpos", f"game {game['game']}: opening {game['opening']}"
    under = deal(key, place, opening[2:]) if name == "darkchess" else {}
    moves, event, before = game["moves"].split(), 0, opening[-1]
    for by, token in zip(game["by"], moves, strict=True):
        if by == "c":
            roll = words(key, f"roll {place} event {event}")
            wanted = f"={under[before]}" if under else str(1 + below(roll, 6))
            assert token == wanted, f"game {game['game']}: {token}, expected {wanted}"
            event += 1
        before = token
    return event


def check(path):
    header, *lines = (json.loads(line) for line in open(path, encoding="utf-8"))
    ends = [line["end"] for line in lines if isinstance(line.get("end"), dict)]
    secrets = [bytes.fromhex(end["secret"]) for end in ends if "secret" in end]
    secrets = {hashlib.sha256(secret).hexdigest(): secret for secret in secrets}
    # The first game of each section and its chance; the secrets that are known so far.
    sections, known, games, outcomes = [(0, header["chance"])], set(), 0, 0
    for line in lines:
        if "continue" in line:
            sections.append((sum(line["continue"]["from"]), line["continue"]["chance"]))
        elif isinstance(line.get("end"), dict):
            known |= {hashlib.sha256(bytes.fromhex(line["end"].get("secret", ""))).hexdigest()}
        else:
            chance = [chance for first, chance in sections if first <= line["game"]][-1]
            assert chance["commitment"] not in known, f"game {line['game']}: its secret was known before"
            assert chance["commitment"] in secrets, "another secret"
            outcomes += check_game(line, header["game"], chance, key_of(chance, secrets))
            games += 1
    print(f"{path}: {outcomes} chance outcomes in {games} games are those of the secret")


if __name__ == "__main__":
    for log in sys.argv[1:]:
        check(log)
