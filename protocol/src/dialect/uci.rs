//! UCI, the Universal Chess Interface, as Fairy-Stockfish speaks it for games other than chess:
//! the option `UCI_Variant` names the game, White is the first player, mates count moves.
//!
//! What is particular to a game (its name there, the fields of its FEN) is a `Variant`.

use super::family::{Family, Names};
use super::{Dialect, DialectError};
use crate::game::Player;
use crate::message::{Command, Reply, excerpt};
use crate::option::OptionSpec;

static UCI: Family = Family {
    name: "uci",
    identified: "uciok",
    new_game: "ucinewgame",
    times: ["wtime", "btime"],
    increments: ["winc", "binc"],
    no_move: "(none)",
    mate_in_moves: true,
};

const VARIANT_OPTION: &str = "UCI_Variant";

/// How a game is spelt in UCI where that differs from the core's spelling.
#[derive(Debug)]
struct Variant {
    /// The game's name in the core and in `UCI_Variant`.
    name: &'static str,
    /// The fields of the core's FEN; strangers' FENs have four more, which mean nothing here.
    fen_fields: usize,
    /// Those four fields, for strangers who want them.
    fen_tail: &'static str,
}

/// Amazons squares and moves are the same as ours: files a to j, ranks 1 to 10, `d1d7,d7g7`.
static VARIANTS: &[Variant] = &[Variant { name: "amazons", fen_fields: 2, fen_tail: "- - 0 1" }];

impl Variant {
    fn fen_from_uci(&self, fen: &str) -> String {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let tail = self.fen_tail.split(' ').count();
        if fields.len() == self.fen_fields + tail {
            return fields[..self.fen_fields].join(" ");
        }
        fen.into()
    }

    fn fen_to_uci(&self, fen: &str) -> String {
        if fen.split_whitespace().count() == self.fen_fields {
            return format!("{fen} {}", self.fen_tail);
        }
        fen.into()
    }
}

/// One conversation in UCI.
#[derive(Debug)]
pub struct Uci {
    names: Names,
    variant: Option<&'static Variant>,
    /// Manager side: the engine has the option, and has not been told yet.
    must_tell_variant: bool,
}

impl Uci {
    /// At the start of a conversation about `game`.
    pub fn new(game: &str) -> Uci {
        let variant = VARIANTS.iter().find(|v| v.name == game);
        Uci { names: Names::default(), variant, must_tell_variant: false }
    }

    /// The variant is a fact of the dialect, so the engine never hears of it.
    fn set_variant(&self, value: &str) -> Result<Command, DialectError> {
        match self.variant {
            Some(variant) if !variant.name.eq_ignore_ascii_case(value) => Err(DialectError(
                format!("{VARIANT_OPTION}: unknown `{}`; known: {}", excerpt(value), variant.name),
            )),
            _ => Ok(Command::Nothing),
        }
    }
}

impl Dialect for Uci {
    fn name(&self) -> &'static str {
        UCI.name
    }

    fn read_command(&mut self, line: &str) -> Result<Vec<Command>, DialectError> {
        let command = match UCI.read_command(line)? {
            Command::SetOption { name, value } if name.eq_ignore_ascii_case(VARIANT_OPTION) => {
                self.set_variant(&value)?
            }
            Command::Position { fen: Some(fen), moves } => {
                let fen = self.variant.map_or_else(|| fen.clone(), |v| v.fen_from_uci(&fen));
                Command::Position { fen: Some(fen), moves }
            }
            other => other,
        };
        Ok(vec![command])
    }

    fn write_reply(&mut self, reply: &Reply) -> Vec<String> {
        let mut lines = UCI.write_reply(reply);
        if let (Reply::Identified, Some(variant)) = (reply, self.variant) {
            let spec = OptionSpec::combo(VARIANT_OPTION, variant.name, &[variant.name]);
            lines.insert(0, format!("option {spec}"));
        }
        lines
    }

    fn write_command(&mut self, command: &Command, _mover: Player) -> Vec<String> {
        let line = match (command, self.variant) {
            // Not in UCI: a stranger would answer nothing.
            (Command::Query(_), _) => None,
            (Command::Position { fen: Some(fen), moves }, Some(variant)) => {
                let fen = Some(variant.fen_to_uci(fen));
                UCI.write_command(&Command::Position { fen, moves: moves.clone() })
            }
            _ => UCI.write_command(command),
        };
        let mut lines: Vec<String> = line.into_iter().collect();
        if let (true, Some(variant)) = (self.must_tell_variant, self.variant)
            && !matches!(command, Command::Identify | Command::Quit)
        {
            self.must_tell_variant = false;
            lines.insert(0, format!("setoption name {VARIANT_OPTION} value {}", variant.name));
        }
        lines
    }

    fn read_reply(&mut self, line: &str) -> Option<Reply> {
        let reply = UCI.read_reply(line, &mut self.names);
        if let Some(Reply::ForeignOption { name, .. }) = &reply
            && name == VARIANT_OPTION
        {
            self.must_tell_variant = true;
        }
        reply
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Info, Limits, Score};
    use std::time::Duration;

    fn place(fen: &str) -> Command {
        Command::Position { fen: Some(fen.into()), moves: vec!["d1d7,d7g7".into()] }
    }

    #[test]
    fn a_stranger_is_told_the_variant_once_and_first() {
        let mut uci = Uci::new("amazons");
        assert_eq!(uci.write_command(&Command::Identify, Player::First), ["uci"]);
        uci.read_reply("option name UCI_Variant type combo default chess var amazons var chess");
        uci.read_reply("uciok");
        let set = Command::SetOption { name: "Hash".into(), value: "16".into() };
        assert_eq!(
            uci.write_command(&set, Player::First),
            ["setoption name UCI_Variant value amazons", "setoption name Hash value 16"]
        );
        assert_eq!(uci.write_command(&Command::IsReady, Player::First), ["isready"]);
    }

    #[test]
    fn our_engine_offers_the_variant_and_takes_no_other() {
        let mut uci = Uci::new("amazons");
        assert_eq!(
            uci.write_reply(&Reply::Identified),
            ["option name UCI_Variant type combo default amazons var amazons", "uciok"]
        );
        let ours = "setoption name UCI_Variant value amazons";
        assert_eq!(uci.read_command(ours), Ok(vec![Command::Nothing]));
        let error = uci.read_command("setoption name UCI_Variant value chess").expect_err("chess");
        assert!(error.to_string().contains("`chess`; known: amazons"), "{error}");
    }

    #[test]
    fn a_fen_gets_a_tail_for_strangers_and_loses_it_for_us() {
        let (short, long) = ("4/q2Q/4/4 w", "position fen 4/q2Q/4/4 w - - 0 1 moves d1d7,d7g7");
        let mut uci = Uci::new("amazons");
        assert_eq!(uci.write_command(&place(short), Player::First), [long]);
        assert_eq!(uci.read_command(long), Ok(vec![place(short)]));
        let bare = "position fen 4/q2Q/4/4 w moves d1d7,d7g7";
        assert_eq!(uci.read_command(bare), Ok(vec![place(short)]));
    }

    #[test]
    fn white_is_the_first_player() {
        let ms = Duration::from_millis;
        let limits = Limits {
            time: [Some(ms(1000)), Some(ms(2000))],
            increment: [ms(10), ms(20)],
            moves_to_go: Some(7),
            ..Limits::default()
        };
        let line = "go wtime 1000 btime 2000 winc 10 binc 20 movestogo 7";
        let mut uci = Uci::new("amazons");
        assert_eq!(uci.read_command(line), Ok(vec![Command::Go(limits.clone())]));
        assert_eq!(uci.write_command(&Command::Go(limits), Player::Second), [line]);
    }

    #[test]
    fn mates_are_counted_in_moves() {
        let info = |plies| Reply::Info(Info { score: Some(Score::Mate(plies)), ..Info::default() });
        for (plies, moves) in [(1, 1), (2, 1), (3, 2), (5, 3), (0, 0), (-2, -1), (-4, -2)] {
            let lines = Uci::new("amazons").write_reply(&info(plies));
            assert_eq!(lines, [format!("info score mate {moves}")]);
        }
        for (moves, plies) in [("1", 1), ("3", 5), ("-1", -2), ("2147483647", i32::MAX - 1)] {
            let line = format!("info score mate {moves}");
            assert_eq!(Uci::new("amazons").read_reply(&line), Some(info(plies)));
        }
    }

    #[test]
    fn having_no_move_is_said_in_the_way_of_uci() {
        let mut uci = Uci::new("amazons");
        assert_eq!(uci.write_reply(&Reply::BestMove(None)), ["bestmove (none)"]);
        assert_eq!(uci.read_reply("bestmove (none)"), Some(Reply::BestMove(None)));
    }
}
