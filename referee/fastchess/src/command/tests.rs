//! Tests of reading whole command lines.

use super::*;
use agon_matchlog::{EloScale, ResignRule};

fn read(line: &str) -> Result<Command> {
    let words: Vec<String> = line.split(' ').map(String::from).collect();
    Command::read(&words, Persona::Fastchess, 4)
}

const TWO: &str = "-engine cmd=a tc=1 -engine cmd=b tc=1";

fn refusal(line: &str) -> String {
    read(&format!("{TWO} {line}"))
        .map(|_| ())
        .unwrap_err()
        .chain()
        .map(|e| format!("{e}: "))
        .collect()
}

#[test]
fn defaults_are_those_of_fastchess() {
    let command = read(TWO).unwrap();
    let s = &command.settings;
    assert_eq!(s.schedule(2).unwrap().games(), 4);
    assert!(s.is_paired() && s.penta && !s.recover);
    assert_eq!((s.rating_interval, s.score_interval, s.output), (10, 1, Output::Fastchess));
    assert_eq!(s.concurrency(4).unwrap(), 1);
    assert_eq!(command.engines[0].spec.dialect.as_deref(), Some("uci"));
    assert_eq!(command.engines[0].spec.margin_ms, Some(0));
    let words: Vec<String> = TWO.split(' ').map(String::from).collect();
    let cute = Command::read(&words, Persona::Cutechess, 4).unwrap().settings;
    assert_eq!((cute.schedule(2).unwrap().games(), cute.output), (2, Output::Cutechess));
    assert!(!cute.is_paired());
}

#[test]
fn each_comes_after_the_engines_and_equal_names_are_told_apart() {
    let command =
        read("-each tc=5+0.1 option.Hash=8 -engine cmd=x/a.exe -engine cmd=y/a.exe tc=9").unwrap();
    let clocks: Vec<u64> =
        command.engines.iter().map(|e| e.limit.clock.as_ref().unwrap().time_ms).collect();
    assert_eq!(clocks, [5000, 5000]);
    assert_eq!(command.engines[1].spec.name.as_deref(), Some("a_2"));
    assert_eq!(command.engines[1].spec.options[0].value, "8");
}

#[test]
fn the_command_line_of_openbench_is_read() {
    let line = "-recover -variant standard -testEnv -concurrency 2 -rounds 32 -games 2 -resign movecount=3 score=400 \
                -draw movenumber=40 movecount=8 score=10 -engine dir=Engines/ cmd=./A-1 proto=uci tc=10.00+0.10 \
                timemargin=250 option.Threads=1 option.Hash=16 name=A-dev -engine dir=Engines/ cmd=./A-2 proto=uci \
                tc=10.00+0.10 timemargin=250 option.Threads=1 option.Hash=16 name=A-base -openings file=Books/a.epd \
                format=epd order=random start=97 -srand 42 -pgnout file=PGNs/1.2.3.0.pgn seldepth=true nodes=true";
    let words = shell_words::split(line).unwrap();
    let mut words: Vec<String> = words;
    words.push("match_line=^info string pgncomment .*".into());
    let command = Command::read(&words, Persona::Fastchess, 2).unwrap();
    let s = &command.settings;
    assert_eq!(s.schedule(2).unwrap().games(), 64);
    assert_eq!(s.resign, Some(ResignRule { score: 400, moves: 3, one_sided: true }));
    assert_eq!(s.draw, Some(DrawRule { score: 10, moves: 8, after: 80 }));
    let source = s.openings().unwrap().unwrap();
    assert_eq!((source.start, source.seed), (97, Some(42)));
    assert_ne!(s.chance_seed(), Some(42), "another start has other dice");
    assert_eq!(command.engines[0].spec.margin_ms, Some(250));
    let (_, form) = s.pgn.as_ref().unwrap();
    assert!(form.runner.unwrap().nodes && form.runner.unwrap().seldepth && !form.fresh);
    assert_eq!(command.ignored.len(), 2, "{:?}", command.ignored);
}

#[test]
fn what_cannot_be_done_is_refused_by_name() {
    for (line, parts) in [
        ("-debug", &["-debug", "-log file=F engine=true"][..]),
        ("-tb /syzygy", &["-tb /syzygy", "cmd=PROGRAM"]),
        ("-tbpieces 5", &["-tbpieces"]),
        (
            "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 model=bayesian",
            &["model=bayesian", "logistic"],
        ),
        ("-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 -noswap", &["-noswap", "-sprt"]),
        ("-tournament knockout", &["-tournament knockout", "referee tournament"]),
        ("-use-affinity 0-3", &["-use-affinity 0-3"]),
        ("-pgnout file=x notation=lan", &["notation=lan"]),
        ("-pgnout nodes=true", &["-pgnout", "file=FILE"]),
        ("-openings order=random start=0", &["start=0", "whole number"]),
        ("-openings file=x policy=encounter", &["policy=encounter"]),
        ("-rounds 0", &["-rounds 0", "from 1"]),
        ("-rounds x", &["-rounds x", "from 1"]),
        ("-games 3 -rounds 5", &["-games"]),
        ("-draw score=-5", &["-draw score=-5"]),
        ("-resign twosided=maybe", &["twosided=maybe", "true or false"]),
        ("-engine tc=1", &["no program"]),
        ("-engine cmd=c", &["engine c", "no time control"]),
        ("-engine cmd=c tc=1 st=1", &["engine c", "tc= and st="]),
        ("-engine cmd=c tc=1 restart=on", &["restart=on", "refused"]),
        ("-engine cmd=c tc=1 proto=xboard", &["proto=xboard", "ugi"]),
        ("-epdout file=x", &["-epdout", "referee export"]),
        ("-config file=x discard=true", &["discard="]),
        ("-quick cmd=a book=x.epd", &["-quick", "twice"]),
    ] {
        let text = refusal(line);
        assert!(parts.iter().all(|part| text.contains(part)), "{line}: {text}");
    }
    let one = read("-engine cmd=a tc=1").map(|_| ()).unwrap_err().to_string();
    assert!(one.contains("needs two engines; 1 given"), "{one}");
    let s = read(&format!("{TWO} -concurrency 5")).unwrap().settings;
    assert!(s.concurrency(4).unwrap_err().to_string().contains("-force-concurrency"));
    assert_eq!(
        read(&format!("{TWO} -concurrency -1")).unwrap().settings.concurrency(4).unwrap(),
        3
    );
}

#[test]
fn rounds_and_games_make_the_schedule() {
    let schedule = |line: &str| {
        let command = read(&format!("{TWO} {line}")).unwrap();
        command.settings.schedule(2).unwrap().pairings.remove(0)
    };
    let p = schedule("-rounds 50 -games 2 -repeat");
    assert_eq!((p.games, p.unpaired), ([50, 50], false));
    let p = schedule("-rounds 7 -games 1");
    assert_eq!((p.games, p.unpaired), ([4, 3], true));
    let p = schedule("-rounds 5 -noswap");
    assert_eq!((p.games, p.unpaired), ([10, 0], false));
    assert_eq!(schedule("-reverse").engines, [1, 0]);
    // As fastchess, which takes 100 games of 2 rounds for 100 rounds of 2 games.
    assert_eq!(schedule("-games 100 -rounds 2").games, [100, 100]);
    let test = read(&format!("{TWO} -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05")).unwrap().settings;
    assert_eq!(test.schedule(2).unwrap().games(), 1_000_000);
    assert_eq!(test.sprt.unwrap().model, EloScale::Normalised);
}
