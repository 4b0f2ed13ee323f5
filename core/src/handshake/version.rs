//! The protocol version and its one compatibility rule.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A protocol version, `MAJOR.MINOR.PATCH`; ordered number by number.
///
/// Exactly three runs of ASCII digits joined by `.`: a sign, white space, a leading zero, a prefix, a suffix or
/// digits of another script are refused (spec: versions), since two peers that read a version differently would
/// also judge compatibility differently.
///
/// ```
/// use ackguard::handshake::ProtocolVersion;
/// let client: ProtocolVersion = "0.2.1".parse()?;
/// assert!(client.is_compatible_with(ProtocolVersion::new(0, 2, 0)));
/// assert!("v0.2.1".parse::<ProtocolVersion>().is_err());
/// # Ok::<(), ackguard::handshake::VersionError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProtocolVersion {
    /// Incompatible changes.
    pub major: u32,
    /// Additions; while `major` is 0, also incompatible changes.
    pub minor: u32,
    /// Corrections, of no weight for compatibility.
    pub patch: u32,
}

impl ProtocolVersion {
    /// The version with these three numbers.
    #[must_use]
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self { major, minor, patch }
    }

    /// Reads a version.
    ///
    /// # Errors
    ///
    /// [`VersionError`] with the reason and the place of the first character that cannot be part of a version.
    pub fn parse(text: &str) -> Result<Self, VersionError> {
        let mut reader = Reader { bytes: text.as_bytes(), at: 0 };
        let major = reader.number()?;
        reader.dot()?;
        let minor = reader.number()?;
        reader.dot()?;
        let patch = reader.number()?;
        match reader.peek() {
            None => Ok(Self { major, minor, patch }),
            Some(_) => Err(reader.error(VersionErrorReason::TrailingText)),
        }
    }

    /// Whether a client of this version may talk to a server of that one: the same major; while that is 0 the
    /// same minor; from 1 on a minor at most the server's. The patch never matters.
    #[must_use]
    pub const fn is_compatible_with(self, server: Self) -> bool {
        self.major == server.major
            && (if self.major == 0 { self.minor == server.minor } else { self.minor <= server.minor })
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn error(&self, reason: VersionErrorReason) -> VersionError {
        VersionError { reason, position: self.at }
    }

    fn number(&mut self) -> Result<u32, VersionError> {
        let start = self.at;
        let mut value: u32 = 0;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            if self.at == start + 1 && value == 0 {
                return Err(VersionError { reason: VersionErrorReason::LeadingZero, position: start });
            }
            value = value
                .checked_mul(10)
                .and_then(|tens| tens.checked_add(u32::from(digit - b'0')))
                .ok_or(VersionError { reason: VersionErrorReason::TooLarge, position: start })?;
            self.at += 1;
        }
        if self.at > start {
            return Ok(value);
        }
        Err(self.error(match self.peek() {
            None => VersionErrorReason::Incomplete,
            Some(_) => VersionErrorReason::ExpectedDigit,
        }))
    }

    fn dot(&mut self) -> Result<(), VersionError> {
        match self.peek() {
            Some(b'.') => {
                self.at += 1;
                Ok(())
            }
            None => Err(self.error(VersionErrorReason::Incomplete)),
            Some(_) => Err(self.error(VersionErrorReason::ExpectedDot)),
        }
    }
}

/// Why a text is no [`ProtocolVersion`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum VersionErrorReason {
    /// The text ends before the third number.
    Incomplete,
    /// A character that is no ASCII digit stands where a number begins.
    ExpectedDigit,
    /// A character that is no digit stands inside or after one of the first two numbers.
    ExpectedDot,
    /// A number of more than one digit begins with 0.
    LeadingZero,
    /// A number is greater than 2^32-1.
    TooLarge,
    /// Something follows the third number.
    TrailingText,
}

impl VersionErrorReason {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Incomplete => "incomplete",
            Self::ExpectedDigit => "expected_digit",
            Self::ExpectedDot => "expected_dot",
            Self::LeadingZero => "leading_zero",
            Self::TooLarge => "too_large",
            Self::TrailingText => "trailing_text",
        }
    }

    const fn sentence(self) -> &'static str {
        match self {
            Self::Incomplete => "three numbers joined by dots are needed",
            Self::ExpectedDigit => "a digit is expected",
            Self::ExpectedDot => "a dot is expected",
            Self::LeadingZero => "a number begins with 0",
            Self::TooLarge => "a number is greater than 4294967295",
            Self::TrailingText => "nothing may follow the third number",
        }
    }
}

/// A text is no [`ProtocolVersion`]. Says why and where, never what stood there: the text came from a peer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[error("not a protocol version: {} (at character {position})", reason.sentence())]
#[non_exhaustive]
pub struct VersionError {
    /// Why.
    pub reason: VersionErrorReason,
    /// Where, counted from 0. Only ASCII stands before it, so it is the same in bytes, characters and UTF-16
    /// units.
    pub position: usize,
}

impl fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl FromStr for ProtocolVersion {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        Self::parse(text)
    }
}

impl TryFrom<&str> for ProtocolVersion {
    type Error = VersionError;

    fn try_from(text: &str) -> Result<Self, VersionError> {
        Self::parse(text)
    }
}

impl Serialize for ProtocolVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ProtocolVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl serde::de::Visitor<'_> for Text {
            type Value = ProtocolVersion;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a protocol version such as \"0.2.0\"")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<ProtocolVersion, E> {
                ProtocolVersion::parse(text).map_err(E::custom)
            }
        }

        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> (VersionErrorReason, usize) {
        let error = ProtocolVersion::parse(text).unwrap_err();
        (error.reason, error.position)
    }

    #[test]
    fn says_why_and_where() {
        use VersionErrorReason::*;
        for (text, reason, position) in [
            ("", Incomplete, 0),
            ("0", Incomplete, 1),
            ("0.", Incomplete, 2),
            ("0.2", Incomplete, 3),
            ("0.2.", Incomplete, 4),
            ("v0.2.0", ExpectedDigit, 0),
            (" 0.2.0", ExpectedDigit, 0),
            ("+1.2.0", ExpectedDigit, 0),
            ("0..0", ExpectedDigit, 2),
            ("0.-1.0", ExpectedDigit, 2),
            ("\u{ff10}.2.0", ExpectedDigit, 0),
            ("1_0.0.0", ExpectedDot, 1),
            ("0,2,0", ExpectedDot, 1),
            ("0.02.0", LeadingZero, 2),
            ("0.2.00", LeadingZero, 4),
            ("4294967296.0.0", TooLarge, 0),
            ("0.0.99999999999999999999", TooLarge, 4),
            ("0.2.0-dev", TrailingText, 5),
            ("0.2.0\n", TrailingText, 5),
            ("0.2.0\0", TrailingText, 5),
            ("0.2.0.1", TrailingText, 5),
        ] {
            assert_eq!(refusal(text), (reason, position), "{text:?}");
        }
    }

    #[test]
    fn the_message_never_repeats_the_text() {
        let text = ProtocolVersion::parse("sk-secret").unwrap_err().to_string();
        assert_eq!(text, "not a protocol version: a digit is expected (at character 0)");
    }

    #[test]
    fn round_trips_and_orders_by_number() {
        for text in ["0.0.0", "0.2.999", "10.3.0", "4294967295.4294967295.4294967295"] {
            let version = ProtocolVersion::parse(text).unwrap();
            assert_eq!(version.to_string(), text);
            let json = serde_json::to_string(&version).unwrap();
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<ProtocolVersion>(&json).unwrap(), version);
        }
        assert!(ProtocolVersion::new(0, 10, 0) > ProtocolVersion::new(0, 9, 99));
        assert!(serde_json::from_str::<ProtocolVersion>("2").is_err());
    }

    #[test]
    fn compatibility_both_ways() {
        let yes = [("0.2.9", "0.2.0"), ("0.2.0", "0.2.9"), ("1.0.0", "1.4.0"), ("1.4.9", "1.4.0")];
        let no = [
            ("0.1.0", "0.2.0"),
            ("0.3.0", "0.2.0"),
            ("1.5.0", "1.4.0"),
            ("1.0.0", "2.0.0"),
            ("0.1.0", "1.1.0"),
        ];
        for (pairs, expected) in [(&yes[..], true), (&no[..], false)] {
            for (client, server) in pairs {
                let (client, server): (ProtocolVersion, ProtocolVersion) =
                    (client.parse().unwrap(), server.parse().unwrap());
                assert_eq!(client.is_compatible_with(server), expected, "{client} {server}");
            }
        }
    }
}
