//! Runs that count and time the classes of a range of sets, or of a shard of it, by chosen methods.

use crate::class_count::{ClassCounts, MAX_PIECES, count_classes};
use crate::classify::{Classifier, Method, shard_of};
use crate::report::{FORMAT, Header, Row, Run, Shard, Time, Timing};
use crate::sets::visit_sets;
use cpu_time::ThreadTime;
use std::time::{Duration, Instant};

/// The method of counting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CountMethod {
    /// From the structures, without enumerating sets.
    Exact,
    /// Set by set.
    Visit(Method),
}

/// The parameters of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The methods, in this order.
    pub methods: Vec<CountMethod>,
    /// The minimum number of pieces (at least 2) and the maximum (at most 32).
    pub pieces: [usize; 2],
    /// Whether to count sets without hidden pieces, and sets with them.
    pub hidden: Vec<bool>,
    /// The shard to count.
    pub shard: Option<Shard>,
    /// A method that has taken this long for one number of pieces skips the larger ones.
    pub limit: Option<Duration>,
}

impl CountMethod {
    /// All methods.
    pub fn all() -> impl Iterator<Item = CountMethod> {
        [CountMethod::Exact].into_iter().chain(Method::ALL.map(CountMethod::Visit))
    }

    /// The name in flags and rows.
    pub fn name(self) -> &'static str {
        match self {
            CountMethod::Exact => "exact",
            CountMethod::Visit(method) => method.name(),
        }
    }
}

impl Plan {
    /// Counts the classes, one method after the other.
    pub fn run(&self) -> Run {
        let (mut rows, mut times) = (Vec::new(), Vec::new());
        for &method in &self.methods {
            let (found, time) = match method {
                CountMethod::Exact => self.exact(),
                CountMethod::Visit(method) => self.visit(method),
            };
            rows.extend(found);
            times.push(Timing { method: method.name().into(), time });
        }
        let header = Header {
            darkchess_classes: FORMAT,
            methods: self.methods.iter().map(|w| w.name().into()).collect(),
            pieces: self.pieces,
            hidden: self.hidden.clone(),
            shard: self.shard,
            rows: rows.len() + times.len(),
        };
        Run { header, rows, times }
    }

    fn numbers(&self) -> std::ops::RangeInclusive<usize> {
        self.pieces[0]..=self.pieces[1].min(MAX_PIECES)
    }

    fn exact(&self) -> (Vec<Row>, Time) {
        let watch = Stopwatch::start();
        let ClassCounts { revealed, hidden } =
            count_classes(self.shard.map_or((1, 1), |s| (s.part, s.of)));
        let mut rows = Vec::new();
        for &with_hidden in &self.hidden {
            let counts = if with_hidden { &hidden } else { &revealed };
            rows.extend(self.numbers().map(|pieces| Row {
                method: CountMethod::Exact.name().into(),
                hidden: with_hidden,
                pieces,
                sets: counts.sets[pieces],
                classes: counts.classes[pieces],
                own: counts.colour_symmetric[pieces],
                time: None,
            }));
        }
        (rows, watch.read())
    }

    /// The rows, and the time to find the classes. It excludes the search for classes that are
    /// their own colour exchange, which the papers do not count.
    fn visit(&self, method: Method) -> (Vec<Row>, Time) {
        let watch = Stopwatch::start();
        let mut classifier = Classifier::new(method);
        let (mut rows, mut total) = (Vec::new(), watch.read());
        for &hidden in &self.hidden {
            for pieces in self.numbers() {
                let row = self.visit_sets(&mut classifier, method, (hidden, pieces));
                let taken = row.time.unwrap_or_default();
                total += taken;
                rows.push(row);
                let taken = Duration::from_micros(taken.cpu_microseconds);
                if self.limit.is_some_and(|limit| taken >= limit) {
                    break;
                }
            }
        }
        (rows, total)
    }

    fn visit_sets(
        &self,
        classifier: &mut Classifier,
        method: Method,
        (hidden, pieces): (bool, usize),
    ) -> Row {
        let watch = Stopwatch::start();
        let before = classifier.len();
        let (mut first, mut visited) = (Vec::new(), 0);
        visit_sets(pieces, hidden, |material| {
            if self.shard.is_none_or(|s| shard_of(material, s.of) == s.part) {
                visited += 1;
                if classifier.insert(material) as usize == before + first.len() {
                    first.push(*material);
                }
            }
        });
        let time = watch.read();
        let exchanged = (before..).zip(&first);
        let own = exchanged.filter(|(i, m)| classifier.insert(&m.exchanged()) as usize == *i);
        Row {
            method: method.name().into(),
            hidden,
            pieces,
            sets: visited,
            own: own.count() as u64,
            classes: first.len() as u64,
            time: Some(time),
        }
    }
}

/// Measures the time since its creation.
struct Stopwatch {
    begun: Instant,
    cpu: ThreadTime,
}

impl Stopwatch {
    fn start() -> Stopwatch {
        Stopwatch { begun: Instant::now(), cpu: ThreadTime::now() }
    }

    fn read(&self) -> Time {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        Time {
            microseconds: micros(self.begun.elapsed()),
            cpu_microseconds: micros(self.cpu.elapsed()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(shard: Option<Shard>) -> Plan {
        let methods = CountMethod::all().collect();
        Plan { methods, pieces: [2, 5], hidden: vec![false], shard, limit: None }
    }

    fn counts(run: &Run, method: CountMethod) -> Vec<(usize, u64, u64, u64)> {
        let rows = run.rows.iter().filter(|r| r.method == method.name());
        rows.map(|r| (r.pieces, r.sets, r.classes, r.own)).collect()
    }

    #[test]
    fn every_way_counts_the_same() {
        let run = plan(None).run();
        for method in CountMethod::all() {
            assert_eq!(counts(&run, method), counts(&run, CountMethod::Exact), "{method:?}");
        }
        assert_eq!(run.header.rows, run.rows.len() + run.times.len());
    }

    #[test]
    fn shards_merge_to_the_whole_whichever_way_counts() {
        let whole = plan(None).run();
        let shards = (1..=3).map(|part| plan(Some(Shard { part, of: 3 })).run()).collect();
        let merged = Run::merge(shards).unwrap();
        for method in CountMethod::all() {
            assert_eq!(counts(&merged, method), counts(&whole, method), "{method:?}");
        }
    }

    #[test]
    fn a_slow_method_leaves_out_the_larger_sets() {
        let mut plan = plan(None);
        plan.limit = Some(Duration::ZERO);
        let run = plan.run();
        assert_eq!(counts(&run, CountMethod::Visit(Method::Pattern)).len(), 1);
        assert_eq!(counts(&run, CountMethod::Exact).len(), 4);
    }
}
