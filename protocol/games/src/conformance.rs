//! A conformance suite for all games: it tests every contract of [`Game`] that random games can
//! test. A game's tests call [`check`]; adding a game takes a rules module and that call.

use crate::actions::{ActionSet, Chosen, Staged};
use crate::game::{Game, Turn, chance_outcomes, legal_moves};
use crate::numbered::Numbered;
use crate::record::Record;
use crate::rng;
use std::ops::ControlFlow;

/// Plays `games` random games from `start` (at most `plies` plies each) and checks every contract
/// at every position. Returns the number of positions checked, or the first broken contract with
/// the position's FEN.
pub fn check<G: Game>(
    start: &G,
    games: u64,
    plies: usize,
    rules: &G::Rules,
) -> Result<u64, String> {
    let mut checked = 0;
    for index in 0..games {
        let mut rng = rng::stream(index, 0, "conformance");
        let mut record = Record::new(start.clone());
        for _ in 0..=plies {
            position(record.current(), rules)
                .map_err(|e| format!("{}: {e} in `{}`", G::NAME, record.current().fen()))?;
            checked += 1;
            let moves = match record.turn() {
                Turn::Over(_) => break,
                Turn::Player(_) => legal_moves(record.current()),
                Turn::Chance => {
                    chance_outcomes(record.current()).into_iter().map(|(m, _)| m).collect()
                }
            };
            record.push(moves[rng::below(&mut rng, moves.len() as u64) as usize]);
        }
        replay(&record, rules)?;
    }
    Ok(checked)
}

/// Checks one position.
pub fn position<G: Game>(state: &G, rules: &G::Rules) -> Result<(), String> {
    text_round_trip(state, rules)?;
    if state.hash() != state.hash_from_scratch() {
        return Err("the incremental hash differs from the one computed anew".into());
    }
    let decisions = legal_moves(state);
    let outcomes = chance_outcomes(state);
    whose_turn(state, &decisions, &outcomes)?;
    let mut all: Vec<G::Move> = decisions.clone();
    all.extend(outcomes.iter().map(|&(m, _)| m));
    let mut sorted = all.clone();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() != all.len() {
        return Err("a move was generated twice".into());
    }
    if state.count_moves() != decisions.len() as u64 {
        return Err(format!("{} moves counted, {} visited", state.count_moves(), decisions.len()));
    }
    stops_when_told(state, decisions.len())?;
    // With thousands of moves a sample is enough, and it keeps the suite fast.
    let step = all.len() / 64 + 1;
    all.into_iter().step_by(step).try_for_each(|m| one_move(state, m))
}

fn text_round_trip<G: Game>(state: &G, rules: &G::Rules) -> Result<(), String> {
    let back = G::parse_fen(&state.fen(), rules).map_err(|e| format!("own FEN refused: {e}"))?;
    if back != *state || back.hash() != state.hash() {
        return Err(format!("the FEN reads back as another position: `{}`", back.fen()));
    }
    Ok(())
}

fn whose_turn<G: Game>(
    state: &G,
    decisions: &[G::Move],
    outcomes: &[(G::Move, u32)],
) -> Result<(), String> {
    let ok = match state.turn() {
        Turn::Player(_) => !decisions.is_empty() && outcomes.is_empty(),
        Turn::Chance => {
            G::HAS_CHANCE
                && decisions.is_empty()
                && !outcomes.is_empty()
                && outcomes.iter().all(|o| o.1 > 0)
        }
        Turn::Over(_) => decisions.is_empty() && outcomes.is_empty(),
    };
    if ok {
        return Ok(());
    }
    Err(format!(
        "turn {:?} with {} decisions and {} chance outcomes",
        state.turn(),
        decisions.len(),
        outcomes.len()
    ))
}

fn stops_when_told<G: Game>(state: &G, decisions: usize) -> Result<(), String> {
    let mut seen = 0;
    let flow = state.visit_moves(&mut |m| {
        seen += 1;
        ControlFlow::Break(m)
    });
    match flow {
        ControlFlow::Break(_) if seen == 1 && decisions > 0 => Ok(()),
        ControlFlow::Continue(()) if decisions == 0 => Ok(()),
        _ => Err(format!("a visitor that broke at once was called {seen} times")),
    }
}

fn one_move<G: Game>(state: &G, m: G::Move) -> Result<(), String> {
    if !state.is_legal(m) {
        return Err(format!("generated {m:?} is not accepted as legal"));
    }
    for text in state.move_texts(m).all().chain([&state.display_move(m)]) {
        match state.parse_move(text) {
            Ok(back) if back == m => {}
            Ok(back) => return Err(format!("`{text}` of {m:?} reads back as {back:?}")),
            Err(e) => return Err(format!("own move text refused: {e}")),
        }
    }
    if state.move_token(m).contains(char::is_whitespace) {
        return Err(format!("the token `{}` holds white space", state.move_token(m)));
    }
    let mut next = state.clone();
    let undo = next.play(m);
    if next.hash() != next.hash_from_scratch() {
        return Err(format!("after {m:?} the incremental hash differs from the one anew"));
    }
    next.undo(m, undo);
    if next != *state || next.hash() != state.hash() {
        return Err(format!("undoing {m:?} does not give the position back"));
    }
    Ok(())
}

/// The tokens of a record must lead to the same position; finished games must reject moves.
fn replay<G: Game>(record: &Record<G>, rules: &G::Rules) -> Result<(), String> {
    let tokens = record.tokens();
    let start = record.start().fen();
    let mut again = Record::<G>::from_text(Some(&start), &tokens, rules)
        .map_err(|e| format!("replaying {tokens:?} from `{start}`: {e}"))?;
    if again.current() != record.current() || again.turn() != record.turn() {
        return Err(format!("replaying {tokens:?} from `{start}` ends elsewhere"));
    }
    if let (Turn::Over(_), Some(last)) = (again.turn(), tokens.last())
        && again.push_text(last).is_ok()
    {
        return Err(format!("the finished game {tokens:?} accepts `{last}`"));
    }
    Ok(())
}

/// Plays random games by numbers, as [`check`] does by moves: the choices make exactly the legal turns, every number
/// stands for one outcome, and taking everything back leads through the same positions. Positions with more than
/// `most` turns are not listed.
pub fn check_actions<G: Staged>(
    start: &G,
    games: u64,
    actions: usize,
    most: u64,
) -> Result<u64, String> {
    let mut checked = 0;
    for index in 0..games {
        let mut rng = rng::stream(index, 0, "conformance of actions");
        let mut game = Numbered::new(start.clone());
        let mut passed = Vec::new();
        for _ in 0..actions {
            let at = |e| format!("{}: {e} in `{}`", G::NAME, game.record().current().fen());
            numbered_position(&game, most).map_err(at)?;
            checked += 1;
            let Some(action) = game.pick(rng::unit(&mut rng)) else { break };
            let before = game.clone();
            let back = game.play(action.into()).map_err(|e| e.to_string())?;
            passed.push((before, back));
        }
        for (before, back) in passed.into_iter().rev() {
            game.take_back(back);
            if game != before {
                return Err(format!("{}: an action was not undone", G::NAME));
            }
        }
    }
    Ok(checked)
}

fn numbered_position<G: Staged>(game: &Numbered<G>, most: u64) -> Result<(), String> {
    let state = game.record().current();
    let is_decision = matches!(game.turn(), Turn::Player(_));
    if is_decision != (game.legal().count() > 0) {
        return Err(format!("{} legal actions at {:?}", game.legal().count(), game.turn()));
    }
    for (number, _) in game.outcomes() {
        let m = state.outcome(number).ok_or("an outcome's number stands for none")?;
        if !state.is_legal(m) || state.outcome_number(m) != number {
            return Err(format!("outcome {number} is {m:?}"));
        }
    }
    if !is_decision || !game.chosen().is_empty() || state.count_moves() > most {
        return Ok(());
    }
    let mut made = Vec::new();
    turns(state, &mut Chosen::new(), &mut made);
    made.sort_unstable();
    made.dedup();
    let mut legal = legal_moves(state);
    // What follows a choice that ends the game is no turn of its own.
    legal.retain(|m| !ends_early(state, *m));
    legal.sort_unstable();
    if made != legal {
        return Err(format!("the choices make {} turns, {} are legal", made.len(), legal.len()));
    }
    Ok(())
}

/// All turns that legal choices make.
fn turns<G: Staged>(state: &G, chosen: &mut Chosen, made: &mut Vec<G::Move>) {
    let mut set = ActionSet::new(state.action_count());
    state.legal_actions(chosen, &mut set);
    for action in set.iter() {
        match state.complete(chosen, action as u16) {
            Some(m) => made.push(m),
            None => {
                chosen.push(action as u16);
                turns(state, chosen, made);
                chosen.pop();
            }
        }
    }
}

/// Whether the first choices of `m`, in either order, make a shorter turn that ends the game.
fn ends_early<G: Staged>(state: &G, m: G::Move) -> bool {
    let actions = state.actions_of(m);
    let mut reversed = actions.clone();
    reversed.reverse();
    let ends = |m: G::Move| {
        let mut after = state.clone();
        after.play(m);
        matches!(after.turn(), Turn::Over(_))
    };
    let last = actions.len().saturating_sub(1);
    [actions, reversed].iter().all(|choices| {
        let mut shorter = (0..last).filter_map(|i| state.complete(&choices[..i], choices[i]));
        shorter.any(|m| state.is_legal(m) && ends(m))
    })
}
