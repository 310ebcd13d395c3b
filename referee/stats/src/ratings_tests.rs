//! Tests ratings against published values and closed forms.

use super::*;
use crate::{Wdl, Z95, elo_from_score};

const BASEBALL: [(usize, [(u64, u64); 6]); 7] = [
    (0, [(4, 3), (4, 2), (4, 3), (6, 1), (4, 2), (6, 0)]),
    (1, [(3, 3), (4, 2), (4, 3), (6, 0), (6, 1), (4, 3)]),
    (2, [(2, 5), (4, 3), (2, 4), (4, 3), (4, 2), (6, 0)]),
    (3, [(3, 3), (5, 1), (2, 5), (4, 3), (4, 2), (6, 1)]),
    (4, [(5, 1), (2, 5), (3, 3), (4, 2), (5, 2), (6, 0)]),
    (5, [(2, 5), (3, 3), (3, 4), (4, 3), (4, 2), (2, 4)]),
    (6, [(2, 5), (1, 5), (1, 6), (2, 4), (1, 6), (3, 4)]),
];

/// The 1987 season of the American League's eastern division (Agresti, "Categorical Data Analysis",
/// 10.6; the data set of the R package BradleyTerry2): Milwaukee, Detroit, Toronto, New York,
/// Boston, Cleveland, Baltimore; the home team is the first player.
fn baseball() -> Meetings {
    let mut meetings = Meetings::default();
    for (home, results) in BASEBALL {
        let guests = (0..7).filter(|g| *g != home);
        for (guest, (won, lost)) in guests.zip(results) {
            meetings.add([home, guest], Wdl::new(won, 0, lost));
        }
    }
    meetings
}

fn model(draws: DrawModel, advantage: bool) -> Model {
    let advantage = if advantage { Parameter::Estimated } else { Parameter::Given(0.0) };
    Model { draws, drawelo: Parameter::Estimated, advantage, prior: 0.0 }
}

fn close(a: f64, b: f64, within: f64) {
    assert!((a - b).abs() <= within, "{a} is not {b} within {within}");
}

#[test]
fn the_published_ratings_and_errors_of_the_baseball_season_come_out() {
    // BradleyTerry2's vignette, in natural units against Baltimore: estimate and standard error.
    let published = [
        (1.5814, 0.3433),
        (1.4364, 0.3396),
        (1.2945, 0.3367),
        (1.2476, 0.3359),
        (1.1077, 0.3339),
        (0.6839, 0.3319),
    ];
    let ratings = rate(&baseball(), &model(DrawModel::Half, false)).unwrap();
    for (team, (estimate, error)) in published.into_iter().enumerate() {
        let (difference, deviation) = ratings.difference(team, 6, false);
        close(difference / ELO, estimate, 0.0001);
        close(deviation / ELO, error, 0.0001);
    }
    close(ratings.elo.iter().sum::<f64>(), 0.0, 1e-9);
}

#[test]
fn the_published_advantage_of_playing_at_home_comes_out() {
    let published = [
        (1.6196, 0.3474),
        (1.4754, 0.3446),
        (1.3271, 0.3403),
        (1.2813, 0.3404),
        (1.1438, 0.3378),
        (0.7047, 0.3350),
    ];
    let ratings = rate(&baseball(), &model(DrawModel::Half, true)).unwrap();
    for (team, (estimate, error)) in published.into_iter().enumerate() {
        let (difference, deviation) = ratings.difference(team, 6, false);
        close(difference / ELO, estimate, 0.0001);
        close(deviation / ELO, error, 0.0001);
    }
    close(ratings.advantage.unwrap() / ELO, 0.3023, 0.0001);
    close(ratings.covariance[(7, 7)].sqrt() / ELO, 0.1309, 0.0001);
}

/// Four engines, 32 games in each meeting: an Ordo list on the page `LCZero-Tools`, "Tournament
/// Results: LCZero nets 1knodes plus Stockfish9 100knodes" (2018). It gives the results of one
/// engine and the points of the others. With meetings of equal length, the ratings depend only on
/// the points.
#[test]
fn a_list_that_ordo_printed_comes_out() {
    let mut meetings = Meetings::default();
    let hybrid = [(0, (5, 13, 14)), (2, (11, 16, 5)), (3, (15, 13, 4))];
    for (opponent, (won, drawn, lost)) in hybrid {
        meetings.add([1, opponent], Wdl::new(won, drawn, lost));
    }
    // Stockfish has 45 points left against the two nets, the nets 26 and 25.
    for (players, (won, lost)) in [([0, 2], (22, 10)), ([0, 3], (23, 9)), ([2, 3], (16, 16))] {
        meetings.add(players, Wdl::new(won, 0, lost));
    }
    let half_points = [0, 1, 2, 3].map(|i| meetings.of(i).half_points());
    assert_eq!(half_points, [131, 104, 78, 71]);
    let (model, factor) = Model::ordo();
    let ratings = rate(&meetings, &model).unwrap().scaled(factor);
    for (engine, published) in [79.3, 0.0, -74.2, -94.7].into_iter().enumerate() {
        close(ratings.elo[engine] - ratings.elo[1], published, 0.05);
    }
}

/// Chess.com's Computer Chess Championship of 2018, stage 2: all games, with BayesElo's list
/// (blog.lczero.org, "CCCC stage 2 ended", 26 September 2018). White alternates within a meeting.
/// The page does not say who began: this test assumes the side with more White wins, which gives 81
/// wins of White, while the page counts 80.
#[test]
fn a_list_that_bayeselo_printed_comes_out() {
    const RESULTS: [&str; 7] = [
        "=1=1=1=1=1 ===1=====1 ====1===== 1=1=1=1=11 11=11=1=1= =1=111===1 11=11111==",
        "1==1==01=1 ========1= 1==1=1==== 11=11=1==1 =1===1=1=1 1=1=1===1=",
        "======0=01 1====1===1 1==101==== 1==1==1==1 1==1=1=1==",
        "========10 =111=0==== 11====1=== 10====101=",
        "==0=0====1 ======1=== 1=1=10=11=",
        "===1=1=1== =====0=1==",
        "====1=====",
    ];
    let mut meetings = Meetings::default();
    let mut white = 0;
    for (a, row) in RESULTS.into_iter().enumerate() {
        for (b, games) in (a + 1..).zip(row.split(' ')) {
            let white_wins = |begins: usize| {
                let of_white = games
                    .bytes()
                    .enumerate()
                    .filter(|&(i, game)| game == if i % 2 == begins { b'1' } else { b'0' });
                of_white.count()
            };
            let begins = usize::from(white_wins(1) > white_wins(0));
            white += white_wins(begins);
            for (i, game) in games.bytes().enumerate() {
                let score = match game {
                    b'1' => GameScore::Win,
                    b'0' => GameScore::Loss,
                    _ => GameScore::Draw,
                };
                let (players, score) =
                    if i % 2 == begins { ([a, b], score) } else { ([b, a], score.flipped()) };
                let alone = match score {
                    GameScore::Win => Wdl::new(1, 0, 0),
                    GameScore::Draw => Wdl::new(0, 1, 0),
                    GameScore::Loss => Wdl::new(0, 0, 1),
                };
                meetings.add(players, alone);
            }
        }
    }
    assert_eq!(white, 81);
    let points = (0..8).map(|i| meetings.of(i).half_points());
    assert_eq!(points.collect::<Vec<_>>(), [102, 86, 77, 75, 62, 58, 51, 49]);
    let (model, factor) = Model::bayeselo();
    let ratings = rate(&meetings, &model).unwrap().scaled(factor);
    // BayesElo prints the means of the ratings' distributions, this program their peaks.
    for (engine, published) in
        [198.0, 133.0, 102.0, 98.0, 50.0, 34.0, 11.0, 0.0].into_iter().enumerate()
    {
        close(ratings.elo[engine] - ratings.elo[7], published, 2.0);
    }
}

#[test]
fn two_engines_have_the_elo_that_their_score_says() {
    let mut meetings = Meetings::default();
    meetings.add([0, 1], Wdl::new(30, 20, 10));
    meetings.add([1, 0], Wdl::new(20, 20, 20));
    let ratings = rate(&meetings, &model(DrawModel::Half, false)).unwrap();
    close(ratings.difference(0, 1, false).0, elo_from_score(70.0 / 120.0), 1e-9);
}

/// The win, draw and loss rates of one engine determine the three parameters of two engines: the
/// model reproduces the rates.
#[test]
fn the_draw_model_reproduces_the_rates_of_two_engines() {
    let mut meetings = Meetings::default();
    meetings.add([0, 1], Wdl::new(500, 300, 200));
    let ratings = rate(&meetings, &model(DrawModel::RaoKupper, false)).unwrap();
    let (x, d) = (ratings.difference(0, 1, false).0, ratings.draw.unwrap());
    let chance = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
    close(chance(x - d), 0.5, 1e-9);
    close(chance(-x - d), 0.2, 1e-9);
}

/// The covariance is the curvature, checked here against differences of the gradient.
#[test]
fn information_is_minus_the_second_derivative() {
    let mut meetings = Meetings::default();
    meetings.add([0, 1], Wdl::new(50, 30, 20));
    meetings.add([1, 2], Wdl::new(10, 30, 20));
    meetings.add([2, 0], Wdl::new(15, 5, 20));
    for draws in [DrawModel::Half, DrawModel::RaoKupper] {
        let m = model(draws, true);
        let (cells, layout) = (cells(&meetings, 0.0), ParameterLayout::of(&m, 3));
        let at: Vec<f64> = (0..layout.size()).map(|i| 0.1 + 0.2 * i as f64).collect();
        let matrix = information(&cells, &layout, &at);
        let h = 1e-6;
        for i in 0..layout.size() {
            let moved = |h: f64| {
                let mut there = at.clone();
                there[i] += h;
                (log_likelihood(&cells, &layout, &there), gradient(&cells, &layout, &there))
            };
            let ((up, right), (down, left)) = (moved(h), moved(-h));
            close((up - down) / (2.0 * h), gradient(&cells, &layout, &at)[i], 1e-4);
            for j in 0..layout.size() {
                let mean_term = if i < 3 && j < 3 { 1.0 } else { 0.0 };
                close((left[j] - right[j]) / (2.0 * h), matrix[(i, j)] - mean_term, 1e-4);
            }
        }
    }
}

#[test]
fn pairs_that_cancel_luck_have_a_smaller_robust_error() {
    let (mut split, mut alone) = (Meetings::default(), Meetings::default());
    // The first player wins in both games of nearly every pair.
    for pair in 0..100 {
        let odd = if pair % 10 == 0 { GameScore::Loss } else { GameScore::Win };
        split.push(pair, [0, 1], GameScore::Win);
        split.push(pair, [1, 0], odd);
    }
    for (players, wdl) in split.ordered() {
        alone.add(players, wdl);
    }
    let m = model(DrawModel::Half, false);
    let (paired, single) = (rate(&split, &m).unwrap(), rate(&alone, &m).unwrap());
    close(paired.difference(0, 1, false).1, single.difference(0, 1, false).1, 1e-9);
    // Single games: the robust error is close to the model's. Pairs: ten of a hundred decide.
    let ratio = single.difference(0, 1, true).1 / single.difference(0, 1, false).1;
    close(ratio, 1.0, 0.02);
    let gain = paired.difference(0, 1, true).1 / paired.difference(0, 1, false).1;
    assert!(gain < 0.5, "{gain}");
}

#[test]
fn an_engine_that_never_scored_is_named_and_a_prior_helps() {
    let mut meetings = Meetings::default();
    meetings.add([0, 1], Wdl::new(5, 1, 4));
    meetings.add([2, 0], Wdl::new(0, 0, 3));
    let error = rate(&meetings, &model(DrawModel::Half, false)).unwrap_err();
    assert_eq!(error, RatingError::Apart(vec![2]));
    let m = Model { prior: 1.0, ..model(DrawModel::Half, false) };
    let ratings = rate(&meetings, &m).unwrap();
    assert!(ratings.elo[2] < ratings.elo[0] - 100.0 && ratings.elo[2].is_finite());
}

#[test]
fn errors_relative_to_the_anchor_are_those_of_the_difference() {
    let mut meetings = Meetings::default();
    for pair in 0..40 {
        let [a, b] = if pair % 3 == 0 { [0, 1] } else { [1, 2] };
        let score = [GameScore::Win, GameScore::Draw, GameScore::Loss][pair as usize % 5 % 3];
        meetings.push(pair, [a, b], score);
        meetings.push(pair, [b, a], score.flipped());
    }
    let free = rate(&meetings, &model(DrawModel::Half, true)).unwrap();
    let fixed = free.clone().anchored(1, 2000.0);
    for robust in [false, true] {
        close(fixed.error(1, robust), 0.0, 1e-9);
        for i in [0, 2] {
            let (difference, error) = free.difference(i, 1, robust);
            close(fixed.elo[i] - 2000.0, difference, 1e-9);
            close(fixed.error(i, robust), error, 1e-9);
        }
        close(fixed.difference(0, 2, robust).1, free.difference(0, 2, robust).1, 1e-9);
    }
    // The advantage of moving first is no rating: its error does not change.
    close(fixed.covariance[(3, 3)], free.covariance[(3, 3)], 1e-9);
}

#[test]
fn two_engines_are_as_far_from_each_other_as_their_pairs_say() {
    let mut meetings = Meetings::default();
    let mut book = crate::PairBook::default();
    for pair in 0..20 {
        let score = [GameScore::Win, GameScore::Win, GameScore::Loss][pair as usize % 3];
        for (players, score) in [([0, 1], score), ([1, 0], GameScore::Draw)] {
            meetings.push(pair, players, score);
            book.push(pair, if players[0] == 0 { score } else { score.flipped() });
        }
    }
    let ratings = rate(&meetings, &model(DrawModel::Half, false)).unwrap();
    let spread = crate::Spread::of_pairs(book.complete()).unwrap();
    let anchored = ratings.clone().anchored(0, 0.0);
    // An interval symmetric in Elo instead of in score: the same up to the curvature.
    let elo = spread.elo();
    close(Z95 * anchored.error(1, true) / ((elo.high - elo.low) / 2.0), 1.0, 0.05);
    close(ratings.error(1, true) * 2.0, anchored.error(1, true), 1e-9);
}

#[test]
fn games_that_are_all_drawn_do_not_make_ratings_exact() {
    for (pairs, widest, narrowest) in [(5, 250.0, 60.0), (50, 30.0, 15.0), (500, 3.0, 1.5)] {
        let mut meetings = Meetings::default();
        for pair in 0..pairs {
            meetings.push(pair, [0, 1], GameScore::Draw);
            meetings.push(pair, [1, 0], GameScore::Draw);
        }
        let ratings = rate(&meetings, &model(DrawModel::Half, true)).unwrap().anchored(0, 0.0);
        let half = Z95 * ratings.error(1, true);
        assert!((narrowest..widest).contains(&half), "{pairs} pairs: {half}");
        assert!(ratings.robust[(2, 2)] > 0.0, "the advantage is uncertain too");
    }
}
