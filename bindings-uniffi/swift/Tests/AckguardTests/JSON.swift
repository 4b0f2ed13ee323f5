import Foundation

/// A JSON value as the runner compares it.
enum JSON: Hashable, Decodable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(from decoder: Decoder) throws {
        let box = try decoder.singleValueContainer()
        if box.decodeNil() {
            self = .null
        } else if let it = try? box.decode(Bool.self) {
            self = .bool(it)
        } else if let it = try? box.decode(Int64.self) {
            self = .integer(it)
        } else if let it = try? box.decode(Double.self) {
            self = .number(it)
        } else if let it = try? box.decode(String.self) {
            self = .string(it)
        } else if let it = try? box.decode([JSON].self) {
            self = .array(it)
        } else {
            self = .object(try box.decode([String: JSON].self))
        }
    }

    init(parsing text: String) throws {
        self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
    }

    /// Nil becomes null, a list an array.
    init(_ value: Any?) {
        switch value {
        case nil: self = .null
        case let it as JSON: self = it
        case let it as Bool: self = .bool(it)
        case let it as String: self = .string(it)
        case let it as any BinaryInteger: self = .integer(Int64(it))
        case let it as [Any?]: self = .array(it.map(JSON.init))
        case let it as [String: Any?]: self = .object(it.mapValues(JSON.init))
        default: fatalError("no JSON: \(String(describing: value))")
        }
    }

    var text: String? { if case .string(let it) = self { it } else { nil } }
    var integer: Int64? { if case .integer(let it) = self { it } else { nil } }
    var items: [JSON]? { if case .array(let it) = self { it } else { nil } }
    var members: [String: JSON]? { if case .object(let it) = self { it } else { nil } }

    /// Without escaping what need not be escaped.
    var written: String {
        switch self {
        case .null: "null"
        case .bool(let it): it ? "true" : "false"
        case .integer(let it): String(it)
        case .number(let it): String(it)
        case .string(let it): quoted(it)
        case .array(let it): "[" + it.map(\.written).joined(separator: ",") + "]"
        case .object(let it): "{" + it.map { quoted($0.key) + ":" + $0.value.written }.joined(separator: ",") + "}"
        }
    }

    func replacing(_ tokens: [String: String]) -> JSON {
        func put(_ text: String) -> String {
            guard text.contains("{{") else { return text }
            return tokens.reduce(text) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
        }
        return switch self {
        case .string(let it): .string(put(it))
        case .array(let it): .array(it.map { $0.replacing(tokens) })
        case .object(let it):
            .object(.init(uniqueKeysWithValues: it.map { (put($0.key), $0.value.replacing(tokens)) }))
        default: self
        }
    }
}

private func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": out += "\\\""
        case "\\": out += "\\\\"
        case _ where scalar.value < 0x20: out += String(format: "\\u%04x", scalar.value)
        default: out.unicodeScalars.append(scalar)
        }
    }
    return out + "\""
}

/// The runner does not know what to do: such a case does not count as run.
struct NotRun: Error, CustomStringConvertible {
    let description: String
    init(_ problem: String) { description = problem }
}

/// Named fields that have to be used up.
struct Fields {
    private var left: [String: JSON]

    init(_ json: JSON) throws {
        guard let members = json.members else { throw NotRun("no object: \(json.written)") }
        left = members
    }

    mutating func take(_ name: String) -> JSON? { left.removeValue(forKey: name) }

    mutating func text(_ name: String) throws -> String? {
        guard let value = left[name] else { return nil }
        guard let text = value.text else { throw NotRun("\(name) is \(value.written)") }
        left[name] = nil
        return text
    }

    mutating func value(_ name: String) throws -> JSON {
        guard let value = take(name) else { throw NotRun("needs the input \(name)") }
        return value
    }

    mutating func needed(_ name: String) throws -> String {
        guard let text = try text(name) else { throw NotRun("needs the input \(name)") }
        return text
    }

    mutating func integer(_ name: String) throws -> Int64 {
        guard let integer = try value(name).integer else { throw NotRun("\(name) is no integer") }
        return integer
    }

    mutating func flag(_ name: String) throws -> Bool {
        switch take(name) {
        case nil: false
        case .bool(let it): it
        case .some(let other): throw NotRun("\(name) is \(other.written)")
        }
    }

    /// A text or null, absent or not.
    mutating func path(_ name: String) throws -> String? {
        switch take(name) {
        case nil, .null: nil
        case .string(let it): it
        case .some(let other): throw NotRun("\(name) is \(other.written)")
        }
    }

    func done() throws {
        if !left.isEmpty { throw NotRun("does not know the input \(left.keys.sorted())") }
    }
}
