//! authorization
use crate::{ErrorCode, Locale};
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub struct DefaultHint {
    pub action: &'static str,
    pub message: &'static str,
}
#[allow(missing_docs)]
impl DefaultHint {
    pub fn to_value(self) -> serde_json::Value {
        serde_json::json!({"action": self.action, "message": self.message})
    }
}
#[allow(missing_docs)]
#[must_use]
pub fn default_hint(code: ErrorCode, _: Locale) -> Option<DefaultHint> {
    if code.get() == 4006 || code.get() == 4007 {
        Some(DefaultHint { action: "a", message: "m" })
    } else {
        None
    }
}
