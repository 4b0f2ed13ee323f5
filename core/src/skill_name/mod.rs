//! SKILL names: a lexer that allocates nothing, its errors, the builders and a spelling helper.
//!
//! A name has one, two or three segments joined by `:`, and their number decides where the SKILL comes from:
//! `skill` is the user's own, `plugin:skill` comes from a marketplace, `mcp:server:skill` from an MCP server.
//! A name that the lexer refuses is code 4016 and must never reach a registry or the file system; a name that
//! it accepts and that is not installed is code 4014, which is not this module's to say.
//!
//! ```
//! use ackguard::skill_name::{SkillName, SkillNameReason, SkillSource};
//! use ackguard::Dialect;
//!
//! let name = SkillName::parse("mcp:tfrobot-tools:code-review", Dialect::V0_2)?;
//! assert_eq!(name.source(), SkillSource::Mcp);
//! assert_eq!((name.server(), name.skill()), (Some("tfrobot-tools"), "code-review"));
//!
//! let refused = SkillName::parse("acme:Code Review", Dialect::V0_2).unwrap_err();
//! assert_eq!(refused.reason(), SkillNameReason::BadChar);
//! assert_eq!((refused.segment(), refused.span()), (Some(1), 5..6));
//! # Ok::<(), ackguard::skill_name::SkillNameError>(())
//! ```

mod build;
mod error;
mod fault;
mod suggest;

use core::fmt;
use core::hash::{Hash, Hasher};

use crate::Dialect;

pub use build::{marketplace, mcp, user};
pub use error::{SkillNameError, SkillNameReason};
pub use suggest::{suggest, suggest_for};

/// The longest a segment may be, in bytes. Only the `<server>` of [`Dialect::V0_3`] has no bound.
pub const MAX_SEGMENT_LEN: usize = 64;

/// The first segment of every name that comes from an MCP server.
const MCP: &str = "mcp";

/// Where a SKILL comes from, decided by the number of segments in its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SkillSource {
    /// One segment: the user's own SKILL.
    User,
    /// Two segments: a plugin of a marketplace.
    Marketplace,
    /// Three segments: an MCP server.
    Mcp,
}

impl SkillSource {
    /// The name of the source in every language: `user`, `marketplace` or `mcp`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Marketplace => "marketplace",
            Self::Mcp => "mcp",
        }
    }
}

impl fmt::Display for SkillSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Something about a legal name that its author may not have meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SkillNameHint {
    /// `mcp:x`: a marketplace name whose plugin is called `mcp`, and not a SKILL of an MCP server, which
    /// would have three segments.
    McpPlugin,
}

impl SkillNameHint {
    /// The stable name of the hint: `mcp_plugin`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::McpPlugin => "mcp_plugin",
        }
    }
}

impl fmt::Display for SkillNameHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::McpPlugin => {
                "two segments make this a marketplace name whose plugin is called \"mcp\"; \
                 a SKILL of an MCP server is written mcp:<server>:<skill>"
            }
        })
    }
}

/// A legal SKILL name, borrowed from the text it was read from.
///
/// Equality, order and hash are those of the text as it stands: nothing is trimmed, folded or normalized, so
/// two names are equal exactly when a registry would find the same SKILL under them.
#[derive(Clone, Copy)]
pub struct SkillName<'a> {
    raw: &'a str,
    skill: &'a str,
    owner: Option<&'a str>,
    source: SkillSource,
}

impl<'a> SkillName<'a> {
    /// Reads a SKILL name and refuses whatever is not one, without allocating on success (spec: SKILL names).
    ///
    /// A segment is 1 to 64 bytes of `a-z`, `0-9` and `-`, with no `-` first, last or doubled; the `<server>`
    /// of a three-segment name is `[A-Za-z0-9_-]` under the rules of `dialect`. No more than the bound of a
    /// segment is read of one that is too long, so that a megabyte is refused as quickly as a word.
    ///
    /// # Errors
    ///
    /// [`SkillNameError`], code 4016. If more than one thing is wrong, the first of these is reported, and
    /// then the leftmost segment: `empty`, `segment_count`, `reserved_prefix`, and for each segment
    /// `empty_segment`, `too_long`, `bad_char`, `leading_hyphen`, `trailing_hyphen`, `double_hyphen`,
    /// `double_underscore`. A segment over its bound ends the reading: colons after it are not counted.
    #[inline]
    pub fn parse(text: &'a str, dialect: Dialect) -> Result<Self, SkillNameError> {
        match lex(text.as_bytes(), dialect).and_then(|parts| Self::from_parts(text, parts)) {
            Some(name) => Ok(name),
            None => Err(SkillNameError::diagnose(text, dialect)),
        }
    }

    /// [`SkillName::parse`] for bytes that may not be UTF-8, such as a string with a lone surrogate from a
    /// language that has them: those are refused like any other character that does not belong.
    ///
    /// # Errors
    ///
    /// As [`SkillName::parse`]; a sequence that is not UTF-8 is `bad_char`.
    pub fn parse_bytes(bytes: &'a [u8], dialect: Dialect) -> Result<Self, SkillNameError> {
        // Only ASCII passes the lexer, so the conversion cannot fail after it, and costs nothing before it.
        let lexed =
            lex(bytes, dialect).and_then(|parts| Self::from_parts(core::str::from_utf8(bytes).ok()?, parts));
        lexed.ok_or_else(|| SkillNameError::diagnose_bytes(bytes, dialect))
    }

    #[inline]
    fn from_parts(raw: &'a str, parts: Parts) -> Option<Self> {
        Some(match parts {
            Parts::User => Self { raw, skill: raw, owner: None, source: SkillSource::User },
            Parts::Marketplace { colon } => Self {
                raw,
                skill: raw.get(colon + 1..)?,
                owner: Some(raw.get(..colon)?),
                source: SkillSource::Marketplace,
            },
            Parts::Mcp { colon } => Self {
                raw,
                skill: raw.get(colon + 1..)?,
                owner: Some(raw.get(MCP.len() + 1..colon)?),
                source: SkillSource::Mcp,
            },
        })
    }

    /// Where the SKILL comes from.
    #[must_use]
    pub const fn source(&self) -> SkillSource {
        self.source
    }

    /// The last segment: the SKILL itself.
    #[must_use]
    pub const fn skill(&self) -> &'a str {
        self.skill
    }

    /// The plugin of a marketplace name.
    #[must_use]
    pub fn plugin(&self) -> Option<&'a str> {
        self.owner.filter(|_| self.source == SkillSource::Marketplace)
    }

    /// The MCP server of a three-segment name, in its own case: servers are compared as they are written.
    #[must_use]
    pub fn server(&self) -> Option<&'a str> {
        self.owner.filter(|_| self.source == SkillSource::Mcp)
    }

    /// The whole name as it was written.
    #[must_use]
    pub const fn raw(&self) -> &'a str {
        self.raw
    }

    /// What the author of this legal name may not have meant, if anything.
    #[must_use]
    pub fn hint(&self) -> Option<SkillNameHint> {
        (self.plugin() == Some(MCP)).then_some(SkillNameHint::McpPlugin)
    }
}

impl fmt::Display for SkillName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.raw)
    }
}

impl fmt::Debug for SkillName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SkillName").field(&self.raw).finish()
    }
}

impl AsRef<str> for SkillName<'_> {
    fn as_ref(&self) -> &str {
        self.raw
    }
}

impl PartialEq for SkillName<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl Eq for SkillName<'_> {}

impl PartialOrd for SkillName<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for SkillName<'_> {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.raw.cmp(other.raw)
    }
}

impl Hash for SkillName<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}

impl serde::Serialize for SkillName<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.raw)
    }
}

/// The shape of a legal name; `colon` is the place of its last colon.
enum Parts {
    User,
    Marketplace { colon: usize },
    Mcp { colon: usize },
}

/// Decides whether `bytes` is a legal name, and nothing else: why it is not is worked out in `fault`, off
/// the path that has to be fast.
#[inline]
fn lex(bytes: &[u8], dialect: Dialect) -> Option<Parts> {
    if let Some(rest) = bytes.strip_prefix(b"mcp:") {
        let len = server_prefix(rest, dialect)?;
        match rest.get(len) {
            Some(b':') if len > 0 => {
                let colon = MCP.len() + 1 + len;
                return is_kebab(bytes.get(colon + 1..)?).then_some(Parts::Mcp { colon });
            }
            Some(_) => return None,
            None => return is_kebab(rest).then_some(Parts::Marketplace { colon: MCP.len() }),
        }
    }
    // The first byte that is not kebab has to be the one colon.
    let window = bytes.get(..=MAX_SEGMENT_LEN).unwrap_or(bytes);
    match window.iter().position(|&b| !is_kebab_byte(b)) {
        None => is_kebab(bytes).then_some(Parts::User),
        Some(colon) => (window.get(colon) == Some(&b':')
            && is_kebab(bytes.get(..colon)?)
            && is_kebab(bytes.get(colon + 1..)?))
        .then_some(Parts::Marketplace { colon }),
    }
}

/// How many bytes at the start of `bytes` make a legal server, or `None` if what starts here cannot become one
/// and is too long or too odd for a kebab segment as well.
#[inline]
fn server_prefix(bytes: &[u8], dialect: Dialect) -> Option<usize> {
    match dialect {
        Dialect::V0_2 => {
            let window = bytes.get(..=MAX_SEGMENT_LEN).unwrap_or(bytes);
            let len = window.iter().position(|&b| !is_server_byte(b)).unwrap_or(window.len());
            (len <= MAX_SEGMENT_LEN).then_some(len)
        }
        Dialect::V0_3 => {
            let mut before = 0;
            for (at, &b) in bytes.iter().enumerate() {
                let class = class_of(b);
                if class == 0 {
                    return Some(at);
                }
                if class & before & UNDERSCORE != 0 {
                    return None;
                }
                before = class;
            }
            Some(bytes.len())
        }
    }
}

/// What a byte may be part of: a table, because the lexer asks for every byte.
const KEBAB: u8 = 1;
const HYPHEN: u8 = 2;
const SERVER: u8 = 4;
const UNDERSCORE: u8 = 8;

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut rest: &mut [u8] = &mut classes;
    let mut byte = 0_u8;
    while let Some((class, after)) = rest.split_first_mut() {
        *class = match byte {
            b'a'..=b'z' | b'0'..=b'9' => KEBAB | SERVER,
            b'-' => KEBAB | SERVER | HYPHEN,
            b'A'..=b'Z' => SERVER,
            b'_' => SERVER | UNDERSCORE,
            _ => 0,
        };
        byte = byte.wrapping_add(1);
        rest = after;
    }
    classes
};

#[inline]
fn class_of(b: u8) -> u8 {
    CLASSES.get(usize::from(b)).copied().unwrap_or(0)
}

#[inline]
fn is_server_byte(b: u8) -> bool {
    class_of(b) & SERVER != 0
}

#[inline]
fn is_kebab_byte(b: u8) -> bool {
    class_of(b) & KEBAB != 0
}

#[inline]
fn is_kebab(segment: &[u8]) -> bool {
    if segment.len() > MAX_SEGMENT_LEN {
        return false;
    }
    // Starting as if after a hyphen makes a leading one a doubled one, and an empty segment a trailing one.
    // No early way out: with at most 64 bytes, one test at the end is cheaper than one for each byte.
    let (mut before, mut all, mut doubled) = (HYPHEN, KEBAB, 0);
    for &b in segment {
        let class = class_of(b);
        all &= class;
        doubled |= class & before;
        before = class;
    }
    all & KEBAB != 0 && (doubled | before) & HYPHEN == 0
}
