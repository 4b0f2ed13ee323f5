import Foundation

/// A classified payload: its `kind` at once, everything else when it is asked for.
///
/// Two are equal if they were made of the same bytes in the same dialect. What can throw throws
/// `AckguardError.Internal` only: nothing about a payload is an error of classification.
public struct Classified: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    private let json: Data
    private let arguments: Bool

    /// The dialect in which the payload was read.
    public let dialect: Dialect

    /// What the payload is.
    public let kind: PayloadKind

    init(json: Data, arguments: Bool, dialect: Dialect) throws {
        let number = try kindOfJson(json: json, arguments: arguments, v03: dialect == .v03)
        self.json = json
        self.arguments = arguments
        self.dialect = dialect
        kind = kinds[Int(number)]
    }

    /// The view that goes with the kind: branch on it with `switch`.
    public var content: Content {
        get throws { try contentOfJson(json: json, arguments: arguments, v03: dialect == .v03) }
    }

    /// The error of a protocol error; nil for every other kind, a malformed one too.
    public var error: ErrorPayload? {
        get throws {
            guard kind == .error, case .protocolFailure(let error) = try content else { return nil }
            return error
        }
    }

    /// What a tool result says, with its hint already scrubbed.
    public var toolResult: ToolResult? {
        get throws {
            guard kind == .toolResult, case .toolCall(let result) = try content else { return nil }
            return result
        }
    }

    /// What an event's answer says.
    public var eventResult: EventResult? {
        get throws {
            guard kind == .eventResult, case .eventAnswer(let result) = try content else { return nil }
            return result
        }
    }

    /// What a JSON-RPC error says.
    public var rpcError: RpcErrorView? {
        get throws {
            guard kind == .rpcError, case .rpcFailure(let error) = try content else { return nil }
            return error
        }
    }

    /// Everything that breaks the contract although it could be understood, such as `reason_unknown`.
    public var violations: [String] {
        get throws { try violationsOfJson(json: json, arguments: arguments, v03: dialect == .v03) }
    }

    /// The retry advice, for every kind that has one.
    public var retry: RetryAdvice? {
        get throws { try retryOfJson(json: json, arguments: arguments, v03: dialect == .v03) }
    }

    /// Throws what the payload says, if it is an error: `AckguardError.ProtocolFailed`, or `PayloadMalformed` for
    /// what tries to be one.
    @discardableResult
    public func throwIfError() throws -> Classified {
        try throwForErrorInJson(json: json, arguments: arguments, v03: dialect == .v03)
        return self
    }

    /// The kind; nothing that a peer wrote.
    public var description: String { "Classified(\(kind.wireName()))" }

    /// For `dump` and debuggers, which would show the payload.
    public var customMirror: Mirror { Mirror(self, children: ["kind": kind, "dialect": dialect]) }
}

private let kinds = PayloadKind.allCases

/// Classifies JSON, which should be UTF-8. What is not JSON is of the kind `invalid`.
public func classifyJson(_ json: Data, dialect: Dialect = .v02) throws -> Classified {
    try Classified(json: json, arguments: false, dialect: dialect)
}

/// Classifies JSON text.
public func classifyJson(_ json: String, dialect: Dialect = .v02) throws -> Classified {
    try Classified(json: Data(json.utf8), arguments: false, dialect: dialect)
}

/// Classifies the argument list with which some Socket.IO clients call an ack callback: a JSON array.
public func classifyAckArgs(_ json: String, dialect: Dialect = .v02) throws -> Classified {
    try Classified(json: Data(json.utf8), arguments: true, dialect: dialect)
}
