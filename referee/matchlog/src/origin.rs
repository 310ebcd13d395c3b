//! When and where a match was played. None of it affects the games.

use serde::{Deserialize, Serialize};

pub use jiff::Timestamp;

/// The current time in UTC, to the millisecond.
pub fn now() -> Timestamp {
    let now = Timestamp::now();
    now.round(jiff::Unit::Millisecond).unwrap_or(now)
}

/// The start of a match and the machines that play it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// When the first run began, in UTC (RFC 3339).
    pub started: Timestamp,
    /// The machine of the first run; in a merged log the machines of all parts, each once.
    pub machines: Vec<Machine>,
}

impl Origin {
    /// Adds the origin of another part of the same match.
    pub fn join(&mut self, other: Origin) {
        self.started = self.started.min(other.started);
        for machine in other.machines {
            if !self.machines.contains(&machine) {
                self.machines.push(machine);
            }
        }
    }
}

/// A computer; fields that the system does not tell are absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// Number of processors that the referee may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<usize>,
    /// Physical memory in MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
    /// The operating system with its release, and the architecture.
    pub os: String,
}

impl std::fmt::Display for Machine {
    /// Human-readable form: `AMD EPYC 7763, 8 cores, 31 GiB, Linux 6.8.0 x86_64`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(cpu) = &self.cpu {
            write!(f, "{cpu}, ")?;
        }
        if let Some(cores) = self.cores {
            write!(f, "{cores} core{}, ", if cores == 1 { "" } else { "s" })?;
        }
        if let Some(mib) = self.memory_mib {
            write!(f, "{:.0} GiB, ", mib as f64 / 1024.0)?;
        }
        f.write_str(&self.os)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_match_begin_with_the_earliest_and_list_each_machine_once() {
        let origin = |started: &str, cpu: &str| Origin {
            started: started.parse().unwrap(),
            machines: vec![Machine { cpu: Some(cpu.into()), ..Machine::default() }],
        };
        let mut all = origin("2026-02-02T10:00:00Z", "x");
        all.join(origin("2026-02-02T09:00:00Z", "y"));
        all.join(origin("2026-02-02T11:00:00Z", "x"));
        assert_eq!(all.started.to_string(), "2026-02-02T09:00:00Z");
        assert_eq!(all.machines.len(), 2);
    }
}
