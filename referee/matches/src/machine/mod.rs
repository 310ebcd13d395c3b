//! The machine that a match is played on, and what the referee uses of it.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

pub use system::{host_name, peak_kib, this_machine};

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::text::visible;

    #[test]
    fn this_machine_has_an_operating_system_and_processors() {
        let machine = this_machine();
        assert!(!host_name().is_empty() && host_name() == visible(&host_name()));
        assert!(!machine.os.is_empty() && machine.cores.is_some_and(|n| n > 0), "{machine:?}");
        if cfg!(any(target_os = "linux", windows)) {
            assert!(machine.memory_mib.is_some_and(|mib| mib > 16), "{machine:?}");
            assert!(peak_kib().is_some_and(|kib| kib > 100));
        }
    }
}
