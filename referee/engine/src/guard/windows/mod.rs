//! A job object per engine: it holds all processes of the engine, and Windows kills them when the
//! referee ends in any way.

mod guard;
mod job;

pub use guard::{Guard, check_memory_limit, end_all, ended_processor_time, in_library, run_guard};
