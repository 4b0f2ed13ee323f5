//! Shared helpers of the Rust test runner: the vector files, and the census of what was run.
//!
//! `tests/vectors/README.md` says what the files hold and what each operation means.

pub mod bench;
pub mod census;
pub mod vectors;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
