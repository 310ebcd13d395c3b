"""A match of each game, with its verification, table and report; a tournament and a sequential test."""

from stage import GAMES, games


def run(stage):
    for game in GAMES:
        log = f"{game}.jsonl"
        engine = f"cmd=../bin/{game}"
        stage.command("referee", "match", "--game", game, "--games", "2", "--depth", "1", "--seed", "1",
                      "--margin", "20000", "--ready-time", "60", "--quiet", "--log", log,
                      "--engine", f"{engine},name=one", "--engine", f"{engine}.exe,name=two,option.Algorithm=random")
        played = games(stage.folder / log)
        assert [g["reason"] in ("rules", "length") for g in played] == [True, True], played
        told = stage.command("referee", "verify", log)
        assert "2 games" in told, told
    stage.command("referee", "report", "nogo.jsonl", "--out", "nogo.html")
    page = (stage.folder / "nogo.html").read_text(encoding="utf-8")
    assert "<svg" in page and "one" in page and page.rstrip().endswith("</html>")
    header = (stage.folder / "nogo.jsonl").read_text(encoding="utf-8").splitlines()[0]
    assert '"os":"Windows ' in header, header
    three = [f"--engine=name={name},cmd=../bin/trivial {seed}" for seed, name in enumerate("abc")]
    common = ["--game", "amazons", "--depth", "1", "--seed", "1", "--quiet"]
    stage.command("referee", "tournament", *three, *common, "--rounds", "1", "--log", "t.jsonl", "-j", "2")
    assert len(games(stage.folder / "t.jsonl")) == 6
    told = stage.command("referee", "ratings", "t.jsonl", "--prior", "1")
    assert all(f" {name} " in told for name in "abc"), told
    stage.command("referee", "export", "t.jsonl", "--format", "pgn", "--out", "t.pgn")
    assert (stage.folder / "t.pgn").read_text(encoding="utf-8").count("[White ") == 6
    told = stage.command("referee", "sprt", "--new", "../bin/trivial 1", "--base", "../bin/rogue illegal",
                         *common, "--elo1", "200", "--log", "s.jsonl", "-j", "2")
    assert "accepted" in told or "H1" in told, told
    return f"{len(GAMES)} games, a tournament, a sequential test, table, report and PGN"
