//! UCI, the Universal Chess Interface, in Fairy-Stockfish's form for games other than chess: the
//! option `UCI_Variant` names the game, White is the first player, mates count moves.
//!
//! Game-specific details (the variant's name, FEN fields, rank numbering) are in a `Variant`.
//! Xiangqi has two spellings: Pikafish has no variants and numbers ranks 0 to 9 as we do;
//! Fairy-Stockfish numbers them 1 to 10. Ranks are therefore counted from 1 once `UCI_Variant` has
//! been set, and from 0 before. After `ucicyclone`, a first line before `uci`, they start at 0.

mod spelling;

use super::family::{EngineNames, Family, read_ponder};
use super::history::ExpectedLine;
use super::{Dialect, DialectError, refuse};
use crate::message::{Annotation, Command, Reply};
use agon_games::game::Player;
use agon_games::option::OptionSpec;
use agon_games::text::excerpt;
use spelling::{shift_lines, shift_ranks, shift_text};

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
/// The line that Cyclone's managers send before `uci`.
const CYCLONE: &str = "ucicyclone";

/// The UCI spelling of a game, if it differs from the core's.
#[derive(Debug)]
struct Variant {
    /// The game's name in the core and in `UCI_Variant`.
    name: &'static str,
    /// Number of fields in the core's FEN; other engines' FENs have four more, unused here.
    fen_fields: usize,
    /// Those four fields, for other engines; empty if our own FEN has them.
    fen_tail: &'static str,
    /// Our ranks start at 0, the variant's at 1.
    ranks_from_0: bool,
}

/// Amazons squares and moves are the same as ours: files a to j, ranks 1 to 10, `d1d7,d7g7`.
static VARIANTS: &[Variant] = &[
    Variant { name: "amazons", fen_fields: 2, fen_tail: "- - 0 1", ranks_from_0: false },
    Variant { name: "xiangqi", fen_fields: 6, fen_tail: "", ranks_from_0: true },
];

impl Variant {
    fn fen_from_uci(&self, fen: &str) -> String {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let tail = self.fen_tail.split_whitespace().count();
        if fields.len() == self.fen_fields + tail {
            return fields[..self.fen_fields].join(" ");
        }
        fen.into()
    }

    fn fen_to_uci(&self, fen: &str) -> String {
        if fen.split_whitespace().count() == self.fen_fields && !self.fen_tail.is_empty() {
            return format!("{fen} {}", self.fen_tail);
        }
        fen.into()
    }
}

/// One conversation in UCI.
#[derive(Debug, Default)]
pub struct Uci {
    names: EngineNames,
    variant: Option<&'static Variant>,
    /// Manager side: the engine has the option, and it has not been set yet.
    must_tell_variant: bool,
    /// `UCI_Variant` has been set: ranks use the variant's numbering.
    variant_is_set: bool,
    /// Engine side: the next error quotes the manager's own spelling.
    quotes_manager: bool,
    /// Engine side: the predicted line.
    line: ExpectedLine,
    /// Manager side: the engine's ponder move, not yet polled.
    expected: Option<Reply>,
    /// Cyclone's variant: an additional greeting line, and ranks always from 0.
    cyclone: bool,
}

impl Uci {
    /// Starts a conversation about `game`.
    pub fn new(game: &str) -> Uci {
        let variant = VARIANTS.iter().find(|v| v.name == game);
        Uci { variant, ..Uci::default() }
    }

    /// The same in Cyclone's variant, which starts with the line `ucicyclone`.
    pub fn cyclone(game: &str) -> Uci {
        Uci { cyclone: true, ..Uci::new(game) }
    }

    /// Whether the other side counts ranks from 1 where we count from 0.
    fn shifts(&self) -> bool {
        !self.cyclone && self.variant_is_set && self.variant.is_some_and(|v| v.ranks_from_0)
    }

    /// Converts the rank numbering of moves to that of the other side: shifted by 1 or unchanged.
    fn spell(&self, moves: &mut [String], direction: i32) {
        if self.shifts() {
            for m in moves {
                *m = shift_ranks(m, direction).unwrap_or_else(|| m.clone());
            }
        }
    }

    /// Converts a manager's moves to our numbering.
    fn read_moves(&self, moves: &mut [String]) -> Result<(), DialectError> {
        match moves.iter().find(|m| self.shifts() && shift_ranks(m, -1).is_none()) {
            Some(bad) => refuse(format!(
                "`{}`: with {VARIANT_OPTION} ranks are 1 to 10, so there is no rank 0",
                excerpt(bad)
            )),
            None => {
                self.spell(moves, -1);
                Ok(())
            }
        }
    }

    /// Converts the squares in a reply for people; `None` if it needs no conversion.
    fn shifted_text(&self, reply: &Reply) -> Option<Reply> {
        let reply = match reply {
            _ if !self.shifts() || self.quotes_manager => return None,
            Reply::Text(text) => Reply::Text(shift_lines(text)),
            Reply::Error(text) => Reply::Error(shift_text(text)),
            Reply::EngineError(text) => Reply::EngineError(shift_text(text)),
            _ => return None,
        };
        Some(reply)
    }

    /// The dialect handles the variant; the engine never sees it.
    fn set_variant(&mut self, value: &str) -> Result<Command, DialectError> {
        match self.variant {
            Some(variant) if !variant.name.eq_ignore_ascii_case(value) => Err(DialectError(
                format!("{VARIANT_OPTION}: unknown `{}`; known: {}", excerpt(value), variant.name),
            )),
            _ => {
                self.variant_is_set = true;
                Ok(Command::Nothing)
            }
        }
    }

    /// Reads a manager's line.
    fn read_line(&mut self, line: &str) -> Result<Vec<Command>, DialectError> {
        if line.trim() == CYCLONE {
            self.cyclone = true;
            return Ok(Vec::new());
        }
        let command = match UCI.read_command(line)? {
            Command::SetOption { name, value } if name.eq_ignore_ascii_case(VARIANT_OPTION) => {
                self.set_variant(&value)?
            }
            Command::Position { fen, mut moves } => {
                let fen = match (fen, self.variant) {
                    (Some(fen), Some(variant)) => Some(variant.fen_from_uci(&fen)),
                    (fen, _) => fen,
                };
                self.read_moves(&mut moves)?;
                Command::Position { fen, moves }
            }
            Command::Go(mut limits) => {
                self.read_moves(&mut limits.search_moves)?;
                Command::Go(limits)
            }
            other => other,
        };
        Ok(vec![command])
    }
}

impl Dialect for Uci {
    fn name(&self) -> &'static str {
        if self.cyclone { CYCLONE } else { UCI.name }
    }

    fn read_command(&mut self, line: &str) -> Result<Vec<Command>, DialectError> {
        let commands = self.read_line(line);
        self.quotes_manager = commands.is_err();
        commands
    }

    fn has_ready(&self) -> bool {
        true
    }

    fn write_reply(&mut self, reply: &Reply) -> Vec<String> {
        let mut lines = match reply {
            Reply::BestMove(Some(token)) => {
                let mut moves = vec![token.clone()];
                moves.extend(self.line.expected_reply(token));
                self.spell(&mut moves, 1);
                vec![format!("bestmove {}", moves.join(" ponder "))]
            }
            Reply::Info(info) => {
                self.line.note(info);
                let mut info = info.clone();
                self.spell(&mut info.pv, 1);
                info.text = info.text.map(|t| if self.shifts() { shift_text(&t) } else { t });
                UCI.write_reply(&Reply::Info(info))
            }
            _ => UCI.write_reply(self.shifted_text(reply).as_ref().unwrap_or(reply)),
        };
        if let (Reply::Identified, Some(variant)) = (reply, self.variant) {
            let spec = OptionSpec::combo(VARIANT_OPTION, variant.name, &[variant.name]);
            lines.insert(0, format!("option {spec}"));
        }
        lines
    }

    fn write_command(&mut self, command: &Command, _mover: Player) -> Vec<String> {
        let line = match (command, self.variant) {
            // Not in UCI: other engines would not answer.
            (Command::Query(_), _) => None,
            (Command::Identify, _) if self.cyclone => {
                return vec![CYCLONE.into(), UCI.name.into()];
            }
            (Command::Position { fen, moves }, Some(variant)) => {
                let fen = fen.as_ref().map(|fen| variant.fen_to_uci(fen));
                let mut moves = moves.clone();
                // A preceding line sets the variant.
                self.variant_is_set |= self.must_tell_variant;
                self.spell(&mut moves, 1);
                UCI.write_command(&Command::Position { fen, moves })
            }
            _ => UCI.write_command(command),
        };
        let mut lines: Vec<String> = line.into_iter().collect();
        if let (true, Some(variant)) = (self.must_tell_variant, self.variant)
            && !matches!(command, Command::Identify | Command::Quit)
        {
            self.must_tell_variant = false;
            self.variant_is_set = true;
            lines.insert(0, format!("setoption name {VARIANT_OPTION} value {}", variant.name));
        }
        lines
    }

    fn read_reply(&mut self, line: &str) -> Option<Reply> {
        let mut reply = UCI.read_reply(line, &mut self.names);
        match &mut reply {
            Some(Reply::BestMove(Some(token))) => {
                let mut moves = [std::mem::take(token)];
                self.spell(&mut moves, -1);
                [*token] = moves;
                if let Some(expected) = read_ponder(line) {
                    let mut moves = [expected.to_string()];
                    self.spell(&mut moves, -1);
                    let [expected] = moves;
                    self.expected = Some(Reply::Annotation(Annotation::PonderMove(expected)));
                }
            }
            Some(Reply::Info(info)) => self.spell(&mut info.pv, -1),
            _ => {}
        }
        if let Some(Reply::RawOption { name, .. }) = &reply
            && name == VARIANT_OPTION
        {
            self.must_tell_variant = true;
        }
        reply
    }

    fn poll_reply(&mut self) -> Option<Reply> {
        self.expected.take()
    }
}

#[cfg(test)]
mod recorded_tests;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Info, Limits, Score};
    use std::time::Duration;

    fn place(fen: &str) -> Command {
        Command::Position { fen: Some(fen.into()), moves: vec!["d1d7,d7g7".into()] }
    }

    #[test]
    fn a_foreign_engine_is_sent_the_variant_once_and_first() {
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
    fn a_fen_gets_a_tail_for_foreign_engines_and_loses_it_for_ours() {
        let (short, long) = ("4/q2Q/4/4 w", "position fen 4/q2Q/4/4 w - - 0 1 moves d1d7,d7g7");
        let mut uci = Uci::new("amazons");
        assert_eq!(uci.write_command(&place(short), Player::First), [long]);
        assert_eq!(uci.read_command(long), Ok(vec![place(short)]));
        let bare = "position fen 4/q2Q/4/4 w moves d1d7,d7g7";
        assert_eq!(uci.read_command(bare), Ok(vec![place(short)]));
    }

    fn xiangqi(moves: &[&str]) -> Command {
        let moves = moves.iter().map(|m| (*m).to_string()).collect();
        Command::Position { fen: None, moves }
    }

    /// Fairy-Stockfish numbers ranks 1 to 10 once the variant is set.
    #[test]
    fn a_foreign_engine_with_variants_gets_xiangqi_ranks_from_1() {
        let mut uci = Uci::new("xiangqi");
        uci.read_reply("option name UCI_Variant type combo default chess var chess var xiangqi");
        uci.read_reply("uciok");
        let place = xiangqi(&["h2e2", "h9g7", "a0a1"]);
        assert_eq!(
            uci.write_command(&place, Player::Second),
            ["setoption name UCI_Variant value xiangqi", "position startpos moves h3e3 h10g8 a1a2"]
        );
        let best = Reply::BestMove(Some("i9i8".into()));
        assert_eq!(uci.read_reply("bestmove i10i9 ponder h1g3"), Some(best));
        let expected = Annotation::PonderMove("h0g2".into());
        assert_eq!(uci.poll_reply(), Some(Reply::Annotation(expected)));
        let info = Info { pv: vec!["i9i8".into(), "h0g2".into()], ..Info::default() };
        assert_eq!(uci.read_reply("info pv i10i9 h1g3"), Some(Reply::Info(info)));
    }

    /// Pikafish has no such option and numbers ranks 0 to 9.
    #[test]
    fn a_foreign_engine_without_variants_gets_xiangqi_ranks_from_0() {
        let mut uci = Uci::new("xiangqi");
        uci.read_reply("option name Threads type spin default 1 min 1 max 1024");
        uci.read_reply("uciok");
        let place = xiangqi(&["h2e2"]);
        let line = "position startpos moves h2e2";
        assert_eq!(uci.write_command(&place, Player::Second), [line]);
        let best = Reply::BestMove(Some("h9g7".into()));
        assert_eq!(uci.read_reply("bestmove h9g7"), Some(best));
    }

    #[test]
    fn our_engine_counts_xiangqi_ranks_from_1_once_the_variant_is_set() {
        let mut uci = Uci::new("xiangqi");
        let best = Reply::BestMove(Some("h2e2".into()));
        let set = "setoption name UCI_Variant value xiangqi";
        let before = uci.read_command("position startpos moves h2e2");
        assert_eq!(before, Ok(vec![xiangqi(&["h2e2"])]));
        assert_eq!(uci.write_reply(&best), ["bestmove h2e2"]);
        assert_eq!(uci.read_command(set), Ok(vec![Command::Nothing]));
        let after = uci.read_command("position startpos moves h3e3 h10g8");
        assert_eq!(after, Ok(vec![xiangqi(&["h2e2", "h9g7"])]));
        assert_eq!(uci.write_reply(&best), ["bestmove h3e3"]);
        let info = Info { pv: vec!["a9a8".into(), "a0a1".into()], ..Info::default() };
        assert_eq!(uci.write_reply(&Reply::Info(info)), ["info pv a10a9 a1a2"]);
        let fen = "position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1";
        let place = Command::Position {
            fen: Some("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1".into()),
            moves: Vec::new(),
        };
        assert_eq!(uci.read_command(fen), Ok(vec![place.clone()]));
        assert_eq!(Uci::new("xiangqi").write_command(&place, Player::First), [fen]);
    }

    /// After this greeting, Fairy-Stockfish also numbers ranks 0 to 9.
    #[test]
    fn cyclones_ranks_are_from_0_with_and_without_a_variant() {
        let mut uci = Uci::cyclone("xiangqi");
        assert_eq!(uci.write_command(&Command::Identify, Player::First), ["ucicyclone", "uci"]);
        uci.read_reply("option name UCI_Variant type combo default xiangqi var xiangqi");
        uci.read_reply("uciok");
        assert_eq!(
            uci.write_command(&xiangqi(&["h2e2"]), Player::Second),
            ["setoption name UCI_Variant value xiangqi", "position startpos moves h2e2"]
        );
        let best = Reply::BestMove(Some("h9g7".into()));
        assert_eq!(uci.read_reply("bestmove h9g7"), Some(best.clone()));
        let mut engine = Uci::cyclone("xiangqi");
        assert_eq!(engine.read_command("ucicyclone"), Ok(Vec::new()));
        assert_eq!(engine.read_command("uci"), Ok(vec![Command::Identify]));
        engine.read_command("setoption name UCI_Variant value xiangqi").expect("the variant");
        let bare = engine.read_command("startpos moves h2e2");
        assert_eq!(bare, Ok(vec![xiangqi(&["h2e2"])]));
        assert_eq!(engine.write_reply(&best), ["bestmove h9g7"]);
    }

    #[test]
    fn the_expected_reply_is_named_for_pondering() {
        let mut uci = Uci::new("xiangqi");
        uci.read_command("setoption name UCI_Variant value xiangqi").expect("the variant");
        let pv = vec!["h2e2".into(), "h9g7".into(), "h0g2".into()];
        uci.write_reply(&Reply::Info(Info { pv, ..Info::default() }));
        let best = |token: &str| Reply::BestMove(Some(token.into()));
        assert_eq!(uci.write_reply(&best("h2e2")), ["bestmove h3e3 ponder h10g8"]);
        assert_eq!(uci.write_reply(&best("h2e2")), ["bestmove h3e3"], "a line counts once");
        let pv = vec!["h2e2".into(), "h9g7".into()];
        uci.write_reply(&Reply::Info(Info { pv, ..Info::default() }));
        assert_eq!(uci.write_reply(&best("b2e2")), ["bestmove b3e3"]);
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
