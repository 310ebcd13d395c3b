//! Search parameters: named search constants that a tuning build can set.
//!
//! [`search_params!`](crate::search_params) turns each constant into a function that returns it. In
//! an ordinary build the function is `const` and compiles to the number. With the cargo feature
//! `tune` it reads a relaxed atomic, which can be set by name through the list that the macro also
//! creates.
//!
//! The constants of the searches that all games share are below; those of an engine are in its own
//! `params.rs`.

#[cfg(feature = "tune")]
use std::sync::atomic::{AtomicI32, Ordering};

/// Whether this build can set parameters. Tables precomputed from parameters must be bypassed if
/// this is true.
pub const TUNING: bool = cfg!(feature = "tune");

/// One parameter of a tuning build.
#[derive(Debug)]
pub struct Param {
    /// The name of the function that returns it.
    pub name: &'static str,
    /// Its description.
    pub doc: &'static str,
    /// The value in an ordinary build.
    pub default: i32,
    /// The smallest value allowed.
    pub min: i32,
    /// The largest value allowed.
    pub max: i32,
    /// The current value.
    #[cfg(feature = "tune")]
    pub cell: &'static AtomicI32,
}

impl Param {
    /// The current value.
    pub fn get(&self) -> i32 {
        #[cfg(feature = "tune")]
        return self.cell.load(Ordering::Relaxed);
        #[cfg(not(feature = "tune"))]
        self.default
    }

    /// Sets the value, clamped to the range. An ordinary build ignores it.
    pub fn set(&self, value: i32) {
        self.set_any(value.clamp(self.min, self.max));
    }

    /// Sets any value, for example one that switches a rule off. An ordinary build ignores it.
    pub fn set_any(&self, value: i32) {
        #[cfg(feature = "tune")]
        self.cell.store(value, Ordering::Relaxed);
        #[cfg(not(feature = "tune"))]
        let _ = value;
    }
}

/// Declares the parameters of a search: a function for each, and `params()`, which lists them in a
/// tuning build and is empty otherwise.
///
/// ```
/// agon_search::search_params! {
///     /// Reverse futility pruning up to this depth.
///     rfp_depth: i32 = 8, 1..=16;
///     /// Moves searched before late-move pruning begins.
///     lmp_base: usize = 4, 1..=20;
/// }
/// assert_eq!(rfp_depth() + lmp_base() as i32, 12);
/// assert_eq!(params().len(), if agon_search::params::TUNING { 2 } else { 0 });
/// ```
#[cfg(not(feature = "tune"))]
#[macro_export]
macro_rules! search_params {
    ($($(#[doc = $doc:literal])+ $name:ident: $ty:ty = $default:expr, $min:literal..=$max:literal;)+) => {
        $(
            $(#[doc = $doc])+
            #[inline(always)]
            pub const fn $name() -> $ty {
                $default
            }
        )+

        /// The parameters that can be set: none in this build.
        pub fn params() -> &'static [$crate::params::Param] {
            &[]
        }

        const _: () = {
            $(assert!($min <= ($default) as i32 && ($default) as i32 <= $max);)+
        };
    };
}

/// The same for a tuning build: each parameter is an atomic.
#[cfg(feature = "tune")]
#[macro_export]
macro_rules! search_params {
    ($($(#[doc = $doc:literal])+ $name:ident: $ty:ty = $default:expr, $min:literal..=$max:literal;)+) => {
        #[allow(non_upper_case_globals)]
        mod cells {
            $(
                pub static $name: std::sync::atomic::AtomicI32 =
                    std::sync::atomic::AtomicI32::new($default);
            )+
        }

        $(
            $(#[doc = $doc])+
            #[inline(always)]
            pub fn $name() -> $ty {
                cells::$name.load(std::sync::atomic::Ordering::Relaxed) as $ty
            }
        )+

        /// The parameters that can be set.
        pub fn params() -> &'static [$crate::params::Param] {
            static ALL: &[$crate::params::Param] = &[$(
                $crate::params::Param {
                    name: stringify!($name),
                    doc: concat!($($doc),+),
                    default: $default,
                    min: $min,
                    max: $max,
                    cell: &cells::$name,
                },
            )+];
            ALL
        }
    };
}

crate::search_params! {
    /// Time management: percentage of the increment that is planned with.
    increment_percent: u32 = 75, 0..=100;
    /// Time management: maximum percentage of the clock for one move, unless it is the last.
    clock_percent: u32 = 60, 5..=95;
    /// Time management: a search is aborted after this many times the planned time.
    hard_factor: u32 = 4, 1..=10;

    /// Transposition table: plies of depth that an entry loses in replacement priority for each
    /// search of age.
    tt_age_plies: i32 = 4, 0..=64;
    /// History without gravity: counters are halved when one exceeds this.
    history_max: i32 = 1 << 24, 1000..=1000000000;

    /// Expectimax: percentage of the planned time after which no iteration starts.
    expectimax_time_percent: u32 = 60, 10..=100;

    /// Tree search: maximum number of selections in a batch.
    batch_selections: u32 = 24, 1..=256;
    /// Tree search: number of playouts that a batch aims at for each move of a position.
    batch_playouts: u32 = 240, 1..=10000;
}

#[cfg(test)]
mod tests {
    crate::search_params! {
        /// A margin.
        margin: i32 = 75, -10..=200;
        /// A count.
        count: usize = 4, 1..=9;
    }

    #[test]
    fn a_parameter_is_its_default_until_a_tuning_build_sets_it() {
        assert_eq!((margin(), count()), (75, 4));
        for param in params() {
            assert_eq!(param.get(), param.default);
            param.set(1000);
            assert_eq!(param.get(), param.max);
        }
        assert_eq!(count(), if super::TUNING { 9 } else { 4 });
        assert_eq!(margin(), if super::TUNING { 200 } else { 75 });
    }
}
