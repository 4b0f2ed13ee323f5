//! One core that tells agent software what a payload is, whether an input is safe, and what went wrong
//! with an agent process.
#![forbid(unsafe_code)]

pub mod acp;
pub mod authorization;
pub mod blob;
pub mod code;
pub mod dialect;
pub mod handshake;
pub mod host;
pub mod json;
pub mod locale;
pub mod payload;
pub mod rel_path;
pub mod retry;
#[cfg(all(feature = "fs", not(target_family = "wasm")))]
pub mod sandbox;
pub mod scrub;
mod shown;
pub mod skill_name;
pub mod tally;

pub use code::ErrorCode;
pub use dialect::Dialect;
pub use locale::Locale;

/// The version of this crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The A2C-SMCP protocol version that the default dialect speaks.
pub const PROTOCOL_VERSION: &str = "0.2.0";
