//! The Rust of the guide in `core/docs` does what its pages say; the pages show what is there, in every language.

#[path = "../../core/docs/snippets/rust/computer.rs"]
mod computer;

#[path = "../../core/docs/snippets/rust/agent.rs"]
mod agent;

#[path = "../../core/docs/snippets/rust/stdio.rs"]
mod stdio;

#[path = "guide/pages.rs"]
mod pages;
