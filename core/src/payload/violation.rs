//! What breaks the contract although it could still be understood.

use alloc::borrow::Cow;
use core::fmt;

use serde::{Serialize, Serializer};

macro_rules! violations {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)+) => {
        /// The kind of a violation.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum ViolationKind {
            $($(#[$doc])* $variant,)+
        }

        impl ViolationKind {
            /// Every kind.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The stable name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }
    };
}

violations! {
    /// The code is an integral float such as `4014.0`.
    CodeFloat = "code_float",
    /// The error has no `message`.
    MessageMissing = "message_missing",
    /// The error's `message` is not text.
    MessageType = "message_type",
    /// The error's `details` is not an object.
    DetailsType = "details_type",
    /// A standard field that the code requires is not there.
    FieldMissing = "field_missing",
    /// A standard field is of the wrong type, and read as absent.
    FieldType = "field_type",
    /// `details.reason` is none of the code's known reasons.
    ReasonUnknown = "reason_unknown",
    /// `details` holds what it must never hold; scrubbing would change it.
    DetailsSensitive = "details_sensitive",
    /// There is a stack trace in `details` or in the message.
    StackTrace = "stack_trace",
    /// `mcp_server_name` and `mcp_server` are both there and differ.
    ServerConflict = "server_conflict",
    /// A part that is handed out was nested too deeply and has been cut.
    TooDeep = "too_deep",
    /// An error wrapped in `{"error": {...}}`. It is never unwrapped.
    NestedEnvelope = "nested_envelope",
    /// The WebSocket close code 4900 as an error code.
    WsCloseCode = "ws_close_code",
    /// The code is a string of digits or has a fraction.
    CodeType = "code_type",
    /// The timeout marker without its namespace.
    LegacyTimeout = "legacy_timeout",
    /// A marker that is not a boolean, or an `error_code` that is not an integer.
    MarkerType = "marker_type",
    /// `isError` is neither a boolean nor null.
    IsErrorType = "is_error_type",
    /// A marker or an authorization code beside `isError` false or absent.
    MarkerWithoutIsError = "marker_without_is_error",
    /// `meta` is neither an object nor null.
    MetaType = "meta_type",
    /// An event's answer that is not exactly a boolean and a string or null.
    EventShape = "event_shape",
}

/// One violation: its kind and, for those about a field, the field.
///
/// Written as `kind`, or as `kind:field`. A field's name is the registry's, never text of the payload.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Violation {
    kind: ViolationKind,
    field: Option<&'static str>,
}

impl Violation {
    pub(crate) const fn new(kind: ViolationKind) -> Self {
        Self { kind, field: None }
    }

    pub(crate) const fn field(kind: ViolationKind, field: &'static str) -> Self {
        Self { kind, field: Some(field) }
    }

    /// What was broken.
    #[must_use]
    pub const fn kind(&self) -> ViolationKind {
        self.kind
    }

    /// The standard field it is about.
    #[must_use]
    pub const fn field_name(&self) -> Option<&'static str> {
        self.field
    }

    /// `kind` or `kind:field`, as every language reports it.
    #[must_use]
    pub fn text(&self) -> Cow<'static, str> {
        match self.field {
            None => Cow::Borrowed(self.kind.as_str()),
            Some(field) => Cow::Owned(format!("{}:{field}", self.kind.as_str())),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl Serialize for Violation {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(&self.text())
    }
}
