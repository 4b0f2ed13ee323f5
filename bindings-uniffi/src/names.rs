//! SKILL names, `rel_path`, blob ranges.

use ackguard::blob;
use ackguard::rel_path::{self, Forbidden};
use ackguard::skill_name;

use crate::Dialect;
use crate::error::{AckguardError, Answer, guarded};
use crate::mirror::mirror;

mirror! {
    /// What a SKILL name says about where the SKILL comes from.
    SkillSource = ackguard::skill_name::SkillSource {
        /// `skill`: the user's own.
        User,
        /// `plugin:skill`.
        Marketplace,
        /// `mcp:server:skill`.
        Mcp,
    }
}

mirror! {
    /// Why a text is no SKILL name.
    SkillNameReason = ackguard::skill_name::SkillNameReason, else BadChar {
        /// It is empty.
        Empty,
        /// It has more than three segments.
        SegmentCount,
        /// Three segments that do not begin with `mcp`.
        ReservedPrefix,
        /// A segment is empty.
        EmptySegment,
        /// A segment is too long.
        TooLong,
        /// A character that does not belong.
        BadChar,
        /// A segment begins with a hyphen.
        LeadingHyphen,
        /// A segment ends with a hyphen.
        TrailingHyphen,
        /// Two hyphens in a row.
        DoubleHyphen,
        /// Two underscores in a row.
        DoubleUnderscore,
    }
}

mirror! {
    /// Why a file of a SKILL package is not served.
    SkillResourceReason = ackguard::rel_path::SkillResourceReason, else NotFound {
        /// The path, or a link on the way, leads out of the package.
        Traversal,
        /// A file that is never served, there or not.
        Forbidden,
        /// There is no such regular file that can be read.
        NotFound,
        /// The file is larger than the host allows.
        TooLarge,
    }
}

/// A SKILL name and its parts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Record)]
#[uniffi::export(Display)]
pub struct SkillName {
    /// The name itself.
    pub raw: String,
    /// Where the SKILL comes from.
    pub source: SkillSource,
    /// The last segment.
    pub skill: String,
    /// The plugin of a marketplace name.
    pub plugin: Option<String>,
    /// The server of an MCP name.
    pub server: Option<String>,
    /// What is odd about a name that is legal, such as `mcp_plugin`.
    pub hint: Option<String>,
}

impl std::fmt::Display for SkillName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.raw)
    }
}

/// Reads a SKILL name.
///
/// Throws `SkillNameRefused` with the reason and the place where the text stops being one.
#[uniffi::export(default(dialect = None))]
pub fn parse_skill_name(name: String, dialect: Option<Dialect>) -> Result<SkillName, AckguardError> {
    guarded(|| match skill_name::SkillName::parse(&name, Dialect::core_of(dialect)) {
        Ok(parsed) => Ok(SkillName {
            raw: parsed.raw().to_owned(),
            source: parsed.source().into(),
            skill: parsed.skill().to_owned(),
            plugin: parsed.plugin().map(str::to_owned),
            server: parsed.server().map(str::to_owned),
            hint: parsed.hint().map(|hint| hint.as_str().to_owned()),
        }),
        Err(error) => Err(AckguardError::skill_name(&error, &name)),
    })
}

/// Whether a text is a SKILL name.
#[uniffi::export(default(dialect = None))]
pub fn is_valid_skill_name(name: String, dialect: Option<Dialect>) -> Result<bool, AckguardError> {
    guarded(|| Ok(skill_name::SkillName::parse(&name, Dialect::core_of(dialect)).is_ok()))
}

fn built(parts: &str, built: Result<String, skill_name::SkillNameError>) -> Answer<String> {
    built.map_err(|error| AckguardError::skill_name(&error, parts))
}

/// The name of a SKILL of the user's own.
#[uniffi::export]
pub fn user_skill_name(skill: String) -> Result<String, AckguardError> {
    guarded(|| built(&skill, skill_name::user(&skill)))
}

/// The name of a plugin's SKILL.
#[uniffi::export]
pub fn marketplace_skill_name(plugin: String, skill: String) -> Result<String, AckguardError> {
    guarded(|| built(&format!("{plugin}:{skill}"), skill_name::marketplace(&plugin, &skill)))
}

/// The name of an MCP server's SKILL.
#[uniffi::export(default(dialect = None))]
pub fn mcp_skill_name(
    server: String,
    skill: String,
    dialect: Option<Dialect>,
) -> Result<String, AckguardError> {
    guarded(|| {
        let name = skill_name::mcp(&server, &skill, Dialect::core_of(dialect));
        built(&format!("mcp:{server}:{skill}"), name)
    })
}

/// The legal name that a text comes closest to, if there is one.
#[uniffi::export(default(dialect = None))]
pub fn suggest_skill_name(text: String, dialect: Option<Dialect>) -> Result<Option<String>, AckguardError> {
    guarded(|| Ok(skill_name::suggest_for(&text, Dialect::core_of(dialect))))
}

pub(crate) fn forbidden(names: Vec<String>, credentials: bool) -> Forbidden {
    let forbidden = Forbidden::new().with_names(names);
    if credentials { forbidden.with_credentials() } else { forbidden }
}

/// Checks the text of a `rel_path` and gives it normalized. An absent or empty one stands for `SKILL.md`.
///
/// `forbid` are further file names that are never served; `credentials` adds the usual files that hold
/// credentials. Throws `SkillResourceRefused`.
#[uniffi::export(default(rel_path = None, forbid = [], credentials = false))]
pub fn check_rel_path(
    rel_path: Option<String>,
    forbid: Vec<String>,
    credentials: bool,
) -> Result<String, AckguardError> {
    guarded(|| Ok(rel_path::check(rel_path.as_deref(), &forbidden(forbid, credentials))?.into_owned()))
}

/// A range that lies within a blob.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, uniffi::Record)]
pub struct BlobRange {
    /// It begins where the blob ends: the empty last chunk.
    pub eof: bool,
}

/// A chunk that may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, uniffi::Record)]
pub struct BlobChunk {
    /// How many bytes.
    pub len: u64,
    /// Nothing comes after them.
    pub eof: bool,
}

/// Checks the offset of a chunk against the blob's size, both in bytes. Throws `BlobRefused`.
#[uniffi::export]
pub fn check_blob_range(chunk_offset: i64, total_size: u64) -> Result<BlobRange, AckguardError> {
    guarded(|| Ok(BlobRange { eof: blob::check_range(chunk_offset, total_size)?.eof }))
}

/// How many bytes to send from an offset: what is wanted, at most `cap`, and no more than there are.
#[uniffi::export]
pub fn clamp_chunk(
    chunk_offset: i64,
    total_size: u64,
    wanted: u64,
    cap: u64,
) -> Result<BlobChunk, AckguardError> {
    guarded(|| {
        let chunk = blob::clamp_chunk(chunk_offset, total_size, wanted, cap)?;
        Ok(BlobChunk { len: chunk.len, eof: chunk.eof })
    })
}
