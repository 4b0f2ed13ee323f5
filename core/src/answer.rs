//! What a Server or a Computer would answer where an error has nothing more to say than its own text.

use alloc::string::ToString;

use crate::code::ErrorCode;
use crate::payload::ErrorPayload;

/// Gives errors whose text holds nothing of what was read the `code` and the `to_payload` that all errors here have.
macro_rules! answers {
    ($($error:ty),+) => {
        $(impl $error {
            /// The code with which a Server or a Computer would answer: 400, what came in cannot be read.
            #[must_use]
            pub const fn code(&self) -> ErrorCode {
                ErrorCode::BAD_REQUEST
            }

            /// The payload for the wire; its message is this error's.
            #[must_use]
            pub fn to_payload(&self) -> ErrorPayload {
                ErrorPayload::new(self.code(), self.to_string())
            }
        })+
    };
}

answers!(
    crate::acp::code::UnknownCode,
    crate::acp::state::UnknownState,
    crate::authorization::UnknownWord,
    crate::dialect::UnknownDialect,
    crate::handshake::VersionError,
    crate::json::InvalidJson,
    crate::payload::NotAnAuthorizationCode,
    crate::scrub::UnknownName
);

#[cfg(test)]
mod tests {
    use crate::json::TextNode;
    use crate::payload::auth_error_result;
    use crate::{Dialect, ErrorCode, Locale};

    #[test]
    fn what_cannot_be_read_is_a_bad_request_and_is_not_repeated() {
        let secret = ["hunter", "2xyz"].concat();
        let unknown = secret.parse::<Dialect>().unwrap_err().to_payload();
        let invalid = TextNode::parse(secret.as_bytes()).unwrap_err().to_payload();
        let misused =
            auth_error_result("docs", ErrorCode::NOT_FOUND, None, Locale::En).unwrap_err().to_payload();
        for payload in [unknown, invalid, misused] {
            assert_eq!(payload.name(), Some("BAD_REQUEST"));
            assert!(!payload.message().is_empty() && !payload.message().contains(&secret));
        }
    }
}
