//! The Amazons engine.
