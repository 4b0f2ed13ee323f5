//! The authorization decision: 4006, 4007, 4003, or not about authorization at all.
//!
//! A Computer whose tool was refused upstream gives what it observed to [`decide`], or the words that a client
//! library left to [`decide_from_text`]. The point of 4006 against 4007 is whether the user has ever authorized;
//! where that cannot be told, 4006. A failure once judged to be about authorization never falls through to 4003
//! or to an uncoded failure.

mod challenge;
mod text;

use core::str::FromStr;

use serde::Serialize;

use crate::code::{ErrorCode, Text};
use crate::locale::Locale;
use crate::value::join;

pub use text::decide_from_text;

/// Declares an enum of wire words with `as_str`, `ALL` and `FromStr`.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// Every one.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The stable name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl FromStr for $name {
            type Err = UnknownWord;

            fn from_str(text: &str) -> Result<Self, UnknownWord> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(UnknownWord { what: $what, known: &[$($word),+] }),
                }
            }
        }
    };
}

words! {
    /// What is known of the user's credential for the upstream.
    Credential, "credential" {
        /// Authorization was never set up for this server.
        NeverConfigured = "never_configured",
        /// There is one.
        Present = "present",
        /// Nothing is known.
        Unknown = "unknown",
    }
}

words! {
    /// What happened in the authorization itself.
    Event, "event" {
        /// The token could not be refreshed.
        RefreshFailed = "refresh_failed",
        /// The user or the provider took the authorization back.
        Revoked = "revoked",
        /// The credential is good, its scope is not enough.
        ScopeInsufficient = "scope_insufficient",
        /// The user has not finished authorizing.
        FlowIncomplete = "flow_incomplete",
        /// This client could not be registered with the provider.
        RegistrationFailed = "registration_failed",
    }
}

/// A word that is none of a fixed set: a mistake of the calling program, not something that a peer sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what}; one of: {}", join(known.iter().copied(), ", "))]
#[non_exhaustive]
pub struct UnknownWord {
    /// What the word was to name: `"credential"` or `"event"`.
    pub what: &'static str,
    /// The words there are.
    pub known: &'static [&'static str],
}

/// What a Computer observed when a tool's upstream refused. Everything is optional.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Failure<'a> {
    /// The upstream's HTTP status. Any number; one that is none of HTTP's tells nothing below 500.
    pub http_status: Option<i64>,
    /// The text of the `WWW-Authenticate` header; several headers joined by `, `. A blank one is none.
    pub www_authenticate: Option<&'a str>,
    /// The `error` of RFC 6749 or RFC 6750. A blank one is none.
    pub oauth_error: Option<&'a str>,
    /// What is known of the credential; `None` is [`Credential::Unknown`].
    pub credential: Option<Credential>,
    /// What happened in the authorization.
    pub event: Option<Event>,
    /// The OAuth provider answered 5xx or was unreachable.
    pub provider_fault: bool,
}

impl core::fmt::Debug for Failure<'_> {
    // A header or an error text may hold a credential.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Failure")
            .field("http_status", &self.http_status)
            .field("credential", &self.credential)
            .field("event", &self.event)
            .field("provider_fault", &self.provider_fault)
            .finish_non_exhaustive()
    }
}

/// The answer of [`decide`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// 4006: the user has to authorize.
    Required,
    /// 4007: what the user once authorized is gone or does not suffice.
    Failed,
    /// 4003: the provider's own fault; no authorization would help.
    ExecutionFailed,
    /// Not about authorization.
    NotAuthorization,
}

impl Decision {
    /// The code to report, if any.
    #[must_use]
    pub const fn code(self) -> Option<ErrorCode> {
        match self {
            Self::Required => Some(ErrorCode::TOOL_AUTHORIZATION_REQUIRED),
            Self::Failed => Some(ErrorCode::TOOL_AUTHORIZATION_FAILED),
            Self::ExecutionFailed => Some(ErrorCode::TOOL_EXECUTION_FAILED),
            Self::NotAuthorization => None,
        }
    }

    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Failed => "failed",
            Self::ExecutionFailed => "execution_failed",
            Self::NotAuthorization => "not_authorization",
        }
    }
}

/// The signs of one failure; the table is read from them, for fields and for words alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Signs {
    fault: bool,
    lost: bool,
    never: bool,
    forbidden: bool,
    unauthorized: bool,
    other: bool,
}

impl Signs {
    const fn decision(self) -> Decision {
        if self.fault {
            Decision::ExecutionFailed
        } else if self.lost {
            Decision::Failed
        } else if self.never {
            Decision::Required
        } else if self.forbidden {
            Decision::Failed
        } else if self.unauthorized || self.other {
            Decision::Required
        } else {
            Decision::NotAuthorization
        }
    }

    fn oauth_error(&mut self, error: &str) {
        let error = error.trim();
        let is = |word: &str| error.eq_ignore_ascii_case(word);
        if is("invalid_grant") || is("insufficient_scope") {
            self.lost = true;
        } else if is("server_error") || is("temporarily_unavailable") {
            // RFC 6749 4.1.2.1: what a provider says where a redirect cannot carry its 500 or 503.
            self.fault = true;
        } else if !error.is_empty() {
            self.other = true;
        }
    }
}

/// Decides what a refused tool call is about; the first of these that matches:
///
/// | observed | answer |
/// | --- | --- |
/// | provider fault (`server_error` and `temporarily_unavailable` say the same), or a status of 500 and above | 4003 |
/// | event `revoked`, `refresh_failed`, `scope_insufficient`; OAuth error `invalid_grant`, `insufficient_scope`, also in `WWW-Authenticate` | 4007 |
/// | credential `never_configured`; event `flow_incomplete`, `registration_failed` | 4006 |
/// | status 403 | 4007 |
/// | status 401 | 4006 |
/// | another OAuth error (under whatever status: RFC 6749 sends them with 400), a challenge without a status | 4006 |
/// | anything else | not about authorization |
///
/// OAuth errors are compared without regard to letter case and to white space around them. `WWW-Authenticate` is
/// read as the list of challenges it is (RFC 9110), so that a `realm` or an `error_description` that quotes an
/// error is not taken for one.
///
/// ```
/// use ackguard::authorization::{Decision, Failure, decide};
/// let refused = Failure { http_status: Some(401), ..Failure::default() };
/// assert_eq!(decide(&refused), Decision::Required);
/// let challenge = "Bearer error=\"insufficient_scope\", scope=\"repo\"";
/// assert_eq!(decide(&Failure { www_authenticate: Some(challenge), ..refused }), Decision::Failed);
/// ```
#[must_use]
pub fn decide(failure: &Failure<'_>) -> Decision {
    let mut signs = Signs { fault: failure.provider_fault, ..Signs::default() };
    match failure.http_status {
        Some(500..) => signs.fault = true,
        Some(403) => signs.forbidden = true,
        Some(401) => signs.unauthorized = true,
        _ => {}
    }
    match failure.event {
        Some(Event::Revoked | Event::RefreshFailed | Event::ScopeInsufficient) => signs.lost = true,
        Some(Event::FlowIncomplete | Event::RegistrationFailed) => signs.never = true,
        None => {}
    }
    if failure.credential == Some(Credential::NeverConfigured) {
        signs.never = true;
    }
    if let Some(error) = failure.oauth_error {
        signs.oauth_error(error);
    }
    if let Some(challenges) = failure.www_authenticate.filter(|text| !text.trim().is_empty()) {
        // Beside another status the header only says that the resource knows authentication.
        signs.other |= failure.http_status.is_none();
        challenge::errors(challenges, |error| signs.oauth_error(error));
    }
    signs.decision()
}

/// What to tell the user where a tool's answer brings no hint of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub struct DefaultHint {
    /// For the host's routing.
    pub action: &'static str,
    /// For the user.
    pub message: &'static str,
}

impl DefaultHint {
    /// The hint as JSON, `action` first.
    #[must_use]
    pub fn to_value(self) -> crate::value::Value {
        crate::value::object([("action", self.action.into()), ("message", self.message.into())])
    }
}

/// The ready hint for 4006 or 4007; `None` for every other code. Holds no part of any payload.
#[must_use]
pub fn default_hint(code: ErrorCode, locale: Locale) -> Option<DefaultHint> {
    let (action, message) = match code {
        ErrorCode::TOOL_AUTHORIZATION_REQUIRED => (
            "user_authorization_required",
            Text {
                en: "This tool needs your permission. Sign in to its service on the machine that runs the tool, \
                     then try again.",
                zh: "使用此工具前需要先授权。请在运行该工具的主机上登录对应服务，然后重试。",
            },
        ),
        ErrorCode::TOOL_AUTHORIZATION_FAILED => (
            "token_refresh_required",
            Text {
                en: "The permission you gave this tool has ended or does not cover this action. Check it on the \
                     machine that runs the tool, or sign in there again.",
                zh: "此工具的授权已失效或权限不足。请在运行该工具的主机上检查权限，或重新登录。",
            },
        ),
        _ => return None,
    };
    Some(DefaultHint { action, message: message.get(locale) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(failure: Failure<'_>) -> i64 {
        decide(&failure).code().map_or(0, ErrorCode::get)
    }

    #[test]
    fn every_row_beats_the_rows_below_it() {
        type Sign = fn(&mut Failure<'_>);
        let none = Failure::default();
        // One sign per row, in the table's order.
        let rows: [(Sign, i64); 6] = [
            (|f| f.provider_fault = true, 4003),
            (|f| f.event = Some(Event::Revoked), 4007),
            (|f| f.credential = Some(Credential::NeverConfigured), 4006),
            (|f| f.http_status = Some(403), 4007),
            (|f| f.http_status = Some(401), 4006),
            (|f| f.oauth_error = Some("access_denied"), 4006),
        ];
        for (first, (apply, code)) in rows.iter().enumerate() {
            for mask in 0..(1_u32 << (rows.len() - first - 1)) {
                let mut failure = none;
                // Applied last to first, so that the earlier row keeps a field that two rows use.
                for (other, (apply, _)) in rows.iter().enumerate().skip(first + 1).rev() {
                    if mask >> (other - first - 1) & 1 == 1 {
                        apply(&mut failure);
                    }
                }
                apply(&mut failure);
                assert_eq!(decided(failure), *code, "{failure:?}");
            }
        }
        assert_eq!(decided(none), 0);
    }

    #[test]
    fn statuses() {
        for (status, code) in [
            (500, 4003),
            (503, 4003),
            (599, 4003),
            (999, 4003),
            (i64::MAX, 4003),
            (403, 4007),
            (401, 4006),
            (200, 0),
            (400, 0),
            (402, 0),
            (404, 0),
            (407, 0),
            (408, 0),
            (429, 0),
            (499, 0),
            (0, 0),
            (-403, 0),
            (i64::MIN, 0),
        ] {
            assert_eq!(
                decided(Failure { http_status: Some(status), ..Failure::default() }),
                code,
                "{status}"
            );
        }
    }

    #[test]
    fn oauth_errors() {
        for (error, code) in [
            ("invalid_grant", 4007),
            (" INVALID_GRANT ", 4007),
            ("insufficient_scope", 4007),
            ("invalid_client", 4006),
            ("access_denied", 4006),
            ("invalid_token", 4006),
            ("something_new", 4006),
            ("invalid grant", 4006),
            ("server_error", 4003),
            ("temporarily_unavailable", 4003),
            ("", 0),
            ("  ", 0),
        ] {
            assert_eq!(decided(Failure { oauth_error: Some(error), ..Failure::default() }), code, "{error}");
        }
        let token_endpoint =
            Failure { http_status: Some(400), oauth_error: Some("invalid_client"), ..Failure::default() };
        assert_eq!(decided(token_endpoint), 4006, "judged to be about authorization, so never uncoded");
    }

    #[test]
    fn challenges() {
        for (status, challenge, code) in [
            (None, "Bearer", 4006),
            (None, "Bearer error=\"insufficient_scope\"", 4007),
            (Some(401), "Bearer ERROR = Insufficient_Scope", 4007),
            (Some(401), "Bearer realm=\"error=\\\"insufficient_scope\\\"\"", 4006),
            (Some(401), "Bearer error_description=\"invalid_grant\"", 4006),
            (Some(401), "Basic realm=\"x\", Bearer realm=\"y\", error=\"insufficient_scope\"", 4007),
            (Some(404), "Bearer", 0),
            (Some(404), "Bearer error=\"invalid_token\"", 4006),
            (Some(404), "", 0),
            (None, "   ", 0),
            (Some(503), "Bearer error=\"insufficient_scope\"", 4003),
        ] {
            let failure =
                Failure { http_status: status, www_authenticate: Some(challenge), ..Failure::default() };
            assert_eq!(decided(failure), code, "{challenge}");
        }
    }

    #[test]
    fn words_round_trip_and_strangers_are_refused() {
        for event in Event::ALL {
            assert_eq!(event.as_str().parse(), Ok(*event));
        }
        for credential in Credential::ALL {
            assert_eq!(credential.as_str().parse(), Ok(*credential));
        }
        let unknown = "Revoked".parse::<Event>().unwrap_err().to_string();
        assert!(unknown.starts_with("unknown event; one of: refresh_failed, revoked"), "{unknown}");
        assert!("".parse::<Credential>().is_err());
    }

    #[test]
    fn debug_shows_no_header() {
        let failure =
            Failure { www_authenticate: Some("hunter2"), oauth_error: Some("hunter2"), ..Failure::default() };
        assert!(!format!("{failure:?}").contains("hunter2"));
    }

    #[test]
    fn hints_differ_by_code_and_language() {
        let hint = |code, locale| default_hint(ErrorCode::new(code), locale).unwrap();
        let (required, failed) = (hint(4006, Locale::En), hint(4007, Locale::En));
        assert_eq!(required.action, "user_authorization_required");
        assert_eq!(failed.action, "token_refresh_required");
        assert_ne!(required.message, failed.message);
        assert_ne!(hint(4007, Locale::Zh).message, failed.message);
        assert_eq!(serde_json::to_value(failed).unwrap(), failed.to_value());
        for other in [400, 401, 403, 4003, 4005, 4008] {
            assert_eq!(default_hint(ErrorCode::new(other), Locale::En), None, "{other}");
        }
    }
}
