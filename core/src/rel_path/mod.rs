//! `rel_path`, the path of one file inside a SKILL package: the check of its text, the same on every platform.
//!
//! The package root comes from the host's registry and from nowhere else, so no function here takes a SKILL
//! name. What passes [`check`] is safe to *name*; only [`crate::sandbox`] makes it safe to *open*, because a
//! link can lead anywhere whatever the text says.
//!
//! ```
//! use ackguard::rel_path::{check, Forbidden, SkillResourceReason};
//!
//! let forbidden = Forbidden::default().with_credentials();
//! assert_eq!(check(None, &forbidden)?, "SKILL.md");
//! assert_eq!(check(Some("./references//note.txt"), &forbidden)?, "references/note.txt");
//!
//! let refused = |rel| check(Some(rel), &forbidden).unwrap_err().reason();
//! assert_eq!(refused("references/../SKILL.md"), SkillResourceReason::Traversal);
//! assert_eq!(refused("nowhere/.SkillEnv. "), SkillResourceReason::Forbidden);
//! assert_eq!(refused("deploy/server.PEM"), SkillResourceReason::Forbidden);
//! # Ok::<(), ackguard::rel_path::SkillResourceError>(())
//! ```

mod error;
mod fold;
mod forbidden;
#[cfg(any(test, all(feature = "small", target_family = "wasm")))]
mod lower;
mod short_name;

use crate::lossy;
use alloc::borrow::Cow;
use alloc::vec::Vec;

pub use error::{SkillResourceError, SkillResourceReason};
pub(crate) use fold::is_ignored_anywhere;
pub use forbidden::Forbidden;
#[cfg(all(feature = "fs", not(target_family = "wasm")))]
pub(crate) use forbidden::Sight;
#[cfg(all(feature = "fs", any(windows, test), not(target_family = "wasm")))]
pub(crate) use short_name::ShortName;

/// What is read when no `rel_path` is given.
pub const DEFAULT_REL_PATH: &str = "SKILL.md";

/// Checks the text of a `rel_path` and gives it back without its `.` and empty components (spec: rel_path).
///
/// Missing or empty stands for `SKILL.md`. Nothing is decoded, trimmed or normalized first. The verdict is
/// the same on every platform and says nothing about whether the file is there. A path of `.` alone gives
/// the empty text: the package itself, a directory, which nothing can be read from.
///
/// # Errors
///
/// [`SkillResourceError`], code 4017, with the first of these that applies:
/// - `traversal`: a NUL, a backslash, a `:`, a leading `/`, or a component `..`, even one that would stay
///   inside, because what it means depends on what the components before it are linked to.
/// - `forbidden`: a component at any depth that a careless file system would take for a forbidden file.
pub fn check<'a>(
    rel_path: Option<&'a str>,
    forbidden: &Forbidden,
) -> Result<Cow<'a, str>, SkillResourceError> {
    let refuse = |reason| Err(SkillResourceError::new(reason, rel_path));
    let rel = match rel_path {
        None | Some("") => DEFAULT_REL_PATH,
        Some(rel) => rel,
    };
    if is_traversal(rel.as_bytes()) {
        return refuse(SkillResourceReason::Traversal);
    }
    if forbidden.matches(rel) {
        return refuse(SkillResourceReason::Forbidden);
    }
    if rel.split('/').any(is_idle) {
        let kept: Vec<&str> = rel.split('/').filter(|component| !is_idle(component)).collect();
        return Ok(Cow::Owned(crate::value::join(kept.iter().copied(), "/")));
    }
    Ok(Cow::Borrowed(rel))
}

/// [`check`] for bytes that may not be UTF-8, such as a string with a lone surrogate from a language that has
/// them.
///
/// # Errors
///
/// As [`check`]; bytes that are neither `traversal` nor `forbidden` and yet no UTF-8 are `not_found`, because
/// no text on the wire can name such a file. What is not UTF-8 is left out before comparing with forbidden
/// names, for there are decoders that leave it out too.
pub fn check_bytes<'a>(
    rel_path: &'a [u8],
    forbidden: &Forbidden,
) -> Result<Cow<'a, str>, SkillResourceError> {
    if let Ok(text) = core::str::from_utf8(rel_path) {
        return check(Some(text), forbidden);
    }
    let reason = if is_traversal(rel_path) {
        SkillResourceReason::Traversal
    } else if forbidden.matches(&text_of(rel_path)) {
        SkillResourceReason::Forbidden
    } else {
        SkillResourceReason::NotFound
    };
    Err(SkillResourceError::new(reason, Some(&lossy::replaced(rel_path))))
}

/// The parts of `bytes` that are text, with what is not left out.
pub(crate) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    lossy::text(bytes, "")
}

fn is_traversal(rel: &[u8]) -> bool {
    rel.first() == Some(&b'/')
        || rel.iter().any(|b| matches!(b, 0 | b'\\' | b':'))
        || rel.split(|&b| b == b'/').any(|component| component == b"..")
}

/// Whether a component leads nowhere: an empty one or a `.`.
fn is_idle(component: &str) -> bool {
    matches!(component, "" | ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(rel: &str) -> Result<String, &'static str> {
        check(Some(rel), &Forbidden::default()).map(Cow::into_owned).map_err(|e| e.reason().as_str())
    }

    #[test]
    fn traversal_is_decided_before_forbidden() {
        for rel in [".skillenv/..", "../.skillenv", ".skillenv:x", "/.skillenv", ".skillenv\\", ".skillenv\0"]
        {
            assert_eq!(verdict(rel), Err("traversal"), "{rel:?}");
        }
    }

    #[test]
    fn the_default_file_is_checked_like_any_other() {
        let none_at_all = Forbidden::default().with_names(["*.md"]);
        assert_eq!(check(None, &none_at_all).unwrap_err().reason(), SkillResourceReason::Forbidden);
        assert_eq!(check(Some(""), &Forbidden::default()).unwrap(), DEFAULT_REL_PATH);
    }

    #[test]
    fn what_leads_nowhere_is_dropped() {
        assert_eq!(verdict("././a//b/."), Ok("a/b".into()));
        assert_eq!(verdict("."), Ok(String::new()));
        assert_eq!(verdict("a/.../b"), Ok("a/.../b".into()));
        assert!(matches!(check(Some("a/b"), &Forbidden::default()), Ok(Cow::Borrowed("a/b"))));
    }

    #[test]
    fn bytes_that_are_no_text_name_nothing() {
        let forbidden = Forbidden::default();
        let reason = |bytes: &[u8]| check_bytes(bytes, &forbidden).unwrap_err().reason().as_str();
        assert_eq!(reason(b"a/\xff"), "not_found");
        assert_eq!(reason(b"../\xff"), "traversal");
        assert_eq!(reason(b".skill\xffenv"), "forbidden");
        assert_eq!(reason(b".skill\xed\xa0\x80env"), "forbidden");
        assert_eq!(check_bytes(b"a/./b", &forbidden).unwrap(), "a/b");
    }
}
