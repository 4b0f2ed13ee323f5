package io.ackguard

/**
 * A protocol code: any integer. The registry knows some of them ([info]); the others are kept as they came.
 */
public data class ErrorCode(
    /** The number on the wire. */
    public val value: Long,
) : Comparable<ErrorCode> {
    /** The registry's entry; null for a code that is not registered. */
    public val info: CodeInfo? get() = codeInfo(this)

    /** Whether any dialect registers it. */
    public val known: Boolean get() = info != null

    override fun compareTo(other: ErrorCode): Int = value.compareTo(other.value)

    override fun toString(): String = value.toString()

    public companion object {
        /** 400 Bad Request: a schema check failed. */
        @JvmField public val BAD_REQUEST: ErrorCode = ErrorCode(400)

        /** 401 Unauthorized: authentication failed. */
        @JvmField public val UNAUTHORIZED: ErrorCode = ErrorCode(401)

        /** 403 Forbidden: the operation is not allowed. */
        @JvmField public val FORBIDDEN: ErrorCode = ErrorCode(403)

        /** 404 Not Found: a tool, a Computer or an MCP configuration is missing. */
        @JvmField public val NOT_FOUND: ErrorCode = ErrorCode(404)

        /** 408 Timeout: a tool call ran past its agreed time. */
        @JvmField public val TIMEOUT: ErrorCode = ErrorCode(408)

        /** 500 Internal Error: a failure inside the Server or the Computer. */
        @JvmField public val INTERNAL_ERROR: ErrorCode = ErrorCode(500)

        /** 4001 Tool Not Found: the MCP server does not know the tool. */
        @JvmField public val TOOL_NOT_FOUND: ErrorCode = ErrorCode(4001)

        /** 4002 Tool Disabled. */
        @JvmField public val TOOL_DISABLED: ErrorCode = ErrorCode(4002)

        /** 4003 Tool Execution Failed, also an OAuth provider's own fault. */
        @JvmField public val TOOL_EXECUTION_FAILED: ErrorCode = ErrorCode(4003)

        /** 4004 Tool Timeout: timeouts only, never a cancellation. */
        @JvmField public val TOOL_TIMEOUT: ErrorCode = ErrorCode(4004)

        /** 4005 Tool Requires Confirmation. */
        @JvmField public val TOOL_REQUIRES_CONFIRMATION: ErrorCode = ErrorCode(4005)

        /** 4006 Tool Authorization Required: never authorized, or no usable credential. */
        @JvmField public val TOOL_AUTHORIZATION_REQUIRED: ErrorCode = ErrorCode(4006)

        /** 4007 Tool Authorization Failed: was authorized, is no longer, or lacks permission. */
        @JvmField public val TOOL_AUTHORIZATION_FAILED: ErrorCode = ErrorCode(4007)

        /** 4008 Protocol Version Mismatch: the body of an HTTP 400, not a WebSocket close code. */
        @JvmField public val PROTOCOL_VERSION_MISMATCH: ErrorCode = ErrorCode(4008)

        /** 4014 MCP Server Not Found; also a well-formed SKILL name that is not installed. */
        @JvmField public val MCP_SERVER_NOT_FOUND: ErrorCode = ErrorCode(4014)

        /** 4015 MCP Capability Not Supported; never used for SKILLs. */
        @JvmField public val MCP_CAPABILITY_NOT_SUPPORTED: ErrorCode = ErrorCode(4015)

        /** 4016 Invalid Skill Name: the lexer refused the name. */
        @JvmField public val INVALID_SKILL_NAME: ErrorCode = ErrorCode(4016)

        /** 4017 Skill Resource Not Accessible: decided when a handle would be minted. */
        @JvmField public val SKILL_RESOURCE_NOT_ACCESSIBLE: ErrorCode = ErrorCode(4017)

        /** 4018 Blob Not Accessible: decided when bytes are pulled. */
        @JvmField public val BLOB_NOT_ACCESSIBLE: ErrorCode = ErrorCode(4018)

        /** 4019 Blob Write Failed: registered from dialect 0.3 on. */
        @JvmField public val BLOB_WRITE_FAILED: ErrorCode = ErrorCode(4019)

        /** 4101 Room Full: the room has its agent already. */
        @JvmField public val ROOM_FULL: ErrorCode = ErrorCode(4101)

        /** 4102 Room Not Found. */
        @JvmField public val ROOM_NOT_FOUND: ErrorCode = ErrorCode(4102)

        /** 4103 Not In Room. */
        @JvmField public val NOT_IN_ROOM: ErrorCode = ErrorCode(4103)

        /** 4104 Cross Room Access. */
        @JvmField public val CROSS_ROOM_ACCESS: ErrorCode = ErrorCode(4104)
    }
}
