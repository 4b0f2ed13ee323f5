//! Scrubbing: what must not leave, found and taken out. (The types; the engine follows.)

use std::borrow::Cow;

use serde::Serialize;

use crate::host::{self, Build, Node};

macro_rules! names {
    ($(#[$doc:meta])* $type:ident { $($(#[$vdoc:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        #[non_exhaustive]
        pub enum $type { $($(#[$vdoc])* #[serde(rename = $name)] $variant,)+ }

        impl $type {
            /// The stable name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }
    };
}

names! {
    /// What was found.
    Category {
        /// Tokens, tickets, cookies, API keys.
        AccessCredential = "access_credential",
        /// A parameter of an OAuth flow.
        OauthParameter = "oauth_parameter",
        /// A client's identity or secret.
        ClientCredential = "client_credential",
        /// A URL with such a parameter.
        AuthorizationUrl = "authorization_url",
        /// A password, a PIN, a one-time code.
        UserSecret = "user_secret",
        /// An internal address.
        InternalAddress = "internal_address",
        /// A connection string.
        ConnectionString = "connection_string",
        /// A stack trace.
        StackTrace = "stack_trace",
        /// A key that only the Computer may write.
        ReservedKey = "reserved_key",
        /// What lay beyond the bounds.
        OutOfBounds = "out_of_bounds",
    }
}

names! {
    /// What was done.
    Action {
        /// A key was removed.
        Removed = "removed",
        /// A span was redacted.
        Redacted = "redacted",
        /// A URL was cut.
        Truncated = "truncated",
    }
}

/// One finding. Never any part of the secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// Where, as a JSON Pointer.
    pub path: String,
    /// What.
    pub category: Category,
    /// What was done.
    pub action: Action,
}

impl Finding {
    pub(crate) fn new(path: String, category: Category, action: Action) -> Self {
        Self { path, category, action }
    }
}

/// A clean value and what was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Scrubbed<V> {
    /// The clean value.
    pub value: V,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// How much of a hint is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HintPolicy {
    /// Everything that is clean.
    #[default]
    Standard,
    /// Only the known keys.
    Strict,
}

/// Which rules a text is scrubbed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// Those of `auth_hint`.
    Hint,
    /// Those of `details`.
    Details,
}

/// Scrubs a hint.
///
/// # Errors
///
/// The host's own error.
pub fn auth_hint<N: Node, B: Build<N>>(
    node: &N,
    _: HintPolicy,
    build: &mut B,
) -> Result<Scrubbed<B::Value>, N::Error> {
    Ok(Scrubbed { value: host::copy(node, build, 64)?.0, findings: Vec::new() })
}

/// Scrubs `details`.
///
/// # Errors
///
/// The host's own error.
pub fn details<N: Node, B: Build<N>>(node: &N, build: &mut B) -> Result<Scrubbed<B::Value>, N::Error> {
    auth_hint(node, HintPolicy::Standard, build)
}

/// Lists what scrubbing `details` would find.
///
/// # Errors
///
/// The host's own error.
pub fn check_details<N: Node>(_: &N) -> Result<Vec<Finding>, N::Error> {
    Ok(Vec::new())
}

/// Scrubs a text.
#[must_use]
pub fn text(text: &str, _: Rules) -> (Cow<'_, str>, Vec<Finding>) {
    (Cow::Borrowed(text), Vec::new())
}

/// Whether there is a stack trace in a text.
#[must_use]
pub fn has_stack_trace(_: &str) -> bool {
    false
}
