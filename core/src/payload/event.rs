//! The answer of an event: a boolean and a text or null.

use alloc::string::String;
use serde::Serialize;

use crate::host::{Node, View};

/// What `server:join_office` and the like answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EventResult {
    /// Whether it succeeded.
    pub ok: bool,
    /// The reason, where it is a text.
    pub message: Option<String>,
    /// Exactly a boolean and a string or null.
    #[serde(skip)]
    pub(super) exact: bool,
}

/// Reads an array's first items, at least one more than a pair has if there are more.
pub(super) fn read<N: Node>(items: &[N]) -> Result<Option<EventResult>, N::Error> {
    let Some((first, rest)) = items.split_first() else { return Ok(None) };
    let View::Bool(ok) = first.view()? else { return Ok(None) };
    let (message, typed) = match rest.first() {
        None => (None, false),
        Some(second) => match second.view()? {
            View::String(text) => (Some(text.into_owned()), true),
            View::Null => (None, true),
            _ => (None, false),
        },
    };
    Ok(Some(EventResult { ok, message, exact: typed && rest.len() == 1 }))
}
