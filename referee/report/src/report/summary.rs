//! The summary at the top of a report, and the score of its engines.

use super::aggregate::Aggregate;
use super::page::translated_table;
use super::{results, sections};
use crate::crosstable::{self, points};
use agon_base::counted;
use agon_matches::schedule::ByResults as _;
use agon_matchlog::MatchHeader;
use agon_stats::Elo;
use agon_stats::Wdl;
use maud::{Markup, html};

/// The most important figures.
pub fn cards(header: &MatchHeader, all: &Aggregate) -> Markup {
    if header.engines.len() > 2 { field(header, all) } else { duel(header, all) }
}

/// Of a match of more than two engines.
fn field(header: &MatchHeader, all: &Aggregate) -> Markup {
    let Some(&leader) = results::ranking(all).first() else { return html! {} };
    let total = results::total_of(all, leader).wdl();
    let winner = header.schedule.winner(&all.totals.results);
    let name = |e: usize| header.engines.get(e).map_or("?", |e| e.name.as_str());
    let first = all.first_player;
    html! {
        div class="cards" {
            @if let Some(winner) = winner {
                (card("Winner", name(winner), &header.schedule.form))
            } @else {
                (card("Best score", name(leader), &format!(
                    "{} of {}, {}",
                    points(total.half_points()), counted(total.games(), "point"),
                    results::percent(total.score())
                )))
            }
            (card("Engines", &header.engines.len().to_string(), &header.schedule.form))
            (card("Games", &all.games().to_string(), &format!("{} drawn", first.draws)))
            (card("The first player scored", &results::percent(first.score()), &won_drawn_lost(first)))
        }
    }
}

/// The Elo difference of engine `a`, after a test the estimate that the test does not bias.
fn difference(header: &MatchHeader, all: &Aggregate, a: usize, fixed: Elo) -> (Elo, &'static str) {
    match all.totals.test(header).and_then(|test| test.estimate()) {
        Some(estimate) if a == 0 => (estimate.elo, ", holds after stopping"),
        Some(estimate) => (estimate.elo.flipped(), ", holds after stopping"),
        None => (fixed, ""),
    }
}

/// Of a match of two engines.
fn duel(header: &MatchHeader, all: &Aggregate) -> Markup {
    let order = results::ranking(all);
    let (Some(&a), Some(&b)) = (order.first(), order.get(1)) else { return html! {} };
    let tally = results::meeting_of(all, a, b);
    let wdl = tally.wdl();
    let name = |e: usize| header.engines[e].name.as_str();
    let result = [wdl, wdl.flipped()].map(|w| points(w.half_points())).join(" : ");
    let first = all.first_player;
    html! {
        div class="cards" {
            (card_of(
                html! { (name(a)) " : " (name(b)) },
                &result,
                &counted(wdl.games(), "game"),
            ))
            @if let Some(spread) = tally.spread() {
                @let (elo, note) = difference(header, all, a, spread.elo());
                @let elo = elo.to_string();
                @let (value, interval) = elo.split_once(' ').unwrap_or((&elo, ""));
                (card("Score", &results::percent(wdl.score()), &won_drawn_lost(wdl)))
                (card("Elo difference", value, &format!("95%: {interval}{note}")))
                (card(
                    "Likelihood of superiority",
                    &format!("{:.1}%", 100.0 * spread.los()),
                    &format!("of {}", name(a)),
                ))
                (card(
                    "The first player scored",
                    &results::percent(first.score()),
                    &won_drawn_lost(first),
                ))
            }
        }
    }
}

/// The score of all engines, against each other and by pairs.
pub fn score(header: &MatchHeader, all: &Aggregate) -> Markup {
    let name = |e: usize| &header.engines[e].name;
    let many = header.engines.len() > 2;
    html! {
        @if many {
            h3 data-i18n-text { "Crosstable" }
            (translated_table(&results::crosstable(header, all), &[]))
            p class="note" data-i18n-text { (crosstable::LEGEND) "." }
        }
        @if let Some(ratings) = sections::ratings(header, all).filter(|_| many) { (ratings) }
        (translated_table(&results::standings(header, all), &[]))
        @if many {
            details {
                summary data-i18n-text { "Every two engines" }
                (translated_table(&results::meetings(header, all), &[4, 6]))
            }
        } @else {
            (translated_table(&results::meetings(header, all), &[4, 6]))
        }
        @if let Some(figure) = sections::score_by_pair(header, all) { (figure) }
        @for (&[a, b], meeting) in all.meetings.iter().filter(|_| !many) {
            @let pairs = meeting.tally().pairs;
            @if pairs.pairs() > 0 {
                h3 data-i18n-text { "Pairs: points of " (name(a)) " against " (name(b)) " in both games" }
                (pair_bars(pairs.counts))
            }
        }
        p class="note" {
            span data-i18n-text {
                @if header.schedule.swaps_sides() {
                    "Both games of a pair begin with the same opening (and see the same dice), with \
                     sides swapped."
                } @else {
                    "The sides were not swapped: one engine of each pairing moves first in all games."
                }
            }
            " "
            span data-i18n-text {
                "Elo, its 95% interval (in this table for a number of games fixed in advance) \
                 and LOS are computed from complete pairs where there are any."
            }
        }
    }
}

fn card(what: &str, value: &str, more: &str) -> Markup {
    card_of(html! { span data-i18n-text { (what) } }, value, more)
}

fn card_of(what: Markup, value: &str, more: &str) -> Markup {
    html! {
        div class="card" {
            div class="what" { (what) }
            div class="value" { (value) }
            div class="more" data-i18n-text { (more) }
        }
    }
}

fn won_drawn_lost(wdl: Wdl) -> String {
    format!("{} won, {} drawn, {} lost", wdl.wins, wdl.draws, wdl.losses)
}

fn pair_bars(counts: [u64; 5]) -> Markup {
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    html! {
        table {
            tbody {
                @for (half_points, &n) in (0..).zip(&counts) {
                    tr {
                        td class="n" { (points(half_points)) }
                        td class="n" { (n) }
                        td class="barcell" {
                            div class="bar" style=(format!("width:{:.1}%", 100.0 * n as f64 / most as f64)) {}
                        }
                    }
                }
            }
        }
    }
}
