"""Views of positions as the server sends them, for tests of the board alone."""

PIECES = {"K": "king", "A": "advisor", "B": "elephant", "R": "rook", "N": "horse", "C": "cannon", "P": "pawn"}


def view(game, rows, grid="cells", files="abcdefghijklmnopqrs", first_rank=1, **more):
    """A view of the rows of a board, from the top; a cell is one character, `.` is empty."""
    ranks = len(rows)
    squares, pieces = [], []
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            at = f"{files[x]}{ranks - 1 - y + first_rank}"
            squares.append(at)
            if letter != ".":
                pieces.append({"at": at, **piece(game, letter)})
    whole = {"game": game, "files": len(rows[0]), "ranks": ranks, "grid": grid, "squares": squares,
             "pieces": pieces, "last": [], "ply": 0, "turn": 0, "result": None, "fen": "/".join(rows),
             "moves": [], "shown": [], "chance": None, "legal": None, "state": {}}
    return {**whole, **more}


def piece(game, letter):
    side = 0 if letter.isupper() else 1
    if letter == "?":
        return {"kind": "hidden", "side": None, "text": "", "name": "face down", "down": True}
    if letter == "*":
        return {"kind": "arrow", "side": None, "text": "", "name": "arrow", "down": False}
    kind = {
        "amazons": ("w" if side == 0 else "b") + "Q",
        "connect6": ("b" if letter == "X" else "w") + "S",
        "nogo": ("b" if letter == "X" else "w") + "S",
        "einstein": ("r" if side == 0 else "b") + str("abcdef".find(letter.lower()) + 1),
    }.get(game, ("r" if side == 0 else "b") + letter.upper())
    if game in ("connect6", "nogo"):
        side = 0 if letter == "X" else 1
    return {"kind": kind, "side": side, "text": letter, "name": kind, "down": False}


def shown(by, number, text, **notations):
    """A move of the game so far: by player 0 or 1, or chance (None), with its number and its texts."""
    return {"token": text.replace("-", ""), "text": text, "by": by, "number": number, **notations}


def moves(*sequences):
    """Legal moves from sequences of squares: `a1 a2` is the move `a1a2`."""
    split = [s.split() for s in sequences]
    return {"kind": "list", "moves": [["".join(s), s] for s in split]}


def positions():
    """One position of each game by name, with legal moves."""
    go = [list("." * 19) for _ in range(19)]
    for x, y, stone in [(9, 9, "X"), (10, 8, "O"), (8, 10, "O"), (10, 10, "X"), (8, 8, "X"), (11, 11, "O"), (7, 7, "O")]:
        go[y][x] = stone
    go = ["".join(row) for row in go]
    nogo = ["." * 9, "..X......", "....O....", ".X.....O.", "." * 9, "..O...X..", "." * 9, ".....X...", "." * 9]
    free = lambda rows, files: [f"{files[x]}{len(rows) - y}" for y, row in enumerate(rows) for x, c in enumerate(row) if c == "."]
    no_i = "abcdefghj"
    return {
        "xiangqi": view(
            "xiangqi", ["rnbakabnr", ".........", ".c.....c.", "p.p.p.p.p", ".........", ".........", "P.P.P.P.P",
                        ".C..C....", ".........", "RNBAKABNR"], grid="xiangqi", first_rank=0, last=["h2", "e2"],
            ply=1, turn=1, moves=["h2e2"], shown=[shown(0, 1, "h2-e2", wxf="C2.5", chinese="炮二平五")],
            legal=moves("h9 g7", "h9 i7", "h7 e7", "b9 c7", "b7 b0")),
        "darkchess": view(
            "darkchess", ["????", "?r??", "??.?", "?K??", "????", "?p??", "????", "P???"], last=["c6"], ply=9,
            chance=None, legal=moves("a8", "b8", "b5 c5", "b5 b4", "b5 b6"), turn=0,
            state={"hidden": {"K": 0, "P": 4, "k": 1, "p": 4, "R": 2}, "captured": {"p": 1}}),
        "connect6": view(
            "connect6", go, grid="points", last=["m8", "h12"], ply=4, turn=0,
            legal={"kind": "points", "count": 2, "join": "", "points": free(go, "abcdefghijklmnopqrs")}),
        "nogo": view(
            "nogo", nogo, grid="points", files=no_i, ply=7, turn=1, last=["f2"],
            legal={"kind": "points", "count": 1, "join": "", "points": free(nogo, no_i)}),
        "amazons": view(
            "amazons", ["...q..q...", "..........", "...Q......", "q..*.....q", "..........", "..........", "Q........Q",
                        "..........", "......*...", "......Q..."], ply=2, turn=0, last=["d1", "d8", "d7"],
            legal=moves("g1 g2 g1", "g1 h1 g1", "g1 h1 i1", "g1 h1 h5", "a4 a5 a6")),
        "einstein": view(
            "einstein", ["AB...", "C.D..", "..e..", "...fb", "..da."], ply=5, turn=0, last=["b5", "c4"],
            legal=moves("c4 d4", "c4 c3", "c4 d3", "b5 c5"), state={"die": 5, "movable": ["c4"], "alive": [[1, 2, 3, 4], [1, 2, 4, 5, 6]]}),
    }


def set_up():
    """The first player's set-up of EinStein."""
    return view("einstein", ["....."] * 5, turn=0, legal={
        "kind": "setup", "side": 0, "pieces": ["1", "2", "3", "4", "5", "6"], "squares": ["a5", "b5", "c5", "a4", "b4", "a3"]})
