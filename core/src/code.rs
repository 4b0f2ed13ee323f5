//! The registry of A2C-SMCP error codes: the only source of codes, their fields, reasons, advice and texts.
//!
//! Everything else (the constants of each language, the `codes` command, the table in the README) is made
//! from [`ALL`] or compared with it by a test. A code is an open set: a number that the registry does not know
//! is still carried by [`ErrorCode`].
//!
//! WebSocket close code 4900 is another namespace and stands in no table here.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::Dialect;
use crate::locale::Locale;
use crate::retry::{Action, Advice, Automatic};

/// A protocol error code: an open newtype over the number on the wire.
///
/// Equality, order and hash are the number's. Any number can be carried; [`ErrorCode::info`] says whether the
/// registry knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ErrorCode(i64);

impl ErrorCode {
    /// The code with this number, registered or not.
    #[must_use]
    pub const fn new(code: i64) -> Self {
        Self(code)
    }

    /// The number on the wire.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The registry's entry, in either dialect; `None` for a number that no dialect registers.
    #[must_use]
    pub fn info(self) -> Option<&'static CodeInfo> {
        let index = ALL.binary_search_by_key(&self.0, |info| info.code.0).ok()?;
        ALL.get(index)
    }

    /// Whether a dialect registers the code. Only 4019 differs: it came with 0.3.
    #[must_use]
    pub fn is_known(self, dialect: Dialect) -> bool {
        self.info().is_some_and(|info| info.since <= dialect)
    }

    /// The registered name in SCREAMING_SNAKE, such as `"INVALID_SKILL_NAME"`.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        self.info().map(|info| info.name)
    }

    /// The advice for a payload with this code and, where there is one, this `details.reason`.
    ///
    /// An unknown code or an unknown reason gives "do not retry".
    #[must_use]
    pub fn advice(self, reason: Option<&str>) -> Advice {
        let Some(info) = self.info() else { return Advice::NONE };
        match reason {
            Some(reason) if !info.reasons.is_empty() => {
                info.reason(reason).map_or(Advice::NONE, |known| known.advice)
            }
            _ => info.advice,
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<i64> for ErrorCode {
    fn from(code: i64) -> Self {
        Self(code)
    }
}

impl From<ErrorCode> for i64 {
    fn from(code: ErrorCode) -> Self {
        code.0
    }
}

impl PartialEq<i64> for ErrorCode {
    fn eq(&self, other: &i64) -> bool {
        self.0 == *other
    }
}

/// A text in both languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Text {
    /// English.
    pub en: &'static str,
    /// Chinese.
    pub zh: &'static str,
}

impl Text {
    /// The text in one language.
    #[must_use]
    pub const fn get(self, locale: Locale) -> &'static str {
        match locale {
            Locale::En => self.en,
            Locale::Zh => self.zh,
        }
    }
}

/// The group a code belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Category {
    /// The general codes, numbered as HTTP's.
    General,
    /// Tool calls, 4001 to 4007.
    Tool,
    /// The connection: 4008.
    Connection,
    /// Routing to an MCP server: 4014 and 4015.
    Routing,
    /// SKILLs: 4016 and 4017.
    Skill,
    /// Binary transfer: 4018 and 4019.
    Blob,
    /// Rooms: 4101 to 4104.
    Room,
}

impl Category {
    /// The category's stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Tool => "tool",
            Self::Connection => "connection",
            Self::Routing => "routing",
            Self::Skill => "skill",
            Self::Blob => "blob",
            Self::Room => "room",
        }
    }
}

/// What carries a code on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Carrier {
    /// A flat error payload in an event's ack.
    Ack,
    /// `meta.error_code` of a tool result: 4006 and 4007.
    ToolResult,
    /// The body of an HTTP 400, with the header `X-A2C-Error-Code` beside it: 4008.
    HttpHandshake,
}

impl Carrier {
    /// The carrier's stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ack => "ack",
            Self::ToolResult => "tool_result",
            Self::HttpHandshake => "http_handshake",
        }
    }
}

/// The JSON type of a standard field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FieldType {
    /// Text.
    String,
    /// An integer of bytes, 0 or more.
    Size,
}

/// A standard field of a code, beside `code` and `message`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Field {
    /// The key on the wire. The server's name is listed under the seed's key, `mcp_server_name`.
    pub name: &'static str,
    /// Whether its absence breaks the contract.
    pub required: bool,
    /// The type its value has to have.
    #[serde(rename = "type")]
    pub kind: FieldType,
}

impl Field {
    /// The field's key in a dialect.
    #[must_use]
    pub fn key(&self, dialect: Dialect) -> &'static str {
        if self.name == SERVER { dialect.server_key() } else { self.name }
    }
}

/// A known value of `details.reason`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The value on the wire.
    pub name: &'static str,
    /// The advice for it.
    #[serde(rename = "retry")]
    pub advice: Advice,
    /// What the user may be told; where absent, the code's own text serves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_message: Option<Text>,
}

/// The registry's entry for one code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CodeInfo {
    /// The number.
    pub code: ErrorCode,
    /// The name, in SCREAMING_SNAKE.
    pub name: &'static str,
    /// The title.
    pub title: Text,
    /// The group.
    pub category: Category,
    /// What carries it.
    pub carrier: Carrier,
    /// The first dialect that registers it.
    #[serde(serialize_with = "dialect_name")]
    pub since: Dialect,
    /// What it says, in a sentence.
    pub meaning: &'static str,
    /// The standard fields at the top level, in the order in which they are written.
    pub fields: &'static [Field],
    /// The standard keys of `details`, in the order in which they are written.
    pub details: &'static [Field],
    /// The known values of `details.reason`; an open set.
    pub reasons: &'static [Reason],
    /// The advice, where no reason says otherwise.
    #[serde(rename = "retry")]
    pub advice: Advice,
    /// What the user may be told.
    pub user_message: Text,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's signature
fn dialect_name<S: serde::Serializer>(dialect: &Dialect, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(dialect.as_str())
}

impl CodeInfo {
    /// The entry of a reason, if it is known.
    #[must_use]
    pub fn reason(&self, name: &str) -> Option<&'static Reason> {
        self.reasons.iter().find(|reason| reason.name == name)
    }
}

const SERVER: &str = "mcp_server_name";

const fn required(name: &'static str) -> Field {
    Field { name, required: true, kind: FieldType::String }
}
const fn optional(name: &'static str) -> Field {
    Field { name, required: false, kind: FieldType::String }
}
const fn size(name: &'static str) -> Field {
    Field { name, required: false, kind: FieldType::Size }
}
const fn advice(automatic: Automatic, action: Action) -> Advice {
    Advice { automatic, action }
}
const fn reason(name: &'static str, automatic: Automatic, action: Action) -> Reason {
    Reason { name, advice: advice(automatic, action), user_message: None }
}
const fn reason_text(name: &'static str, action: Action, en: &'static str, zh: &'static str) -> Reason {
    Reason { name, advice: advice(Automatic::No, action), user_message: Some(Text { en, zh }) }
}

macro_rules! registry {
    ($(
        $(#[$doc:meta])*
        $code:literal $name:ident {
            title: $title_en:literal / $title_zh:literal,
            $category:ident, $carrier:ident, $since:ident,
            meaning: $meaning:literal,
            fields: [$($field:expr),*],
            details: [$($detail:expr),*],
            reasons: [$($reason:expr),*],
            retry: $automatic:ident $action:ident,
            user: $user_en:literal / $user_zh:literal $(,)?
        }
    )+) => {
        impl ErrorCode {
            $(
                $(#[$doc])*
                pub const $name: Self = Self($code);
            )+
        }

        /// Every registered code of both dialects, in the order of the numbers.
        pub static ALL: &[CodeInfo] = &[$(
            CodeInfo {
                code: ErrorCode($code),
                name: stringify!($name),
                title: Text { en: $title_en, zh: $title_zh },
                category: Category::$category,
                carrier: Carrier::$carrier,
                since: Dialect::$since,
                meaning: $meaning,
                fields: &[$($field),*],
                details: &[$($detail),*],
                reasons: &[$($reason),*],
                advice: advice(Automatic::$automatic, Action::$action),
                user_message: Text { en: $user_en, zh: $user_zh },
            },
        )+];
    };
}

registry! {
    /// 400 Bad Request: a schema check failed.
    400 BAD_REQUEST {
        title: "Bad Request" / "无效请求格式", General, Ack, V0_2,
        meaning: "Schema check failed, a field is missing or of the wrong type",
        fields: [], details: [], reasons: [], retry: No FixRequest,
        user: "The request was not understood. This has to be fixed in the program that sent it."
            / "请求格式不正确，需要由发出请求的程序修正。",
    }
    /// 401 Unauthorized: authentication failed.
    401 UNAUTHORIZED {
        title: "Unauthorized" / "未授权", General, Ack, V0_2,
        meaning: "Authentication failed, the token is invalid",
        fields: [], details: [], reasons: [], retry: No Reauthenticate,
        user: "You are not signed in, or your sign-in has expired. Please sign in again."
            / "尚未登录或登录已失效，请重新登录。",
    }
    /// 403 Forbidden: the operation is not allowed.
    403 FORBIDDEN {
        title: "Forbidden" / "权限违规", General, Ack, V0_2,
        meaning: "Cross-room access, agent exclusivity, operation not allowed",
        fields: [], details: [], reasons: [], retry: No None,
        user: "This operation is not allowed." / "没有执行此操作的权限。",
    }
    /// 404 Not Found: a tool, a Computer or an MCP configuration is missing.
    404 NOT_FOUND {
        title: "Not Found" / "资源不存在", General, Ack, V0_2,
        meaning: "A tool, a Computer or an MCP configuration is missing",
        fields: [], details: [optional("computer_name")], reasons: [], retry: No None,
        user: "What was asked for does not exist or is not connected." / "请求的资源不存在或未连接。",
    }
    /// 408 Timeout: a tool call ran past its agreed time.
    408 TIMEOUT {
        title: "Timeout" / "请求超时", General, Ack, V0_2,
        meaning: "A tool call ran past its agreed time",
        fields: [], details: [], reasons: [], retry: Optional Backoff,
        user: "The request took too long. It may be tried again in a moment."
            / "请求超时，可以稍后再试。",
    }
    /// 500 Internal Error: a failure inside the Server or the Computer.
    500 INTERNAL_ERROR {
        title: "Internal Error" / "内部错误", General, Ack, V0_2,
        meaning: "Failure inside the Server or the Computer",
        fields: [], details: [], reasons: [], retry: Optional Backoff,
        user: "Something went wrong inside the service. It may be tried again in a moment."
            / "服务内部出现错误，可以稍后再试。",
    }
    /// 4001 Tool Not Found: the MCP server does not know the tool.
    4001 TOOL_NOT_FOUND {
        title: "Tool Not Found" / "工具不存在", Tool, Ack, V0_2,
        meaning: "The tool is unknown to that MCP server (a missing server is 4014)",
        fields: [], details: [], reasons: [], retry: No RefreshTools,
        user: "This tool is not available there." / "该工具在目标服务中不存在。",
    }
    /// 4002 Tool Disabled.
    4002 TOOL_DISABLED {
        title: "Tool Disabled" / "工具被禁用", Tool, Ack, V0_2,
        meaning: "The tool is disabled",
        fields: [], details: [], reasons: [], retry: No None,
        user: "This tool has been switched off." / "该工具已被禁用。",
    }
    /// 4003 Tool Execution Failed, also an OAuth provider's own fault.
    4003 TOOL_EXECUTION_FAILED {
        title: "Tool Execution Failed" / "工具执行失败", Tool, Ack, V0_2,
        meaning: "The tool failed; also an OAuth provider's own fault (5xx, network)",
        fields: [], details: [], reasons: [], retry: No None,
        user: "The tool failed. It may already have had an effect." / "工具执行失败，操作可能已部分生效。",
    }
    /// 4004 Tool Timeout: timeouts only, never a cancellation.
    4004 TOOL_TIMEOUT {
        title: "Tool Timeout" / "工具执行超时", Tool, Ack, V0_2,
        meaning: "The tool ran past its time; timeouts only, never a cancellation",
        fields: [], details: [], reasons: [], retry: No None,
        user: "The tool did not finish in time. It may already have had an effect."
            / "工具执行超时，操作可能已部分生效。",
    }
    /// 4005 Tool Requires Confirmation.
    4005 TOOL_REQUIRES_CONFIRMATION {
        title: "Tool Requires Confirmation" / "工具需要二次确认", Tool, Ack, V0_2,
        meaning: "The tool runs only after the user has confirmed it",
        fields: [], details: [], reasons: [], retry: No Confirm,
        user: "This tool needs your confirmation before it runs." / "该工具需要您确认后才会执行。",
    }
    /// 4006 Tool Authorization Required: never authorized, or no usable credential.
    4006 TOOL_AUTHORIZATION_REQUIRED {
        title: "Tool Authorization Required" / "工具需要授权", Tool, ToolResult, V0_2,
        meaning: "Never authorized, or no usable credential",
        fields: [], details: [], reasons: [], retry: No Authorize,
        user: "This tool has to be authorized first, on the computer that runs it."
            / "该工具需要先在运行它的电脑上完成授权。",
    }
    /// 4007 Tool Authorization Failed: was authorized, is no longer, or lacks permission.
    4007 TOOL_AUTHORIZATION_FAILED {
        title: "Tool Authorization Failed" / "工具授权失败", Tool, ToolResult, V0_2,
        meaning: "Was authorized, is no longer, or lacks permission",
        fields: [], details: [], reasons: [], retry: No ReviewAuthorization,
        user: "The authorization for this tool no longer works or does not cover this. Please check its \
               permissions or authorize it again."
            / "该工具的授权已失效或权限不足，请检查权限或重新授权。",
    }
    /// 4008 Protocol Version Mismatch: the body of an HTTP 400, not a WebSocket close code.
    4008 PROTOCOL_VERSION_MISMATCH {
        title: "Protocol Version Mismatch" / "协议版本不匹配", Connection, HttpHandshake, V0_2,
        meaning: "The client's protocol version is not compatible with the server's",
        fields: [
            required("server_version"), required("client_version"),
            required("min_supported"), required("max_supported")
        ],
        details: [], reasons: [], retry: No Upgrade,
        user: "This program and the server speak different versions of the protocol. One of them has to be \
               upgraded."
            / "本程序与服务器的协议版本不兼容，需要升级其中一方。",
    }
    /// 4014 MCP Server Not Found; also a well-formed SKILL name that is not installed.
    4014 MCP_SERVER_NOT_FOUND {
        title: "MCP Server Not Found" / "MCP Server 未注册", Routing, Ack, V0_2,
        meaning: "The MCP server is not registered; also a SKILL name that is well formed but unknown, \
                  uninstalled or orphaned",
        fields: [required(SERVER)], details: [optional("name")], reasons: [],
        retry: Once RefreshServers,
        user: "The service that was asked for is not registered any more." / "请求的服务未注册或已下线。",
    }
    /// 4015 MCP Capability Not Supported; never used for SKILLs.
    4015 MCP_CAPABILITY_NOT_SUPPORTED {
        title: "MCP Capability Not Supported" / "MCP 能力不支持", Routing, Ack, V0_2,
        meaning: "The MCP server has not declared the capability; never used for SKILLs",
        fields: [required(SERVER), required("capability")], details: [], reasons: [],
        retry: No SkipServer,
        user: "The service does not support what was asked of it." / "该服务不支持所请求的能力。",
    }
    /// 4016 Invalid Skill Name: the lexer refused the name.
    4016 INVALID_SKILL_NAME {
        title: "Invalid Skill Name" / "SKILL 名称非法", Skill, Ack, V0_2,
        meaning: "The lexer refused the name",
        fields: [], details: [optional("name")], reasons: [], retry: No UseListedName,
        user: "The SKILL name is not valid. Use it exactly as it is listed."
            / "SKILL 名称不合法，请使用列表中给出的名称。",
    }
    /// 4017 Skill Resource Not Accessible: decided when a handle would be minted.
    4017 SKILL_RESOURCE_NOT_ACCESSIBLE {
        title: "Skill Resource Not Accessible" / "SKILL 资源不可访问", Skill, Ack, V0_2,
        meaning: "The file in the SKILL package may not or cannot be served; decided when a handle would be \
                  minted",
        fields: [],
        details: [required("reason"), optional("rel_path"), size("total_size")],
        reasons: [
            reason_text("traversal", Action::FixRequest,
                "The path leads outside the SKILL package.", "该路径超出了 SKILL 包的范围。"),
            reason_text("forbidden", Action::FixRequest,
                "This file may not be read.", "该文件不允许读取。"),
            reason_text("not_found", Action::UseSkillBody,
                "The SKILL package has no such file.", "SKILL 包中没有该文件。"),
            reason_text("too_large", Action::ReportSize,
                "The file is too large to be transferred.", "文件过大，无法传输。")
        ],
        retry: No None,
        user: "The SKILL's file cannot be read." / "无法读取该 SKILL 资源。",
    }
    /// 4018 Blob Not Accessible: decided when bytes are pulled.
    4018 BLOB_NOT_ACCESSIBLE {
        title: "Blob Not Accessible" / "二进制资源不可访问", Blob, Ack, V0_2,
        meaning: "The bytes behind a handle cannot be served; decided when they are pulled",
        fields: [], details: [required("reason")],
        reasons: [
            reason("invalid_handle", Automatic::No, Action::None),
            reason("forbidden", Automatic::No, Action::None),
            reason("gone", Automatic::Once, Action::RemintHandle),
            reason("range", Automatic::Once, Action::FixRange)
        ],
        retry: No None,
        user: "The file can no longer be fetched." / "该二进制资源当前无法获取。",
    }
    /// 4019 Blob Write Failed: registered from dialect 0.3 on.
    4019 BLOB_WRITE_FAILED {
        title: "Blob Write Failed" / "二进制写入失败", Blob, Ack, V0_3,
        meaning: "An upload was refused or could not be written",
        fields: [],
        details: [required("reason"), optional("upload_id"), size("total_size")],
        reasons: [
            reason("invalid_upload", Automatic::No, Action::None),
            reason("invalid_declaration", Automatic::No, Action::None),
            reason("range", Automatic::No, Action::None),
            reason("too_large", Automatic::No, Action::None),
            reason("busy", Automatic::No, Action::None),
            reason("forbidden", Automatic::No, Action::None),
            reason("integrity", Automatic::No, Action::None),
            reason("io_error", Automatic::No, Action::None)
        ],
        retry: No None,
        user: "The file could not be uploaded." / "文件上传失败。",
    }
    /// 4101 Room Full: the room has its agent already.
    4101 ROOM_FULL {
        title: "Room Full" / "房间已有 Agent", Room, Ack, V0_2,
        meaning: "The room has its agent already",
        fields: [], details: [], reasons: [], retry: No None,
        user: "Another agent is already in this room." / "房间中已有其他 Agent。",
    }
    /// 4102 Room Not Found.
    4102 ROOM_NOT_FOUND {
        title: "Room Not Found" / "房间不存在", Room, Ack, V0_2,
        meaning: "The room does not exist",
        fields: [], details: [], reasons: [], retry: No None,
        user: "This room does not exist." / "该房间不存在。",
    }
    /// 4103 Not In Room.
    4103 NOT_IN_ROOM {
        title: "Not In Room" / "未加入房间", Room, Ack, V0_2,
        meaning: "The sender has not joined the room",
        fields: [], details: [], reasons: [], retry: No JoinRoom,
        user: "The room has to be joined first." / "需要先加入房间。",
    }
    /// 4104 Cross Room Access.
    4104 CROSS_ROOM_ACCESS {
        title: "Cross Room Access" / "跨房间访问被拒绝", Room, Ack, V0_2,
        meaning: "Access to another room was refused",
        fields: [], details: [], reasons: [], retry: No None,
        user: "What was asked for belongs to another room." / "不能访问其他房间的资源。",
    }
}

/// The sentence for a code that the registry does not know.
pub const UNKNOWN_USER_MESSAGE: Text = Text {
    en: "The request failed for a reason that this program does not know.",
    zh: "请求失败，原因未知。",
};

/// Whether an integer may be an unregistered protocol code: 400 to 599, or 4000 to 4199.
#[must_use]
pub const fn is_in_reserved_range(code: i64) -> bool {
    matches!(code, 400..=599 | 4000..=4199)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_and_distinct() {
        assert!(ALL.windows(2).all(|pair| pair[0].code < pair[1].code));
        assert_eq!(ALL.len(), 24);
    }

    #[test]
    fn every_code_lies_in_a_reserved_range_and_4900_in_none() {
        assert!(ALL.iter().all(|info| is_in_reserved_range(info.code.get())));
        assert!(!is_in_reserved_range(4900));
        assert!(ErrorCode::new(4900).info().is_none());
    }

    #[test]
    fn only_4019_depends_on_the_dialect() {
        for info in ALL {
            assert_eq!(info.code.is_known(Dialect::V0_2), info.code != ErrorCode::BLOB_WRITE_FAILED);
            assert!(info.code.is_known(Dialect::V0_3));
        }
    }

    #[test]
    fn advice_by_reason() {
        let code = ErrorCode::BLOB_NOT_ACCESSIBLE;
        assert_eq!(code.advice(Some("gone")).action, Action::RemintHandle);
        assert_eq!(code.advice(Some("brand_new")), Advice::NONE);
        assert_eq!(code.advice(None), Advice::NONE);
        assert_eq!(ErrorCode::new(4010).advice(None), Advice::NONE);
        // A code without reasons keeps its advice whatever `details.reason` says.
        assert_eq!(ErrorCode::ROOM_FULL.advice(Some("x")), Advice::NONE);
        assert_eq!(ErrorCode::TIMEOUT.advice(Some("x")).action, Action::Backoff);
    }
}
