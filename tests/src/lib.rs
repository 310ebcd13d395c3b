//! Helpers that whole-program tests share.
