"""Engines that crash, leave, hang and flood lose their games and leave no process behind; what Windows
cannot do is refused by name."""

from stage import games

FAULTS = {
    "crash": ("crash", "exit status 0x"),
    "crash-with-child": ("crash", "exit status 0x"),
    "leave": ("crash", "exit status 0"),
    "no-newline-at-end": ("crash", "exit status 0"),
    "close-input": ("", ""),
    "close-output": ("crash", "closed its input or output"),
    "hang": ("hang", "did not answer in time"),
    "flood": ("flood", ""),
    "endless-line": ("flood", "a line without end"),
    "garbled": ("", ""),
}


def match(stage, fault):
    log = f"{fault.split()[0]}.jsonl"
    lost = fault.split()[0] in FAULTS
    # A flood is told from a hang by what a busy machine reads in time.
    margin = "40000" if fault in ("flood", "endless-line") else "3000"
    stage.command("referee", "match", "--game", "amazons", "--games", "2", "--seed", "1", "--quiet",
                  "--movetime", "100", "--margin", margin, "--ready-time", "60", "--grace-time", "0.5",
                  "--engine", "name=a,cmd=../bin/rogue honest", "--engine", f"name=b,cmd=../bin/rogue {fault}",
                  "--log", log, status=5 if lost else 0)
    return games(stage.folder / log)


def run(stage):
    for fault, (reason, detail) in FAULTS.items():
        for game in match(stage, fault):
            if reason:
                assert game["reason"] == reason and detail in game["detail"], (fault, game)
            assert game["reason"] not in ("rules", "length"), (fault, game)
        assert not stage.running("rogue"), f"{fault}: processes of the engine survive"
    crash = games(stage.folder / "crash.jsonl")[0]
    assert "crashing on purpose" in crash["stderr"], crash
    for fault in ("daemon", "orphan"):
        for game in match(stage, f"{fault} --note child-of-{fault}"):
            assert game["reason"] == "rules", (fault, game)
        assert (stage.folder / f"child-of-{fault}").exists()
        assert not stage.running("rogue"), f"{fault}: descendants survive"
    for fields, reason in {"memory=256": "memory limit", "sandbox=true": "sandbox"}.items():
        told = stage.command("referee", "match", "--game", "amazons", "--depth", "1", "--games", "2",
                             "--engine", f"cmd=../bin/trivial,{fields}", "--engine", "cmd=../bin/trivial 2",
                             "--log", "no.jsonl", status=1)
        assert f"a {reason} needs Linux" in told, told
        assert not (stage.folder / "no.jsonl").exists()
    return f"{len(FAULTS)} faults and two kinds of descendants; memory limit and sandbox refused"
