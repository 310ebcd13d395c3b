"""Engines and files in folders with spaces and Chinese letters; line ends of Windows in files and in
engines' output."""

import shutil

from stage import games

FOLDER = "棋手 甲 (2026)"


def run(stage):
    folder = stage.folder / FOLDER
    folder.mkdir()
    shutil.copy2(stage.bin / "trivial.exe", folder / "亚马逊 v1.exe")
    book = folder / "开局.txt"
    book.write_bytes("# 开局\r\nstartpos moves d1d7,d7g7\r\nstartpos moves g1g7,g7d7\r\n".encode())
    config = folder / "比赛.toml"
    config.write_bytes("\r\n".join([
        'game = "amazons"', "games = 4", "depth = 1", "seed = 1", "quiet = true", "margin = 20000",
        "ready-time = 60", f"openings = '{FOLDER}\\开局.txt'", "", "[[engine]]", 'name = "甲"',
        f"cmd = '\"{FOLDER}\\亚马逊 v1\"'", "", "[[engine]]", 'name = "乙"',
        f"cmd = '..\\bin\\rogue.exe crlf'", f"dir = '{FOLDER}'", "",
    ]).encode())
    log = f"{FOLDER}/结果.jsonl"
    stage.command("referee", "match", "--config", f"{FOLDER}\\比赛.toml", "--log", log)
    played = games(stage.folder / log)
    assert len(played) == 4 and all(g["reason"] == "rules" for g in played), played
    told = stage.command("referee", "verify", log.replace("/", "\\"))
    assert "4 games" in told, told
    table = stage.command("referee", "ratings", log, "--prior", "1")
    assert "甲" in table and "乙" in table, table
    stage.command("referee", "report", log, "--out", f"{FOLDER}/报告.html")
    assert "亚马逊" in (folder / "报告.html").read_text(encoding="utf-8")
    told = stage.command("referee", "match", "--game", "amazons", "--engine", f"'{FOLDER}\\没有.exe'",
                         "--engine", "x", "--log", "no.jsonl", status=1)
    assert "没有.exe" in told, told
    return f"a match in `{FOLDER}` with CR LF in openings, settings and output"
