//! What `explain` says, in both languages.

use crate::Locale;
use crate::acp::rpc::FrameProblem;
use crate::code::Text;
use crate::payload::{Kind, Outcome, ViolationKind};
use crate::retry::{Action, Automatic};

pub(super) const fn text(en: &'static str, zh: &'static str) -> Text {
    Text { en, zh }
}

/// The labels of the sheet.
pub(super) struct Labels {
    pub(super) event: Text,
    pub(super) what: Text,
    pub(super) who: Text,
    pub(super) retry: Text,
    pub(super) user: Text,
    pub(super) violations: Text,
    pub(super) leaks: Text,
    pub(super) message: Text,
    pub(super) none: Text,
    pub(super) nothing: Text,
    pub(super) frame: Text,
}

pub(super) const LABELS: Labels = Labels {
    event: text("answer to", "事件"),
    what: text("what it is", "是什么"),
    who: text("who acts", "谁来处理"),
    retry: text("retry", "是否重试"),
    user: text("tell the user", "可告知用户"),
    violations: text("violations", "违反约定"),
    leaks: text("leaks", "泄露"),
    message: text("message", "消息"),
    none: text("none", "无"),
    nothing: text("nothing", "无需告知"),
    frame: text("broken frame", "损坏的帧"),
};

pub(super) const fn kind(kind: Kind) -> Text {
    match kind {
        Kind::Error => text("Protocol error", "协议错误"),
        Kind::ToolResult => text("Tool result", "工具结果"),
        Kind::EventResult => text("Answer of an event", "事件的答复"),
        Kind::RpcError => text("JSON-RPC error", "JSON-RPC 错误"),
        Kind::MalformedError => text("Malformed protocol error", "格式错误的协议错误"),
        Kind::None => text("Nothing", "空"),
        Kind::Data => text("Data", "数据"),
        Kind::Invalid => text("Not JSON", "不是 JSON"),
    }
}

/// A sentence for the kinds whose name does not say it all.
pub(super) const fn meaning(kind: Kind) -> Text {
    match kind {
        Kind::Error => text(
            "A code that the registry does not know; it is an error all the same.",
            "注册表中没有的错误码；仍然是一个错误。",
        ),
        Kind::ToolResult => text("What an MCP tool answered.", "MCP 工具的返回。"),
        Kind::EventResult => text("A boolean, and a text where it is false.", "一个布尔值，失败时附带说明。"),
        Kind::RpcError => {
            text("An error of an ACP agent or another JSON-RPC peer.", "ACP 代理或其他 JSON-RPC 对端的错误。")
        }
        Kind::MalformedError => text(
            "It tries to be a protocol error and breaks the contract; it is never unwrapped.",
            "它想表示协议错误，但违反了约定；不会被解包。",
        ),
        Kind::None => text(
            "No answer, as some events give it; by itself no failure.",
            "没有内容的答复，某些事件就是如此；本身不代表失败。",
        ),
        Kind::Data => text("A successful answer, whatever it holds.", "成功的答复，内容不限。"),
        Kind::Invalid => {
            text("The text is not JSON (RFC 8259, in UTF-8).", "该文本不是 JSON（RFC 8259，UTF-8）。")
        }
    }
}

pub(super) const fn outcome(outcome: Outcome) -> Text {
    match outcome {
        Outcome::Cancelled => text("The call was cancelled. That is no error.", "调用已被取消，这不是错误。"),
        Outcome::TimedOut => text(
            "The call ran past its time; the tool may have had its effect.",
            "调用超时；工具可能已经产生效果。",
        ),
        Outcome::AuthorizationRequired => {
            text("The tool cannot be used before the user has authorized it.", "用户授权之前无法使用该工具。")
        }
        Outcome::AuthorizationFailed => text(
            "The authorization does not work any more, or does not cover this.",
            "授权已失效，或不包含此操作。",
        ),
        Outcome::Failed => text("The tool itself failed.", "工具自身执行失败。"),
        Outcome::Completed => text("The call ended well.", "调用成功完成。"),
    }
}

pub(super) const ACCEPTED: Text = text("It was accepted.", "已接受。");
pub(super) const REFUSED: Text = text("It was refused.", "已拒绝。");

pub(super) const fn automatic(automatic: Automatic) -> Text {
    match automatic {
        Automatic::No => text("no", "否"),
        Automatic::Once => text("once, after that", "处理之后可重试一次"),
        Automatic::Optional => text(
            "if the caller wants to: with backoff, 3 times at the most",
            "由调用方决定：退避重试，最多 3 次",
        ),
    }
}

/// Who has to do what.
pub(super) const fn action(action: Action) -> Text {
    match action {
        Action::None => text("nobody: nothing helps", "无人：没有补救办法"),
        Action::FixRequest => text(
            "the developer of the program that asked: correct the request",
            "请求方程序的开发者：修正请求",
        ),
        Action::Reauthenticate => text("the program that asked: sign in again", "请求方程序：重新登录"),
        Action::Backoff => text("the program that asked: wait", "请求方程序：等待"),
        Action::RefreshTools => {
            text("the program that asked: fetch the tool list again", "请求方程序：重新获取工具列表")
        }
        Action::Confirm => text("the user: confirm the call", "用户：确认该调用"),
        Action::Authorize => {
            text("the user, on the Computer's host: authorize the tool", "用户：在 Computer 所在的主机上授权")
        }
        Action::ReviewAuthorization => text(
            "the user, on the Computer's host: check permissions, or authorize anew",
            "用户：在 Computer 所在的主机上检查权限或重新授权",
        ),
        Action::Upgrade => text(
            "the operator: disconnect, then upgrade one of the two sides",
            "运维：断开连接，然后升级其中一方",
        ),
        Action::RefreshServers => text(
            "the program that asked: fetch the server list (for SKILLs: the SKILL list) again",
            "请求方程序：重新获取 Server 列表（SKILL 则为 SKILL 列表）",
        ),
        Action::SkipServer => {
            text("the program that asked: leave this server out", "请求方程序：跳过该 Server")
        }
        Action::UseListedName => text(
            "the program that asked: use the name as get_skills listed it",
            "请求方程序：使用 get_skills 列出的名称",
        ),
        Action::UseSkillBody => text(
            "the program that asked: go on with the SKILL's body alone",
            "请求方程序：仅使用 SKILL 正文继续",
        ),
        Action::ReportSize => text(
            "the program that asked: tell the user the size, or take another way",
            "请求方程序：告知用户大小，或改用其他方式",
        ),
        Action::RemintHandle => text(
            "the program that asked: fetch a new handle from the channel that minted the old one",
            "请求方程序：从原渠道重新获取句柄",
        ),
        Action::FixRange => text("the program that asked: correct the offset", "请求方程序：修正偏移量"),
        Action::JoinRoom => text("the program that asked: join the room", "请求方程序：加入房间"),
        Action::Authenticate => text("the user: sign in to the agent", "用户：登录该代理"),
        Action::ReportBug => {
            text("the developer of the peer that answered: it is a bug", "应答方的开发者：这是缺陷")
        }
        Action::Operator => {
            text("whoever runs the agent process: look at it", "代理进程的运维人员：检查该进程")
        }
    }
}

/// Who has to act where the registry gives no advice.
pub(super) const NOBODY: Text = text("nobody: there is nothing to do", "无人：无需处理");
pub(super) const CALLER: Text = text(
    "the program that asked: it knows why it asked, the text says why it was refused",
    "请求方程序：原因见消息",
);
pub(super) const PEER: Text =
    text("the developer of the peer that answered: correct the payload", "应答方的开发者：修正负载");

pub(super) const CANCELLED: Text = text("The call was cancelled.", "调用已取消。");

pub(super) const fn violation(kind: ViolationKind) -> Text {
    use ViolationKind as V;
    match kind {
        V::CodeFloat => text("the code is written as a float", "错误码写成了浮点数"),
        V::MessageMissing => text("there is no message", "缺少 message"),
        V::MessageType => text("the message is not text", "message 不是文本"),
        V::DetailsType => text("details is not an object", "details 不是对象"),
        V::FieldMissing => text("a required field is missing", "缺少必需字段"),
        V::FieldType => text("a field has the wrong type", "字段类型错误"),
        V::ReasonUnknown => text("the reason is none of the code's", "该错误码没有此 reason"),
        V::DetailsSensitive => text("details holds what it must never hold", "details 含有禁止出现的内容"),
        V::StackTrace => text("there is a stack trace", "含有调用栈"),
        V::ServerConflict => text("both keys name a server, and differ", "两个键给出了不同的 Server"),
        V::TooDeep => text("nested too deeply; cut", "嵌套过深，已截断"),
        V::NestedEnvelope => text("the error is wrapped in an envelope", "错误被包在外层对象里"),
        V::WsCloseCode => text("a WebSocket close code is no error code", "WebSocket 关闭码不是错误码"),
        V::CodeType => text("the code is not an integer", "错误码不是整数"),
        V::LegacyTimeout => text("the timeout marker has no namespace", "超时标记缺少命名空间"),
        V::MarkerType => text(
            "a marker is not a boolean, or error_code not an integer",
            "标记不是布尔值，或 error_code 不是整数",
        ),
        V::IsErrorType => text("isError is not a boolean", "isError 不是布尔值"),
        V::MarkerWithoutIsError => text("a marker stands beside isError false", "标记旁的 isError 为 false"),
        V::MetaType => text("meta is not an object", "meta 不是对象"),
        V::EventShape => text("not exactly a boolean and a text or null", "不是一个布尔值加一个文本或 null"),
    }
}

pub(super) const fn frame(problem: FrameProblem) -> Text {
    match problem {
        FrameProblem::NotJson => text("the line is not JSON", "该行不是 JSON"),
        FrameProblem::Batch => text("a batch, which ACP does not have", "批量消息，ACP 没有"),
        FrameProblem::NotObject => text("the frame is no object", "帧不是对象"),
        FrameProblem::Version => text("jsonrpc is not \"2.0\"", "jsonrpc 不是 \"2.0\""),
        FrameProblem::UnexpectedMethod => {
            text("a method beside a result or an error", "method 与 result 或 error 同时出现")
        }
        FrameProblem::IdType => text("the response has no usable id", "响应没有可用的 id"),
        FrameProblem::IdMismatch => text("the id matches no request", "id 与任何请求都不匹配"),
        FrameProblem::Empty => text("neither result nor error", "既没有 result 也没有 error"),
        FrameProblem::ResultAndError => text("both result and error", "result 与 error 同时出现"),
        FrameProblem::ErrorType => text("error is no object", "error 不是对象"),
        FrameProblem::ErrorCode => text("error.code is no integer", "error.code 不是整数"),
        FrameProblem::ErrorMessage => text("error.message is no text", "error.message 不是文本"),
    }
}

pub(super) fn get(text: Text, locale: Locale) -> &'static str {
    text.get(locale)
}
