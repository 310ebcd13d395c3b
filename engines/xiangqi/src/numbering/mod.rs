//! numbering
