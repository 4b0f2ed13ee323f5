//! Putting names together. Whatever is built here, the lexer reads back as the same parts.

use super::fault::{self, Rule};
use super::{MCP, SkillNameError, error};
use crate::Dialect;
use alloc::string::String;

/// The name of a user's own SKILL: `skill`.
///
/// # Errors
///
/// [`SkillNameError`] if `skill` is not a legal segment; a colon in it is `bad_char`, because the name would
/// mean something else than was asked for.
pub fn user(skill: &str) -> Result<String, SkillNameError> {
    join(&[(skill, Some(Rule::Kebab))])
}

/// The name of a marketplace SKILL: `plugin:skill`.
///
/// # Errors
///
/// [`SkillNameError`] if a part is not a legal segment; segment and range are those of the name that would
/// have been built.
pub fn marketplace(plugin: &str, skill: &str) -> Result<String, SkillNameError> {
    join(&[(plugin, Some(Rule::Kebab)), (skill, Some(Rule::Kebab))])
}

/// The name of an MCP server's SKILL: `mcp:server:skill`.
///
/// # Errors
///
/// [`SkillNameError`] if a part is not a legal segment in `dialect`; segment and range are those of the name
/// that would have been built.
pub fn mcp(server: &str, skill: &str, dialect: Dialect) -> Result<String, SkillNameError> {
    join(&[(MCP, None), (server, Some(Rule::Server(dialect))), (skill, Some(Rule::Kebab))])
}

fn join(parts: &[(&str, Option<Rule>)]) -> Result<String, SkillNameError> {
    let mut start = 0;
    for (index, (part, rule)) in parts.iter().enumerate() {
        if let Some(fault) = rule.and_then(|rule| fault::of_segment(part.as_bytes(), index, rule)) {
            let shown = text(parts.iter().map(|(part, _)| {
                // Only the head of a long part, enough for the error to see that it is long: a megabyte is not worth
                // copying.
                part.get(..crate::shown::floor_boundary(part, error::WHOLE + 4)).unwrap_or_default()
            }));
            return Err(SkillNameError::new(fault.shifted(start), &shown));
        }
        start += part.len() + 1;
    }
    Ok(text(parts.iter().map(|(part, _)| *part)))
}

fn text<'a>(parts: impl Iterator<Item = &'a str>) -> String {
    let mut name = String::new();
    for (index, part) in parts.enumerate() {
        if index > 0 {
            name.push(':');
        }
        name.push_str(part);
    }
    name
}
