//! Scrubbing: what an agent must never see is found and taken out, in whatever disguise it comes.
//!
//! One engine serves [`auth_hint`], the only authorization field that an agent ever sees, [`details`], which holds
//! diagnostics, and [`text`]. It reads any host's value through [`Node`] and makes a clean one with a [`Build`];
//! what it found is a list of [`Finding`]s that name the place and the kind and never any part of the secret.
//!
//! How it works: every text is freed of its disguises (`fold`), gone through once by a table of beginnings (`scan`), and
//! looked at closely only where something might be (`label` and `prose` with `judge` and `credentials`, `url`, `shapes`, `nested`, and for details `details`
//! and `trace`). Keys are judged by their words (`words`, `chinese`) and by their neighbours (`walk`). No step backtracks;
//! what lies beyond the [`Limits`] is replaced by [`TRUNCATED`] and never passed through.

use alloc::borrow::Cow;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;
use core::str::FromStr;

use serde::{Serialize, Serializer};

use crate::code::ErrorCode;
#[cfg(not(all(feature = "small", target_family = "wasm")))]
use crate::host::ToJson;
use crate::host::{Build, Node, Nothing, Sink, View, made};
#[cfg(not(all(feature = "small", target_family = "wasm")))]
use crate::value::Value;

mod chinese;
mod credentials;
mod details;
mod engine;
mod fold;
mod judge;
mod label;
mod lists;
mod nested;
mod prose;
mod scan;
mod shapes;
mod trace;
mod url;
mod v6;
mod values;
mod walk;
mod words;

use engine::Span;
use walk::Walker;

/// What stands where a secret was taken out.
pub const REDACTED: &str = "[redacted]";

/// What stands for a part that lay beyond the bounds.
pub const TRUNCATED: &str = crate::host::CUT;

macro_rules! names {
    ($(#[$doc:meta])* $type:ident { $($(#[$vdoc:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $type { $($(#[$vdoc])* $variant,)+ }

        impl $type {
            /// All of them, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The stable name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl FromStr for $type {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<Self, UnknownName> {
                Self::ALL.iter().copied().find(|known| known.as_str() == name).ok_or(UnknownName)
            }
        }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}

/// No category and no action has this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("unknown name")]
#[non_exhaustive]
pub struct UnknownName;

names! {
    /// What was found (spec: `auth_hint`, `details`).
    Category {
        /// Tokens of any kind, tickets, signatures, cookies, sessions, API keys.
        AccessCredential = "access_credential",
        /// A parameter of an OAuth flow: code, state, nonce, verifier, challenge, device and user code.
        OauthParameter = "oauth_parameter",
        /// What identifies a client or is its secret: client id and secret, assertion, private key.
        ClientCredential = "client_credential",
        /// What followed the landing page in a URL, or stood before its host.
        AuthorizationUrl = "authorization_url",
        /// A password, a PIN, a one-time code, an answer to a security question.
        UserSecret = "user_secret",
        /// An address or a name of the inside, in `details` only.
        InternalAddress = "internal_address",
        /// Where a database or a broker is and how to enter it, in `details` only.
        ConnectionString = "connection_string",
        /// A stack trace, in `details` only.
        StackTrace = "stack_trace",
        /// A key that only the Computer may write.
        ReservedKey = "reserved_key",
        /// What lay beyond the bounds, or could not be looked into.
        OutOfBounds = "out_of_bounds",
    }
}

names! {
    /// What was done with what was found.
    Action {
        /// A key was removed with all that lay under it.
        Removed = "removed",
        /// A span was replaced by [`REDACTED`].
        Redacted = "redacted",
        /// A URL was cut, or what lay beyond the bounds was replaced by [`TRUNCATED`].
        Truncated = "truncated",
    }
}

/// One finding: where, what, and what was done. Never any part of the secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// Where, as a JSON Pointer (RFC 6901) into the scrubbed value. A key that was itself a secret is replaced in it too.
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

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} at {:?}", self.category, self.action, self.path)
    }
}

/// A clean value and what was found in the one that came.
#[derive(Debug, Clone, PartialEq)]
pub struct Scrubbed<V> {
    /// The clean value.
    pub value: V,
    /// What was found, in the value's order; at most a thousand, though all that is found is taken out.
    pub findings: Vec<Finding>,
}

/// How much of a hint is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HintPolicy {
    /// Everything that is clean.
    #[default]
    Standard,
    /// Only `action`, `message`, `mcp_server`, `tool` and a landing URL, each scrubbed. What else there is goes
    /// without a finding, unless it held a secret.
    Strict,
}

/// Which rules a text is scrubbed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// Those of `auth_hint`.
    Hint,
    /// Those of `details`: bare `code` and `state` are ordinary there, addresses of the inside, connection strings and
    /// stack traces are not.
    Details,
}

/// The bounds of one scrub. What lies beyond is replaced by [`TRUNCATED`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many containers may lie in each other, JSON in strings counted.
    pub depth: usize,
    /// How many bytes of text the value may hold in all, keys included; every node counts one byte more.
    pub text: usize,
}

impl Limits {
    /// 64 levels, 256 KiB.
    pub const DEFAULT: Self = Self { depth: 64, text: 256 * 1024 };
    /// More levels than this are not walked, whatever is asked for: the walk uses the stack.
    pub const MAX_DEPTH: usize = 256;

    fn depth(self) -> usize {
        self.depth.min(Self::MAX_DEPTH)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The `auth_hint` without anything that an agent must not see (spec: `auth_hint`).
///
/// ```
/// use ackguard::{host::ToJson, scrub::{self, HintPolicy}};
/// use serde_json::json;
///
/// let hint = json!({"message": "请打开https://example.com/login?state=af0ifjsldkj，完成后重试", "access_token": "SlAV32hkKG"});
/// let Ok(clean) = scrub::auth_hint(&&hint, HintPolicy::Standard, &mut ToJson);
/// assert_eq!(clean.value, json!({"message": "请打开https://example.com/login，完成后重试"}));
/// assert_eq!(clean.findings.len(), 2);
/// ```
///
/// # Errors
///
/// The host's own error.
pub fn auth_hint<N: Node, B: Build<N>>(
    node: &N,
    policy: HintPolicy,
    build: &mut B,
) -> Result<Scrubbed<B::Value>, N::Error> {
    auth_hint_with(node, policy, build, Limits::DEFAULT)
}

/// [`auth_hint`] within other bounds.
///
/// # Errors
///
/// The host's own error.
pub fn auth_hint_with<N: Node, B: Build<N>>(
    node: &N,
    policy: HintPolicy,
    build: &mut B,
    limits: Limits,
) -> Result<Scrubbed<B::Value>, N::Error> {
    Ok(auth_hint_whole(node, policy, build, limits)?.0)
}

/// [`auth_hint_with`], and whether all of the value is there: what the strict policy drops it drops without a finding.
pub(crate) fn auth_hint_whole<N: Node, B: Build<N>>(
    node: &N,
    policy: HintPolicy,
    build: &mut B,
    limits: Limits,
) -> Result<(Scrubbed<B::Value>, bool), N::Error> {
    let mut walker = Walker::new(Rules::Hint, limits);
    let mut dropped = false;
    let value = made(build, |to| match policy {
        HintPolicy::Standard => walker.value(node, to, limits.depth(), false),
        HintPolicy::Strict => {
            dropped = strict(&mut walker, node, to, limits.depth())?;
            Ok(())
        }
    })?;
    let findings = walker.into_findings();
    let is_whole = findings.is_empty() && !dropped;
    Ok((Scrubbed { value, findings }, is_whole))
}

/// What [`auth_hint`] would find.
///
/// # Errors
///
/// The host's own error.
pub fn check_auth_hint<N: Node>(node: &N) -> Result<Vec<Finding>, N::Error> {
    check_auth_hint_with(node, Limits::DEFAULT)
}

/// [`check_auth_hint`] within other bounds.
///
/// # Errors
///
/// The host's own error.
pub fn check_auth_hint_with<N: Node>(node: &N, limits: Limits) -> Result<Vec<Finding>, N::Error> {
    check(node, Rules::Hint, limits)
}

/// The `details` of an error without secrets, addresses of the inside, connection strings and stack traces
/// (spec: `details`).
///
/// # Errors
///
/// The host's own error.
pub fn details<N: Node, B: Build<N>>(node: &N, build: &mut B) -> Result<Scrubbed<B::Value>, N::Error> {
    details_with(node, build, Limits::DEFAULT)
}

/// [`details`] within other bounds.
///
/// # Errors
///
/// The host's own error.
pub fn details_with<N: Node, B: Build<N>>(
    node: &N,
    build: &mut B,
    limits: Limits,
) -> Result<Scrubbed<B::Value>, N::Error> {
    let mut walker = Walker::new(Rules::Details, limits);
    let value = made(build, |to| walker.value(node, to, limits.depth(), false))?;
    Ok(Scrubbed { value, findings: walker.into_findings() })
}

/// What [`details`] would find.
///
/// # Errors
///
/// The host's own error.
pub fn check_details<N: Node>(node: &N) -> Result<Vec<Finding>, N::Error> {
    check_details_with(node, Limits::DEFAULT)
}

/// [`check_details`] within other bounds.
///
/// # Errors
///
/// The host's own error.
pub fn check_details_with<N: Node>(node: &N, limits: Limits) -> Result<Vec<Finding>, N::Error> {
    check(node, Rules::Details, limits)
}

/// [`auth_hint`] or [`details`] of a value of JSON.
#[cfg(not(all(feature = "small", target_family = "wasm")))]
pub(crate) fn scrub_value(value: &Value, rules: Rules) -> Scrubbed<Value> {
    let Ok(scrubbed) = match rules {
        Rules::Hint => auth_hint(&value, HintPolicy::Standard, &mut ToJson),
        Rules::Details => details(&value, &mut ToJson),
    };
    scrubbed
}
#[cfg(all(feature = "small", target_family = "wasm"))]
pub(crate) use nested::scrub_value;

fn check<N: Node>(node: &N, rules: Rules, limits: Limits) -> Result<Vec<Finding>, N::Error> {
    let mut walker = Walker::new(rules, limits);
    walker.value(node, &mut Nothing, limits.depth(), false)?;
    Ok(walker.into_findings())
}

/// A text without secrets; borrowed where there was nothing to find.
#[must_use]
pub fn text(text: &str, rules: Rules) -> (Cow<'_, str>, Vec<Finding>) {
    text_with(text, rules, Limits::DEFAULT)
}

/// [`text`](fn@text) within other bounds.
#[must_use]
pub fn text_with(text: &str, rules: Rules, limits: Limits) -> (Cow<'_, str>, Vec<Finding>) {
    let mut walker = Walker::new(rules, limits);
    let clean = walker.text(text, limits.depth());
    (clean, walker.into_findings())
}

/// Whether there is a stack trace in a text: the shapes of Python, Java, JavaScript, Rust, Go and .NET.
#[must_use]
pub fn has_stack_trace(text: &str) -> bool {
    trace::has(text)
}

/// Only what the strict policy keeps, and whether anything else was dropped. The whole is scrubbed first, so that
/// what goes is found as well.
fn strict<N: Node>(
    walker: &mut Walker,
    node: &N,
    to: &mut dyn Sink<N>,
    depth: usize,
) -> Result<bool, N::Error> {
    let mut dropped = false;
    match node.view()? {
        View::Object => {}
        View::Array => {
            walker.value(node, &mut Nothing, depth, false)?;
            node.items(&mut |_| {
                dropped = true;
                Ok(ControlFlow::Break(()))
            })?;
            to.begin();
            to.end_array()?;
            return Ok(dropped);
        }
        _ => {
            walker.value(node, to, depth, false)?;
            return Ok(false);
        }
    }
    walker.value(node, &mut Nothing, depth, false)?;
    to.begin();
    let mut landing = false;
    node.entries(&mut |key, value| {
        let known = matches!(key, "action" | "message" | "mcp_server" | "tool");
        // Its own bounds, since the first walk has used up those of the whole; the findings are there already.
        let mut again = Walker::new(Rules::Hint, Limits { depth, ..Limits::DEFAULT });
        if known {
            to.name(key.to_owned(), false);
            again.value(&value, to, depth.saturating_sub(1), false)?;
            return Ok(ControlFlow::Continue(()));
        }
        if !landing
            && is_landing_key(key)
            && let View::String(text) = value.view()?
        {
            let clean = again.text(&text, depth);
            if is_landing_page(&clean) {
                landing = true;
                to.name(key.to_owned(), false);
                to.string(&clean)?;
                return Ok(ControlFlow::Continue(()));
            }
        }
        dropped = true;
        Ok(ControlFlow::Continue(()))
    })?;
    to.end_object(node)?;
    Ok(dropped)
}

fn is_landing_key(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    key.len() <= 40 && ["url", "uri", "link", "href", "page"].iter().any(|tail| lower.ends_with(tail))
}

/// An absolute web address and nothing else, without anything that was taken out of it.
fn is_landing_page(text: &str) -> bool {
    let web = ["https://", "http://"].iter().any(|scheme| {
        text.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme))
            && text.len() > scheme.len()
    });
    web && text.bytes().all(|byte| byte.is_ascii_graphic() || byte >= 0x80)
        && !text.contains(['?', '#', '@', '[', '"', '<', '>', '\\'])
}

/// A status of HTTP or a code of the registry: ordinary after a bare "code".
fn is_error_code(digits: &[u8]) -> bool {
    let number = core::str::from_utf8(digits).ok().and_then(crate::value::integer);
    number.is_some_and(|code| {
        digits.len() <= 6
            && ((100..600).contains(&code)
                || i64::try_from(code).is_ok_and(|code| ErrorCode::new(code).info().is_some())
                || (-32768..=-32000).contains(&code))
    })
}
