#!/usr/bin/env python3
"""Recomputes every roll and deal of finished logs by referee/CHANCE.md: verify_chance.py LOG..."""
import hashlib
import hmac
import itertools
import json
import sys


def below(key, name, bounds):
    """A uniform number below each of the bounds, from one stream."""
    macs = (hmac.digest(key, f"agon 1 {name} word {k}".encode(), "sha256") for k in itertools.count())
    words = (int.from_bytes(mac[:8], "big") for mac in macs)
    return [next(x * n >> 64 for x in words if x * n % 2**64 >= 2**64 % n) for n in bounds]


def deal(key, place, opening):
    """What lies under each square of dark chess that the opening leaves face down."""
    shown = {square: turned[1] for square, turned in zip(opening, opening[1:]) if turned[0] == "="}
    pieces = list("KGGMMRRNNCCPPPPPkggmmrrnnccppppp")
    for piece in shown.values():
        pieces.remove(piece)
    bounds = range(len(pieces), 1, -1)
    for n, j in zip(bounds, below(key, f"deal {place}", bounds)):
        pieces[n - 1], pieces[j] = pieces[j], pieces[n - 1]
    squares = [file + rank for rank in "12345678" for file in "abcd"]
    return dict(zip([square for square in squares if square not in shown], pieces))


def number(game):
    """A game as people see it, counted from 1."""
    return f"game {game['game'] + 1}"


def check(game, name, chance, secret):
    digests = [hashlib.sha256(c["text"].encode()).hexdigest() for c in chance.get("contributions", [])]
    key = hmac.digest(secret, "\n".join(["agon 1 key", *digests, ""]).encode(), "sha256")
    place = f"pair {game['pair']}" if chance["shared"] else f"game {game['game']}"
    opening, moves = game["opening"].split(), game["moves"].split()
    assert opening[0] == "startpos", f"{number(game)}: opening {game['opening']}"
    under = deal(key, place, opening[2:]) if name == "darkchess" else {}
    plies = zip(game["by"], [opening[-1], *moves], moves)
    for event, (_, before, token) in enumerate(ply for ply in plies if ply[0] == "c"):
        [roll] = below(key, f"roll {place} event {event}", [6])
        drawn = f"={under[before]}" if under else str(roll + 1)
        assert token == drawn, f"{number(game)}: {token}, expected {drawn}"


for path in sys.argv[1:]:
    header, *lines = [json.loads(line) for line in open(path, encoding="utf-8")]
    chance, secrets, games = header["chance"], {}, []
    for line in lines:
        if "continue" in line:
            chance = line["continue"]["chance"]
        elif "moves" in line:
            assert chance["commitment"] not in secrets, f"{number(line)}: its secret was known before"
            games.append((line, chance))
        elif "secret" in line.get("end", {}):
            secret = bytes.fromhex(line["end"]["secret"])
            secrets[hashlib.sha256(secret).hexdigest()] = secret
    for game, chance in games:
        check(game, header["game"], chance, secrets[chance["commitment"]])
    outcomes = sum(game["by"].count("c") for game, _ in games)
    print(f"{path}: {outcomes} chance outcomes in {len(games)} games are those of the secret")
