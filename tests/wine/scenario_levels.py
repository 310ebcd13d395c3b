"""The program of an archive that starts an engine as compiled for the processor: games, crashes and ends of the engine
are as without it, and what it cannot start is told."""

import shutil
import subprocess

from stage import games

# What every processor runs.
LEVEL = "x86-64"


def match(stage, one, two, **more):
    stage.command("referee", "match", "--game", "amazons", "--games", "2", "--seed", "1", "--quiet", "--movetime", "100",
                  "--margin", "20000", "--ready-time", "60", "--grace-time", "0.5", "--log", "match.jsonl",
                  "--engine", f"name=a,cmd={one}", "--engine", f"name=b,cmd={two}", **more)
    log = stage.folder / "match.jsonl"
    header, played = log.read_text(encoding="utf-8").splitlines()[0], games(log)
    log.unlink()
    return header, played


def run(stage):
    own = stage.folder / "bin"
    (own / "levels" / LEVEL).mkdir(parents=True)
    for name in ("amazons", "rogue", "nogo"):
        shutil.copy2(stage.source / "chooser.exe", own / f"{name}.exe")
    for name in ("amazons", "rogue"):
        shutil.copy2(stage.bin / f"{name}.exe", own / "levels" / LEVEL / f"{name}.exe")
    stage.environment["AGON_CPU"] = "avx"
    told = stage.command(own / "amazons.exe", "--version", status=1)
    assert "AGON_CPU=avx: expected one of" in told and LEVEL in told, told
    stage.environment["AGON_CPU"] = LEVEL
    told = stage.command(own / "nogo.exe", "--version", status=1)
    assert f"levels\\{LEVEL}\\nogo.exe: " in told and "keep the archive's folder" in told, told
    told = stage.command(own / "amazons.exe", "--version")
    assert "CPU path: " in told, told

    forced = f"env.AGON_CPU={LEVEL}"
    header, played = match(stage, f"bin/amazons,{forced}", f"bin/amazons.exe,{forced},option.Algorithm=random")
    assert [game["reason"] for game in played] == ["rules"] * 2, played
    assert f'"name":"levels/{LEVEL}/amazons.exe"' in header, header
    for fault, reason, detail in [("crash", "crash", "exit status 0x"), ("leave", "crash", "exit status 0"),
                                  ("hang", "hang", "did not answer in time")]:
        for game in match(stage, "../bin/rogue honest", f"'bin/rogue {fault}',{forced}", status=5)[1]:
            assert game["reason"] == reason and detail in game["detail"], (fault, game)
        assert not stage.running("rogue"), f"{fault}: processes of the engine survive"

    chooser = stage.start(own / "amazons.exe", stdin=subprocess.PIPE)
    chooser.stdin.write(b"ugi\n")
    chooser.stdin.flush()
    stage.until("answered", lambda: "ugiok" in chooser.files[0].read_text(errors="replace"))
    assert len(stage.running("amazons")) == 2
    chooser.kill()
    stage.until("ended the engine with the program that started it", lambda: not stage.running("amazons"))
    del stage.environment["AGON_CPU"]
    return "a match, three faults, a killed starter, two refusals"
