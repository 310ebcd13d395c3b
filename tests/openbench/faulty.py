#!/usr/bin/env python3
"""An engine of Amazons for OpenBench that fails on its first move: FAULT is `crash`, `illegal` or `slow`."""

import sys
import time

FAULT = "crash"

if sys.argv[1:] == ["bench"]:
    print("1000 nodes 1000000 nps")
    sys.exit(0)
for line in sys.stdin:
    word = (line.split() or [""])[0]
    if word == "uci":
        print("id name Faulty\noption name Threads type spin default 1 min 1 max 1\noption name Hash type spin default 1 min 1 max 64")
        print("option name UCI_Variant type combo default amazons var amazons\nuciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        if FAULT == "crash":
            sys.exit(3)
        if FAULT == "slow":
            time.sleep(3)
        print("bestmove a1a1,a1a1", flush=True)
    elif word == "quit":
        break
