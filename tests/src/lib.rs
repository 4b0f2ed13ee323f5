//! Shared helpers of the Rust test runner.
