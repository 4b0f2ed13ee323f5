//! The registry of codes, and the advice.

use ackguard::code;

use crate::error::{AckguardError, guarded};
use crate::mirror::mirror;
use crate::{Dialect, MessageLocale};

/// A protocol code: any integer. The registry knows some of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ErrorCode(pub(crate) i64);

uniffi::custom_newtype!(ErrorCode, i64);

impl From<ackguard::ErrorCode> for ErrorCode {
    fn from(code: ackguard::ErrorCode) -> Self {
        Self(code.get())
    }
}

impl From<ErrorCode> for ackguard::ErrorCode {
    fn from(code: ErrorCode) -> Self {
        Self::new(code.0)
    }
}

mirror! {
    /// May the program try again by itself?
    Automatic = ackguard::retry::Automatic, else No {
        /// No.
        No,
        /// Yes, once, after the action.
        Once,
        /// It may: the caller decides, with backoff.
        Optional,
    }
}

/// What to do about a failure.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Record)]
pub struct RetryAdvice {
    /// May the program try again by itself?
    pub automatic: Automatic,
    /// What has to happen first, by its stable name such as `backoff`; an open set.
    pub action: String,
}

impl From<ackguard::retry::Advice> for RetryAdvice {
    fn from(advice: ackguard::retry::Advice) -> Self {
        Self { automatic: advice.automatic.into(), action: advice.action.as_str().to_owned() }
    }
}

/// A sentence in two languages.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Record)]
pub struct LocalizedText {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
}

impl From<code::Text> for LocalizedText {
    fn from(text: code::Text) -> Self {
        Self { en: text.en.to_owned(), zh: text.zh.to_owned() }
    }
}

/// A standard field of a code, beside `code` and `message`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Record)]
pub struct CodeField {
    /// The key on the wire in protocol 0.2.
    pub name: String,
    /// Whether its absence breaks the contract.
    pub required: bool,
    /// Whether it is an integer of bytes; otherwise it is text.
    pub is_size: bool,
}

impl From<&code::Field> for CodeField {
    fn from(field: &code::Field) -> Self {
        Self {
            name: field.name.to_owned(),
            required: field.required,
            is_size: field.kind == code::FieldType::Size,
        }
    }
}

/// A known value of `details.reason`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Record)]
pub struct CodeReason {
    /// The value on the wire.
    pub name: String,
    /// The advice for it.
    pub retry: RetryAdvice,
    /// What the user may be told, where it differs from the code's own text.
    pub user_message: Option<LocalizedText>,
}

/// The registry's entry for one code.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Record)]
pub struct CodeInfo {
    /// The number.
    pub code: ErrorCode,
    /// The name, in SCREAMING_SNAKE.
    pub name: String,
    /// The title.
    pub title: LocalizedText,
    /// The group.
    pub category: String,
    /// What carries it: `ack`, `tool_result` or `http_handshake`.
    pub carrier: String,
    /// The first dialect that registers it.
    pub since: Dialect,
    /// What it says, in a sentence.
    pub meaning: String,
    /// The standard fields at the top level, in the order in which they are written.
    pub fields: Vec<CodeField>,
    /// The standard keys of `details`, in the order in which they are written.
    pub details: Vec<CodeField>,
    /// The known values of `details.reason`; an open set.
    pub reasons: Vec<CodeReason>,
    /// The advice, where no reason says otherwise.
    pub retry: RetryAdvice,
    /// What the user may be told.
    pub user_message: LocalizedText,
}

impl From<&code::CodeInfo> for CodeInfo {
    fn from(info: &code::CodeInfo) -> Self {
        Self {
            code: info.code.into(),
            name: info.name.to_owned(),
            title: info.title.into(),
            category: info.category.as_str().to_owned(),
            carrier: info.carrier.as_str().to_owned(),
            since: info.since.into(),
            meaning: info.meaning.to_owned(),
            fields: info.fields.iter().map(Into::into).collect(),
            details: info.details.iter().map(Into::into).collect(),
            reasons: info
                .reasons
                .iter()
                .map(|reason| CodeReason {
                    name: reason.name.to_owned(),
                    retry: reason.advice.into(),
                    user_message: reason.user_message.map(Into::into),
                })
                .collect(),
            retry: info.advice.into(),
            user_message: info.user_message.into(),
        }
    }
}

/// The registry's entry for a code; absent for one that is not registered.
#[uniffi::export]
pub fn code_info(code: ErrorCode) -> Result<Option<CodeInfo>, AckguardError> {
    guarded(|| Ok(ackguard::ErrorCode::from(code).info().map(Into::into)))
}

/// The registry, in the order of the numbers.
#[uniffi::export]
pub fn codes() -> Result<Vec<CodeInfo>, AckguardError> {
    guarded(|| Ok(code::ALL.iter().map(Into::into).collect()))
}

/// The advice for a code and the reason beside it.
#[uniffi::export(default(reason = None))]
pub fn retry_advice(code: ErrorCode, reason: Option<String>) -> Result<RetryAdvice, AckguardError> {
    guarded(|| Ok(ackguard::ErrorCode::from(code).advice(reason.as_deref()).into()))
}

/// The ready hint for 4006 or 4007, as JSON; absent for every other code.
#[uniffi::export(default(locale = None))]
pub fn default_auth_hint(
    code: ErrorCode,
    locale: Option<MessageLocale>,
) -> Result<Option<String>, AckguardError> {
    guarded(|| {
        let hint = ackguard::authorization::default_hint(code.into(), MessageLocale::core_of(locale));
        Ok(hint.map(|hint| hint.to_value().to_string()))
    })
}

/// The waits between retries in seconds: doubling from 1, with a random part of up to 1 s, at most `cap`.
#[uniffi::export(default(max_retries = None, cap = None))]
pub fn backoff(max_retries: Option<u32>, cap: Option<f64>) -> Result<Vec<f64>, AckguardError> {
    guarded(|| {
        let mut schedule = ackguard::retry::Schedule::default();
        if let Some(max_retries) = max_retries {
            if max_retries > MOST_RETRIES {
                return Err(AckguardError::misuse(format!("max_retries is above {MOST_RETRIES}")));
            }
            schedule.max_retries = max_retries;
        }
        if let Some(cap) = cap {
            schedule.cap = std::time::Duration::try_from_secs_f64(cap)
                .map_err(|_| AckguardError::misuse("cap is no time span in seconds"))?;
        }
        Ok(schedule.waits().map(|wait| wait.as_secs_f64()).collect())
    })
}

/// A list is handed over as a whole, so it has to end somewhere.
const MOST_RETRIES: u32 = 10_000;
