//! One core that tells agent software what a payload is, whether an input is safe, and what went wrong
//! with an agent process.
//!
//! It serves the A2C-SMCP protocol (agents, servers and computers over Socket.IO) and hosts of ACP agents
//! (processes driven over stdio). It opens no connection, never sleeps and logs nothing: values go in,
//! verdicts come out, the same ones in every language that binds it.
//!
//! | question | module |
//! | --- | --- |
//! | What is this payload, may it be retried, what may the user be told? | [`payload`], [`code`], [`retry`] |
//! | Do these two versions go together, why was the handshake refused? | [`handshake`] |
//! | Is this a matter of authorization, and which one? | [`authorization`] |
//! | May this hint, these details, this text leave? | [`scrub`] |
//! | Is this SKILL name legal, may this file be read, is this range right? | [`skill_name`], [`rel_path`], `sandbox`, [`blob`] |
//! | What went wrong with the agent process? | [`acp`] |
//! | How often does what happen? | [`tally`] |
//!
//! [`host`] has the one small trait through which all rules read a value, so that a binding hands over its
//! language's own objects; [`json`] implements it for JSON text.
//!
//! ```
//! use ackguard::payload::{Kind, classify_json};
//! use ackguard::{Dialect, Locale};
//!
//! let ack = br#"{"code": 4017, "message": "no", "details": {"reason": "not_found", "rel_path": "a.md"}}"#;
//! let payload = classify_json(ack, Dialect::default());
//! assert_eq!(payload.kind(), Kind::Error);
//! let error = payload.error().unwrap();
//! assert_eq!(error.reason(), Some("not_found"));
//! assert_eq!(error.advice().action.as_str(), "use_skill_body");
//! assert_eq!(error.public_message(Locale::En), "The SKILL package has no such file.");
//! ```
//!
//! # Features
//!
//! - `std` (default): the clock, random waits, locks between threads; without it the crate needs `alloc` alone;
//! - `small`: for a WebAssembly module that is loaded over a network, JSON values of the crate's own instead of `serde_json`'s;
//! - `fs` (default, native targets): the `sandbox` for files of a SKILL package;
//! - `cli`: the command `ackguard`.
#![forbid(unsafe_code)]
#![cfg_attr(not(any(feature = "std", test)), no_std)]

#[macro_use]
extern crate alloc;

pub mod acp;
mod answer;
pub mod authorization;
pub mod batch;
pub mod blob;
#[cfg(all(feature = "cli", not(target_family = "wasm")))]
pub mod cli;
pub mod code;
pub mod dialect;
pub mod handshake;
pub mod host;
pub mod json;
mod letters;
pub mod locale;
mod lossy;
mod order;
pub mod payload;
pub mod rel_path;
pub mod retry;
#[cfg(all(feature = "fs", not(target_family = "wasm")))]
pub mod sandbox;
pub mod scrub;
mod search;
mod shown;
pub mod skill_name;
mod table;
pub mod tally;
pub mod value;

pub use code::ErrorCode;
pub use dialect::Dialect;
pub use locale::Locale;

/// The version of this crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The A2C-SMCP protocol version that the default dialect speaks.
pub const PROTOCOL_VERSION: &str = "0.2.0";
