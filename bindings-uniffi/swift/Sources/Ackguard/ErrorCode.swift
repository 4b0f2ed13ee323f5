/// A protocol code: any integer. The registry knows some of them (`info`); the others are kept as they came.
public struct ErrorCode: RawRepresentable, Hashable, Comparable, Codable, Sendable, ExpressibleByIntegerLiteral,
    CustomStringConvertible
{
    /// The number on the wire.
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    public init(integerLiteral value: Int64) { rawValue = value }

    /// The registry's entry; nil for a code that is not registered.
    public var info: CodeInfo? { try? codeInfo(code: self) }

    /// Whether any dialect registers it.
    public var isKnown: Bool { info != nil }

    public static func < (left: ErrorCode, right: ErrorCode) -> Bool { left.rawValue < right.rawValue }

    public var description: String { String(rawValue) }

    /// 400 Bad Request: a schema check failed.
    public static let badRequest = ErrorCode(400)

    /// 401 Unauthorized: authentication failed.
    public static let unauthorized = ErrorCode(401)

    /// 403 Forbidden: the operation is not allowed.
    public static let forbidden = ErrorCode(403)

    /// 404 Not Found: a tool, a Computer or an MCP configuration is missing.
    public static let notFound = ErrorCode(404)

    /// 408 Timeout: a tool call ran past its agreed time.
    public static let timeout = ErrorCode(408)

    /// 500 Internal Error: a failure inside the Server or the Computer.
    public static let internalError = ErrorCode(500)

    /// 4001 Tool Not Found: the MCP server does not know the tool.
    public static let toolNotFound = ErrorCode(4001)

    /// 4002 Tool Disabled.
    public static let toolDisabled = ErrorCode(4002)

    /// 4003 Tool Execution Failed, also an OAuth provider's own fault.
    public static let toolExecutionFailed = ErrorCode(4003)

    /// 4004 Tool Timeout: timeouts only, never a cancellation.
    public static let toolTimeout = ErrorCode(4004)

    /// 4005 Tool Requires Confirmation.
    public static let toolRequiresConfirmation = ErrorCode(4005)

    /// 4006 Tool Authorization Required: never authorized, or no usable credential.
    public static let toolAuthorizationRequired = ErrorCode(4006)

    /// 4007 Tool Authorization Failed: was authorized, is no longer, or lacks permission.
    public static let toolAuthorizationFailed = ErrorCode(4007)

    /// 4008 Protocol Version Mismatch: the body of an HTTP 400, not a WebSocket close code.
    public static let protocolVersionMismatch = ErrorCode(4008)

    /// 4014 MCP Server Not Found; also a well-formed SKILL name that is not installed.
    public static let mcpServerNotFound = ErrorCode(4014)

    /// 4015 MCP Capability Not Supported; never used for SKILLs.
    public static let mcpCapabilityNotSupported = ErrorCode(4015)

    /// 4016 Invalid Skill Name: the lexer refused the name.
    public static let invalidSkillName = ErrorCode(4016)

    /// 4017 Skill Resource Not Accessible: decided when a handle would be minted.
    public static let skillResourceNotAccessible = ErrorCode(4017)

    /// 4018 Blob Not Accessible: decided when bytes are pulled.
    public static let blobNotAccessible = ErrorCode(4018)

    /// 4019 Blob Write Failed: registered from dialect 0.3 on.
    public static let blobWriteFailed = ErrorCode(4019)

    /// 4101 Room Full: the room has its agent already.
    public static let roomFull = ErrorCode(4101)

    /// 4102 Room Not Found.
    public static let roomNotFound = ErrorCode(4102)

    /// 4103 Not In Room.
    public static let notInRoom = ErrorCode(4103)

    /// 4104 Cross Room Access.
    public static let crossRoomAccess = ErrorCode(4104)
}
