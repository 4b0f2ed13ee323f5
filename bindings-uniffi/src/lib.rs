//! The library behind ackguard for Kotlin and Swift.
//!
//! Nothing here decides anything: texts and bytes come in, the core judges, and what it answers leaves as records,
//! enums and JSON text. What each language adds for comfort stands in `kotlin` and `swift`; the sources between
//! are generated from this library and not checked in.
//!
//! Every function that does more than hand over a constant can throw [`AckguardError`], also where nothing about
//! its input can be wrong: a panic becomes `Internal` that way, and Swift never has to trap.
#![allow(clippy::large_enum_variant, clippy::result_large_err)] // UniFFI copies every field over the border anyway
#![allow(unsafe_code)] // UniFFI's own expansion
#![allow(clippy::needless_pass_by_value)] // values that come over the border are owned

mod acp;
mod code;
mod error;
mod handshake;
mod mirror;
mod names;
mod payload;
mod sandbox;
mod scrub;
mod tally;
mod text;

pub use acp::*;
pub use code::*;
pub use error::*;
pub use handshake::*;
pub use names::*;
pub use payload::*;
pub use sandbox::*;
pub use scrub::*;
pub use tally::*;

uniffi::setup_scaffolding!();

/// Which dialect of the protocol to write, and which rules to apply to a SKILL name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, uniffi::Enum)]
pub enum Dialect {
    /// Protocol 0.2.
    #[default]
    V02,
    /// Protocol 0.3 and later.
    V03,
}

impl Dialect {
    fn core(self) -> ackguard::Dialect {
        match self {
            Self::V02 => ackguard::Dialect::V0_2,
            Self::V03 => ackguard::Dialect::V0_3,
        }
    }

    fn core_of(dialect: Option<Self>) -> ackguard::Dialect {
        dialect.unwrap_or_default().core()
    }

    fn of(v03: bool) -> Self {
        if v03 { Self::V03 } else { Self::V02 }
    }
}

impl From<ackguard::Dialect> for Dialect {
    fn from(dialect: ackguard::Dialect) -> Self {
        Self::of(dialect == ackguard::Dialect::V0_3)
    }
}

/// The language of a sentence for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, uniffi::Enum)]
pub enum MessageLocale {
    /// English.
    #[default]
    En,
    /// Chinese.
    Zh,
}

impl MessageLocale {
    fn core_of(locale: Option<Self>) -> ackguard::Locale {
        match locale.unwrap_or_default() {
            Self::En => ackguard::Locale::En,
            Self::Zh => ackguard::Locale::Zh,
        }
    }
}

/// The dialect of this name, `0.2` or `0.3`; absent for any other text.
#[uniffi::export]
pub fn dialect_named(name: String) -> Option<Dialect> {
    name.parse::<ackguard::Dialect>().ok().map(Into::into)
}

/// The language of a tag such as `zh-Hans`; English for every tag that is not Chinese.
#[uniffi::export]
pub fn message_locale_of(tag: String) -> MessageLocale {
    match ackguard::Locale::from_tag(&tag) {
        ackguard::Locale::Zh => MessageLocale::Zh,
        ackguard::Locale::En => MessageLocale::En,
    }
}

/// The version of ackguard.
#[uniffi::export]
pub fn ackguard_version() -> String {
    ackguard::VERSION.to_owned()
}

/// The A2C-SMCP protocol version that the default dialect speaks.
#[uniffi::export]
pub fn protocol_version() -> String {
    ackguard::PROTOCOL_VERSION.to_owned()
}

#[cfg(test)]
mod tests {
    use super::{PayloadKind, SkillNameReason, ToolOutcome};

    /// A variant that the core has and a mirror does not list would come out under another's name.
    #[test]
    fn mirrors_list_every_variant() {
        for core in ackguard::payload::Kind::ALL {
            assert_eq!(PayloadKind::from(*core).wire_name(), core.as_str());
        }
        for core in ackguard::payload::Outcome::ALL {
            assert_eq!(ToolOutcome::from(*core).wire_name(), core.as_str());
        }
        for core in ackguard::skill_name::SkillNameReason::ALL {
            assert_eq!(SkillNameReason::from(*core).wire_name(), core.as_str());
        }
    }
}
