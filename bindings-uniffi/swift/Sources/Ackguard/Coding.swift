import Foundation

/// Classifies a value of the host's own, as `encoder` writes it.
public func classify(
    _ value: some Encodable, dialect: Dialect = .v02, encoder: JSONEncoder = JSONEncoder()
) throws -> Classified {
    try classifyJson(encoder.encode(value), dialect: dialect)
}

extension ErrorPayload {
    /// `details` as a type of the host's own; nil where there are none. Never for the end user.
    public func details<T: Decodable>(as type: T.Type, decoder: JSONDecoder = JSONDecoder()) throws -> T? {
        try decoded(detailsJson, decoder)
    }

    /// The fields at the top level that are not the code's own.
    public func extra<T: Decodable>(as type: T.Type, decoder: JSONDecoder = JSONDecoder()) throws -> T? {
        try decoded(extraJson, decoder)
    }
}

extension ToolResult {
    /// The hint for the user, already scrubbed.
    public func authHint<T: Decodable>(as type: T.Type, decoder: JSONDecoder = JSONDecoder()) throws -> T? {
        try decoded(authHintJson, decoder)
    }
}

extension AcpFailure {
    /// What the host and the agent said about a failure.
    public func details<T: Decodable>(as type: T.Type, decoder: JSONDecoder = JSONDecoder()) throws -> T? {
        try decoded(detailsJson, decoder)
    }

    /// The data of a JSON-RPC error.
    public func data<T: Decodable>(as type: T.Type, decoder: JSONDecoder = JSONDecoder()) throws -> T? {
        try decoded(dataJson, decoder)
    }
}

extension ScrubbedJson {
    /// The clean value.
    public func value<T: Decodable>(as type: T.Type, decoder: JSONDecoder = JSONDecoder()) throws -> T {
        try decoder.decode(type, from: Data(json.utf8))
    }
}

private func decoded<T: Decodable>(_ json: String?, _ decoder: JSONDecoder) throws -> T? {
    guard let json else { return nil }
    return try decoder.decode(T.self, from: Data(json.utf8))
}
