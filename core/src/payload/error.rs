//! The flat error payload: built, read, shown to a person, written to a log.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::string::ToString;
use core::fmt;

use crate::host::Node;
use crate::value::{Map, Value};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::code::{CodeInfo, ErrorCode, Field, UNKNOWN_USER_MESSAGE};
use crate::handshake::shown_version;
use crate::retry::Advice;
use crate::scrub;
use crate::{Dialect, Locale};

/// The two keys that may name the server, the seed's first.
pub(super) const SERVER_KEYS: [&str; 2] = ["mcp_server_name", "mcp_server"];

/// A protocol error in the flat shape: `code`, `message`, the code's own top-level fields, `details`.
///
/// It is made by the constructors here or read by [`classify`](crate::payload::classify). Unknown top-level
/// fields and unknown `details` keys survive a round trip. It is written by dialect: the key that names the
/// server is `mcp_server_name` in 0.2 and `mcp_server` from 0.3 on.
///
/// `details` is for logs. Show people [`ErrorPayload::public`], which has none, and write
/// [`ErrorPayload::log_fields`], which scrubs it.
///
/// ```
/// use ackguard::payload::ErrorPayload;
/// use ackguard::Dialect;
///
/// let error = ErrorPayload::mcp_server_not_found("com.example.docs");
/// assert_eq!(
///     error.to_json(Dialect::V0_2),
///     r#"{"code":4014,"message":"MCP Server not registered","mcp_server_name":"com.example.docs"}"#
/// );
/// ```
#[derive(Clone, PartialEq)]
pub struct ErrorPayload {
    pub(super) code: ErrorCode,
    pub(super) message: String,
    pub(super) server: Option<String>,
    pub(super) capability: Option<String>,
    pub(super) server_version: Option<String>,
    pub(super) client_version: Option<String>,
    pub(super) min_supported: Option<String>,
    pub(super) max_supported: Option<String>,
    pub(super) details: Option<Map<String, Value>>,
    pub(super) raw_details: Option<Value>,
    pub(super) extra: Map<String, Value>,
}

impl ErrorPayload {
    /// An error with this code and nothing but a message. For a code with standard fields, prefer its own
    /// constructor.
    #[must_use]
    pub fn new(code: impl Into<ErrorCode>, message: impl Into<String>) -> Self {
        Self::bare(code.into(), message.into())
    }

    #[inline(never)]
    fn bare(code: ErrorCode, message: String) -> Self {
        Self {
            code,
            message,
            server: None,
            capability: None,
            server_version: None,
            client_version: None,
            min_supported: None,
            max_supported: None,
            details: None,
            raw_details: None,
            extra: Map::new(),
        }
    }

    /// 404: what was asked for is missing; `computer_name` where a Computer was looked for.
    #[must_use]
    pub fn not_found(message: impl Into<String>, computer_name: Option<&str>) -> Self {
        Self::new(ErrorCode::NOT_FOUND, message).detail_if("computer_name", computer_name)
    }

    /// 4008, with the four versions that it has to carry.
    #[must_use]
    pub fn version_mismatch(
        server_version: impl Into<String>,
        client_version: impl Into<String>,
        min_supported: impl Into<String>,
        max_supported: impl Into<String>,
    ) -> Self {
        Self {
            server_version: Some(server_version.into()),
            client_version: Some(client_version.into()),
            min_supported: Some(min_supported.into()),
            max_supported: Some(max_supported.into()),
            ..Self::new(ErrorCode::PROTOCOL_VERSION_MISMATCH, "Protocol version mismatch")
        }
    }

    /// 4008 as a peer wrote it, which may lack any of its fields.
    pub(crate) fn version_mismatch_as_read(message: &str, versions: [Option<&str>; 4]) -> Self {
        let [server_version, client_version, min_supported, max_supported] =
            versions.map(|version| version.map(str::to_owned));
        Self {
            server_version,
            client_version,
            min_supported,
            max_supported,
            ..Self::new(ErrorCode::PROTOCOL_VERSION_MISMATCH, message)
        }
    }

    /// 4014: the MCP server is not registered.
    #[must_use]
    pub fn mcp_server_not_found(server: impl Into<String>) -> Self {
        Self {
            server: Some(server.into()),
            ..Self::new(ErrorCode::MCP_SERVER_NOT_FOUND, "MCP Server not registered")
        }
    }

    /// 4014 for a SKILL: the name is well formed but unknown, uninstalled or orphaned.
    #[must_use]
    pub fn skill_not_found(name: impl Into<String>) -> Self {
        Self::new(ErrorCode::MCP_SERVER_NOT_FOUND, "Skill not found").with_detail("name", name.into())
    }

    /// 4015: the MCP server has not declared the capability.
    #[must_use]
    pub fn mcp_capability_not_supported(server: impl Into<String>, capability: impl Into<String>) -> Self {
        let capability = capability.into();
        let message = format!("MCP Server does not support '{capability}' capability");
        Self {
            server: Some(server.into()),
            capability: Some(capability),
            ..Self::new(ErrorCode::MCP_CAPABILITY_NOT_SUPPORTED, message)
        }
    }

    /// 4016: the lexer refused the name.
    #[must_use]
    pub fn invalid_skill_name(name: Option<&str>) -> Self {
        Self::new(ErrorCode::INVALID_SKILL_NAME, "Invalid skill name format").detail_if("name", name)
    }

    /// 4017. `total_size` is in bytes and belongs to the reason `too_large`; with any other it is left out.
    #[must_use]
    pub fn skill_resource_not_accessible(
        reason: &str,
        rel_path: Option<&str>,
        total_size: Option<u64>,
    ) -> Self {
        Self::new(ErrorCode::SKILL_RESOURCE_NOT_ACCESSIBLE, "Skill resource not accessible")
            .with_detail("reason", reason)
            .detail_if("rel_path", rel_path)
            .detail_if("total_size", total_size.filter(|_| reason == "too_large"))
    }

    /// 4018: the bytes behind a handle cannot be served.
    #[must_use]
    pub fn blob_not_accessible(reason: &str) -> Self {
        Self::new(ErrorCode::BLOB_NOT_ACCESSIBLE, "Blob not accessible").with_detail("reason", reason)
    }

    /// 4019, dialect 0.3: an upload was refused or failed. `total_size` is in bytes.
    #[must_use]
    pub fn blob_write_failed(reason: &str, upload_id: Option<&str>, total_size: Option<u64>) -> Self {
        Self::new(ErrorCode::BLOB_WRITE_FAILED, "Blob write failed")
            .with_detail("reason", reason)
            .detail_if("upload_id", upload_id)
            .detail_if("total_size", total_size)
    }

    fn detail_if(self, key: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.with_detail(key, value),
            None => self,
        }
    }

    /// Adds a `details` key, or replaces it. Any key may be added; a null value adds nothing, because nulls
    /// are not written.
    #[must_use]
    pub fn with_detail(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        let value = value.into();
        if !value.is_null() {
            self.details.get_or_insert_default().insert(key.into(), value);
            self.raw_details = None;
        }
        self
    }

    /// Replaces the message.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Sets `details.trace_id`.
    #[must_use]
    pub fn with_trace_id(self, trace_id: impl Into<String>) -> Self {
        self.with_detail("trace_id", trace_id.into())
    }

    /// Adds a top-level field of the caller's own. `code`, `message`, `details` and the code's standard
    /// fields are not to be had this way and are left as they are; only what a peer sent in the place of a
    /// standard field, and is no text, is kept, so that an error can be given back as it came.
    #[must_use]
    pub fn with_extra(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        let (key, value) = (key.into(), value.into());
        let reserved = matches!(key.as_str(), "code" | "message" | "details");
        let gives_way = self.is_standard_field(&key)
            && (matches!(value, Value::String(_) | Value::Null)
                || self.field_mut(&key).is_some_and(|slot| slot.is_some()));
        if !reserved && !gives_way {
            self.extra.insert(key, value);
        }
        self
    }

    /// Sets what stands as `details`, whatever it is: for a binding that gives an error back as it came.
    #[must_use]
    pub fn with_details(mut self, details: impl Into<Value>) -> Self {
        (self.details, self.raw_details) = match details.into() {
            Value::Object(map) => (Some(map), None),
            raw => (None, Some(raw)),
        };
        self
    }

    /// Without the null members of `details`, which an error has that was built from a host's object: what is
    /// written holds no nulls.
    #[must_use]
    pub fn without_nulls(mut self) -> Self {
        if let Some(details) = &mut self.details {
            details.retain(|_, value| !value.is_null());
        }
        self
    }

    /// Where a field of this name belongs in an error of this code.
    ///
    /// The code's own fields are at the top level and its own `details` keys in `details`, as is `trace_id`;
    /// the server's name may be given under either dialect's key or as `server`. Anything else is an extra
    /// field at the top level.
    #[must_use]
    pub fn place_of(&self, name: &str) -> FieldPlace {
        let name = if name == "server" { SERVER_KEYS[0] } else { name };
        let info = self.code.info();
        if matches!(name, "code" | "message" | "details") {
            FieldPlace::Reserved
        } else if info.is_some_and(|info| info.fields.iter().any(|field| is_field(field, name))) {
            FieldPlace::Standard
        } else if name == "trace_id"
            || info.is_some_and(|info| info.details.iter().any(|field| field.name == name))
        {
            FieldPlace::Details
        } else {
            FieldPlace::Extra
        }
    }

    /// Sets a standard text field by its name; whether the code has such a field.
    pub fn set_standard(&mut self, name: &str, text: Option<String>) -> bool {
        if self.place_of(name) != FieldPlace::Standard {
            return false;
        }
        let name = if name == "server" { SERVER_KEYS[0] } else { name };
        let Some(slot) = self.field_mut(name) else { return false };
        *slot = text;
        // What stood in its place gives way.
        let of_server = SERVER_KEYS.contains(&name);
        self.extra.retain(|key, _| key != name && !(of_server && SERVER_KEYS.contains(&key.as_str())));
        true
    }

    /// The standard top-level fields that are there, under the dialect's keys and in the registry's order.
    pub fn standard_fields(&self, dialect: Dialect) -> impl Iterator<Item = (&'static str, &str)> {
        [
            (dialect.server_key(), &self.server),
            ("capability", &self.capability),
            ("server_version", &self.server_version),
            ("client_version", &self.client_version),
            ("min_supported", &self.min_supported),
            ("max_supported", &self.max_supported),
        ]
        .into_iter()
        .filter_map(|(key, text)| Some((key, text.as_deref()?)))
    }

    /// The code.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// The registered name, such as `"ROOM_FULL"`.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        self.code.name()
    }

    /// Whether a dialect registers the code.
    #[must_use]
    pub fn is_known(&self, dialect: Dialect) -> bool {
        self.code.is_known(dialect)
    }

    /// The message as it came. For logs; people are shown [`ErrorPayload::public_message`].
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The MCP server's name, under whichever key it came.
    #[must_use]
    pub fn server(&self) -> Option<&str> {
        self.server.as_deref()
    }

    /// 4015's capability.
    #[must_use]
    pub fn capability(&self) -> Option<&str> {
        self.capability.as_deref()
    }

    /// 4008's server version, as it came.
    #[must_use]
    pub fn server_version(&self) -> Option<&str> {
        self.server_version.as_deref()
    }

    /// 4008's client version, as it came.
    #[must_use]
    pub fn client_version(&self) -> Option<&str> {
        self.client_version.as_deref()
    }

    /// 4008's lowest supported version, as it came.
    #[must_use]
    pub fn min_supported(&self) -> Option<&str> {
        self.min_supported.as_deref()
    }

    /// 4008's highest supported version, as it came.
    #[must_use]
    pub fn max_supported(&self) -> Option<&str> {
        self.max_supported.as_deref()
    }

    /// `details`, where it is an object. For logs and debugging only, never for the end user.
    #[must_use]
    pub fn details(&self) -> Option<&Map<String, Value>> {
        self.details.as_ref()
    }

    /// What stood in the place of `details` although it is no object.
    #[must_use]
    pub fn raw_details(&self) -> Option<&Value> {
        self.raw_details.as_ref()
    }

    /// Top-level fields that are not the code's standard ones.
    #[must_use]
    pub fn extra(&self) -> &Map<String, Value> {
        &self.extra
    }

    fn detail_str(&self, key: &str) -> Option<&str> {
        self.details.as_ref()?.get(key)?.as_str()
    }

    /// `details.reason`, known or not.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.detail_str("reason")
    }

    /// `details.total_size` in bytes. `7.0` is 7, since there are hosts that cannot tell them apart.
    #[must_use]
    pub fn total_size(&self) -> Option<u64> {
        let size = self.details.as_ref()?.get("total_size")?;
        let Ok(size) = size.view();
        super::read::size(&size)
    }

    /// `details.trace_id`.
    #[must_use]
    pub fn trace_id(&self) -> Option<&str> {
        self.detail_str("trace_id")
    }

    /// The retry advice for the code and its reason.
    #[must_use]
    pub fn advice(&self) -> Advice {
        self.code.advice(self.reason())
    }

    /// A fixed sentence for people.
    ///
    /// Nothing of the payload gets into it but 4015's capability, the size of a 4017 `too_large`, and 4008's
    /// two versions, and those only if they look like what they should be.
    #[must_use]
    pub fn public_message(&self, locale: Locale) -> String {
        let Some(info) = self.code.info() else { return UNKNOWN_USER_MESSAGE.get(locale).to_owned() };
        let zh = locale == Locale::Zh;
        if self.code == ErrorCode::MCP_CAPABILITY_NOT_SUPPORTED
            && let Some(capability) = self.capability().filter(|text| is_plain(text, 64))
        {
            return if zh {
                format!("该服务不支持 {capability} 能力。")
            } else {
                format!("The service does not support \"{capability}\".")
            };
        }
        if self.code == ErrorCode::PROTOCOL_VERSION_MISMATCH {
            let versions = (shown_version(self.client_version()), shown_version(self.server_version()));
            if let (Some(client), Some(server)) = versions {
                return if zh {
                    format!(
                        "本程序的协议版本为 {client}，服务器的协议版本为 {server}，二者不兼容，需要升级其中一方。"
                    )
                } else {
                    format!(
                        "This program speaks protocol version {client}, the server {server}. One of them \
                         has to be upgraded."
                    )
                };
            }
        }
        let known = self.reason().and_then(|reason| info.reason(reason));
        if let (Some(reason), Some(size)) = (known.filter(|it| it.name == "too_large"), self.total_size())
            && let Some(text) = reason.user_message
        {
            let text = text.get(locale);
            let stem = text.trim_end_matches(['.', '。']);
            return if zh {
                format!("{stem}（{size} 字节）。")
            } else {
                format!("{stem} ({size} bytes).")
            };
        }
        known.and_then(|reason| reason.user_message).unwrap_or(info.user_message).get(locale).to_owned()
    }

    /// What may be shown to a person: by its type without `details`.
    #[must_use]
    pub fn public(&self, locale: Locale) -> PublicError {
        PublicError { code: self.code, message: self.public_message(locale) }
    }

    /// Everything, scrubbed and flat, ready for structured logging: `error_code`, `error_name`,
    /// `error_message`, `reason`, `trace_id`, the code's standard fields, and each member of `details` as
    /// `details.<key>`. Containers are written as JSON text. The caller adds `req_id`, `tool_name` and the
    /// like.
    #[must_use]
    pub fn log_fields(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.insert("error_code".to_owned(), self.code.get().into());
        if let Some(name) = self.name() {
            fields.insert("error_name".to_owned(), name.into());
        }
        let clean = |text: &str| scrub::text(text, scrub::Rules::Details).0.into_owned();
        fields.insert("error_message".to_owned(), clean(&self.message).into());
        let named = [
            ("reason", self.reason()),
            ("trace_id", self.trace_id()),
            ("mcp_server", self.server()),
            ("capability", self.capability()),
            ("server_version", self.server_version()),
            ("client_version", self.client_version()),
            ("min_supported", self.min_supported()),
            ("max_supported", self.max_supported()),
        ];
        for (key, text) in named {
            if let Some(text) = text {
                fields.insert(key.to_owned(), clean(text).into());
            }
        }
        let mut flatten = |prefix: &str, value: Value| {
            if let Value::Object(members) = scrubbed_details(&value) {
                for (key, value) in members {
                    let flat = match value {
                        Value::Array(_) | Value::Object(_) => Value::String(value.to_string()),
                        scalar => scalar,
                    };
                    fields.insert(format!("{prefix}.{key}"), flat);
                }
            }
        };
        if let Some(mut details) = self.details.clone() {
            // These two have fields of their own.
            for (key, shown) in [("reason", self.reason()), ("trace_id", self.trace_id())] {
                if shown.is_some() {
                    details.remove(key);
                }
            }
            flatten("details", Value::Object(details));
        }
        if let Some(raw) = self.raw_details.as_ref().filter(|raw| !raw.is_null()) {
            let mut members = Map::new();
            members.insert("raw".to_owned(), raw.clone());
            flatten("details", Value::Object(members));
        }
        if !self.extra.is_empty() {
            flatten("extra", Value::Object(self.extra.clone()));
        }
        fields
    }

    /// The flat shape as a JSON value, by dialect. The order of its keys is `serde_json`'s.
    #[must_use]
    pub fn to_value(&self, dialect: Dialect) -> Value {
        crate::value::to_value(self.in_dialect(dialect)).unwrap_or_default()
    }

    /// The flat shape as JSON text, by dialect: `code`, `message`, the standard fields in the registry's
    /// order, further fields, `details`. What is absent is not written as null; a null that a peer sent in a field or a
    /// key of its own stays.
    #[must_use]
    pub fn to_json(&self, dialect: Dialect) -> String {
        crate::value::to_string(&self.in_dialect(dialect)).unwrap_or_default()
    }

    /// The same, for any serde format.
    #[must_use]
    pub fn in_dialect(&self, dialect: Dialect) -> InDialect<'_> {
        InDialect { payload: self, dialect }
    }

    /// Whether a key at the top level is one of the code's standard fields, in either dialect. One that is null is absent,
    /// and is not written again.
    #[must_use]
    pub fn is_standard_field(&self, key: &str) -> bool {
        self.code.info().is_some_and(|info| info.fields.iter().any(|field| is_field(field, key)))
    }

    /// The value of a standard top-level field.
    pub(super) fn field_mut(&mut self, name: &str) -> Option<&mut Option<String>> {
        Some(match name {
            "mcp_server_name" | "mcp_server" => &mut self.server,
            "capability" => &mut self.capability,
            "server_version" => &mut self.server_version,
            "client_version" => &mut self.client_version,
            "min_supported" => &mut self.min_supported,
            "max_supported" => &mut self.max_supported,
            _ => return None,
        })
    }
}

/// Where a named field belongs in an error of some code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldPlace {
    /// `code`, `message` or `details` itself.
    Reserved,
    /// A standard field at the top level.
    Standard,
    /// A standard key of `details`.
    Details,
    /// A further field at the top level.
    Extra,
}

fn scrubbed_details(value: &Value) -> Value {
    scrub::scrub_value(value, scrub::Rules::Details).value
}

/// Whether a top-level key is this standard field, in either dialect.
pub(super) fn is_field(field: &Field, key: &str) -> bool {
    field.name == key || (SERVER_KEYS.contains(&field.name) && SERVER_KEYS.contains(&key))
}

/// An identifier or a version: short, and nothing in it that could be read as a sentence or as markup.
fn is_plain(text: &str, longest: usize) -> bool {
    !text.is_empty()
        && text.len() <= longest
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._+-/".contains(&byte))
        && matches!(scrub::text(text, scrub::Rules::Details).0, alloc::borrow::Cow::Borrowed(_))
}

impl fmt::Debug for ErrorPayload {
    /// Shows no `details` value, since those may be secret, and the message scrubbed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = scrub::text(&self.message, scrub::Rules::Details).0;
        f.debug_struct("ErrorPayload")
            .field("code", &self.code.get())
            .field("name", &self.name())
            .field("message", &message)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for ErrorPayload {
    /// The code, its title and what the user may be told; never `details`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code.info() {
            Some(CodeInfo { title, .. }) => write!(f, "{} {}", self.code, title.en),
            None => write!(f, "{} (unregistered code)", self.code),
        }
    }
}

impl Serialize for ErrorPayload {
    /// In the default dialect, 0.2.
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        self.in_dialect(Dialect::default()).serialize(out)
    }
}

#[cfg(not(all(feature = "small", target_family = "wasm")))]
impl<'de> serde::Deserialize<'de> for ErrorPayload {
    /// Reads what [`classify`](crate::payload::classify) calls an `error`, in either dialect; anything else
    /// is an error.
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let value: Value = serde::Deserialize::deserialize(input)?;
        super::classify(&value, Dialect::default())
            .error()
            .ok_or_else(|| serde::de::Error::custom("not a protocol error payload"))
    }
}

/// An [`ErrorPayload`] as one dialect writes it.
#[derive(Debug, Clone, Copy)]
pub struct InDialect<'a> {
    payload: &'a ErrorPayload,
    dialect: Dialect,
}

impl Serialize for InDialect<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let payload = self.payload;
        let mut map = out.serialize_map(None)?;
        map.serialize_entry("code", &payload.code)?;
        map.serialize_entry("message", &payload.message)?;
        for (key, text) in payload.standard_fields(self.dialect) {
            map.serialize_entry(key, text)?;
        }
        for (key, value) in &payload.extra {
            if !(value.is_null() && payload.is_standard_field(key)) {
                map.serialize_entry(key, value)?;
            }
        }
        match (&payload.details, &payload.raw_details) {
            (Some(details), _) if !details.is_empty() => {
                map.serialize_entry("details", &Ordered { details, info: payload.code.info() })?;
            }
            (None, Some(raw)) if !raw.is_null() => map.serialize_entry("details", raw)?,
            _ => {}
        }
        map.end()
    }
}

/// `details` with the standard keys first, in the registry's order.
struct Ordered<'a> {
    details: &'a Map<String, Value>,
    info: Option<&'static CodeInfo>,
}

impl Serialize for Ordered<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(Some(self.details.len()))?;
        let standard = self.info.map_or(&[][..], |info| info.details);
        for field in standard {
            if let Some(value) = self.details.get(field.name) {
                map.serialize_entry(field.name, value)?;
            }
        }
        for (key, value) in self.details {
            if standard.iter().all(|field| field.name != key) {
                map.serialize_entry(key, value)?;
            }
        }
        map.end()
    }
}

/// What an agent may show a person about an error. It has no `details`, by its type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PublicError {
    /// The code.
    pub code: ErrorCode,
    /// A fixed, translated sentence.
    pub message: String,
}
