//! Scrubbing, and the decision about authorization.

use ackguard::authorization::{self, Failure};
use ackguard::json::ToText;
use ackguard::scrub::{self, HintPolicy};

use crate::code::ErrorCode;
use crate::error::{AckguardError, guarded};
use crate::mirror::mirror;
use crate::text;

/// One finding. Never any part of the secret.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Record)]
pub struct Finding {
    /// Where, as a JSON Pointer; scrubbed like everything else.
    pub path: String,
    /// What, by its stable name such as `access_credential`; an open set.
    pub category: String,
    /// What was done: `removed`, `redacted` or `truncated`.
    pub action: String,
}

pub(crate) fn findings(found: &[scrub::Finding]) -> Vec<Finding> {
    found
        .iter()
        .map(|finding| Finding {
            path: finding.path.clone(),
            category: finding.category.as_str().to_owned(),
            action: finding.action.as_str().to_owned(),
        })
        .collect()
}

/// A clean value as JSON text, and what was found. Shown as text it is the clean value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Record)]
#[uniffi::export(Display)]
pub struct ScrubbedJson {
    /// The clean value.
    pub json: String,
    /// What was found; empty if the value came back as it was.
    pub findings: Vec<Finding>,
}

impl std::fmt::Display for ScrubbedJson {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.json)
    }
}

/// Takes everything secret out of an `auth_hint`, which is JSON text. `strict` keeps only the known keys.
///
/// Throws `Misuse` if it is not JSON.
#[uniffi::export(default(strict = false))]
pub fn scrub_auth_hint(json: String, strict: bool) -> Result<ScrubbedJson, AckguardError> {
    guarded(|| {
        let node = text::parsed("json", json.as_bytes())?;
        let policy = if strict { HintPolicy::Strict } else { HintPolicy::Standard };
        let Ok(scrubbed) = scrub::auth_hint(&node, policy, &mut ToText);
        Ok(ScrubbedJson { json: scrubbed.value, findings: findings(&scrubbed.findings) })
    })
}

/// Lists what `scrub_auth_hint` would take out.
#[uniffi::export]
pub fn check_auth_hint(json: String) -> Result<Vec<Finding>, AckguardError> {
    Ok(scrub_auth_hint(json, false)?.findings)
}

/// Takes everything secret or internal out of `details`, which is JSON text. Throws `Misuse` if it is not JSON.
#[uniffi::export]
pub fn scrub_details(json: String) -> Result<ScrubbedJson, AckguardError> {
    guarded(|| {
        let node = text::parsed("json", json.as_bytes())?;
        let Ok(scrubbed) = scrub::details(&node, &mut ToText);
        Ok(ScrubbedJson { json: scrubbed.value, findings: findings(&scrubbed.findings) })
    })
}

mirror! {
    /// What is known of the user's credential for the upstream.
    Credential = ackguard::authorization::Credential, else Unknown {
        /// Authorization was never set up for this server.
        NeverConfigured,
        /// There is one.
        Present,
        /// Nothing is known.
        Unknown,
    }
}

mirror! {
    /// What happened in the authorization itself.
    AuthorizationEvent = ackguard::authorization::Event, else FlowIncomplete {
        /// The token could not be refreshed.
        RefreshFailed,
        /// The user or the provider took the authorization back.
        Revoked,
        /// The credential is good, its scope is not enough.
        ScopeInsufficient,
        /// The user has not finished authorizing.
        FlowIncomplete,
        /// This client could not be registered with the provider.
        RegistrationFailed,
    }
}

mirror! {
    /// Whether a failure is about authorization.
    AuthorizationDecision = ackguard::authorization::Decision {
        /// 4006: the user has to authorize.
        Required,
        /// 4007: what the user once authorized is gone or does not suffice.
        Failed,
        /// 4003: the provider's own fault.
        ExecutionFailed,
        /// Not about authorization.
        NotAuthorization,
    }
}

#[uniffi::export]
impl AuthorizationDecision {
    /// The code to report; absent where the failure is not about authorization.
    pub fn code(&self) -> Option<ErrorCode> {
        self.core().code().map(Into::into)
    }
}

/// What a Computer observed when a tool's upstream refused. Everything is optional.
#[derive(Clone, Default, uniffi::Record)]
#[uniffi::export(Display)]
pub struct AuthorizationFailure {
    /// The upstream's HTTP status.
    #[uniffi(default = None)]
    pub http_status: Option<i64>,
    /// The text of the `WWW-Authenticate` header.
    #[uniffi(default = None)]
    pub www_authenticate: Option<String>,
    /// The `error` of RFC 6749 or RFC 6750.
    #[uniffi(default = None)]
    pub oauth_error: Option<String>,
    /// What is known of the credential.
    #[uniffi(default = None)]
    pub credential: Option<Credential>,
    /// What happened in the authorization.
    #[uniffi(default = None)]
    pub event: Option<AuthorizationEvent>,
    /// The OAuth provider answered 5xx or was unreachable.
    #[uniffi(default = false)]
    pub provider_fault: bool,
}

impl AuthorizationFailure {
    fn core(&self) -> Failure<'_> {
        Failure {
            http_status: self.http_status,
            www_authenticate: self.www_authenticate.as_deref(),
            oauth_error: self.oauth_error.as_deref(),
            credential: self.credential.map(Credential::core),
            event: self.event.map(AuthorizationEvent::core),
            provider_fault: self.provider_fault,
        }
    }
}

// A header or an error text may hold a credential.
impl std::fmt::Display for AuthorizationFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.core())
    }
}

/// 4006, 4007, 4003, or not about authorization.
#[uniffi::export]
pub fn decide_authorization(failure: AuthorizationFailure) -> Result<AuthorizationDecision, AckguardError> {
    guarded(|| Ok(authorization::decide(&failure.core()).into()))
}

/// The same from the words of an error message, for clients that swallow the status.
#[uniffi::export]
pub fn decide_authorization_from_text(text: String) -> Result<AuthorizationDecision, AckguardError> {
    guarded(|| Ok(authorization::decide_from_text(&text).into()))
}
