import Foundation

/// A JSON value as the runner compares it: numbers as they are written, texts scalar by scalar.
///
/// Not by Foundation: its numbers have the bounds of a machine's, and to Swift two texts are equal, also as the keys of a
/// dictionary, that only look the same.
package enum JSON: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])

    package struct Member: Sendable {
        package var name: String
        package var value: JSON
    }

    package init(parsing text: String) throws {
        var parser = Parser(text)
        self = try parser.whole()
    }

    /// Nil becomes null, a list an array, a dictionary an object.
    package init(_ value: Any?) {
        switch value {
        case nil: self = .null
        case let it as JSON: self = it
        case let it as Bool: self = .bool(it)
        case let it as String: self = .string(it)
        case let it as any BinaryInteger: self = .number(String(it))
        case let it as [Any?]: self = .array(it.map(JSON.init))
        case let it as [String: Any?]: self = .object(it.map { Member(name: $0.key, value: JSON($0.value)) })
        case let it?:
            let mirror = Mirror(reflecting: it)
            guard mirror.displayStyle == .optional else { fatalError("no JSON: \(it)") }
            self = JSON(mirror.children.first?.value)
        }
    }

    package var text: String? { if case .string(let it) = self { it } else { nil } }
    package var integer: Int64? { if case .number(let it) = self { Int64(it) } else { nil } }
    package var double: Double? { if case .number(let it) = self { Double(it) } else { nil } }
    package var items: [JSON]? { if case .array(let it) = self { it } else { nil } }
    package var members: [Member]? { if case .object(let it) = self { it } else { nil } }

    /// The member of a name.
    package subscript(_ name: String) -> JSON? { members?.last { same($0.name, name) }?.value }

    /// Without escaping what need not be escaped.
    package var written: String {
        switch self {
        case .null: "null"
        case .bool(let it): it ? "true" : "false"
        case .number(let it): it
        case .string(let it): quoted(it)
        case .array(let it): "[" + it.map(\.written).joined(separator: ",") + "]"
        case .object(let it):
            "{" + it.map { quoted($0.name) + ":" + $0.value.written }.joined(separator: ",") + "}"
        }
    }

    package func replacing(_ tokens: [(String, String)]) -> JSON {
        func put(_ text: String) -> String {
            guard text.contains("{{") else { return text }
            return tokens.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        }
        return switch self {
        case .string(let it): .string(put(it))
        case .array(let it): .array(it.map { $0.replacing(tokens) })
        case .object(let it):
            .object(it.map { Member(name: put($0.name), value: $0.value.replacing(tokens)) })
        default: self
        }
    }
}

extension JSON: Equatable {
    package static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.number(let left), .number(let right)):
            // Integers digit by digit; 1.0 and 1 are one number.
            if left == right { return true }
            let integers = !(left + right).contains { ".eE".contains($0) }
            return !integers && Double(left) == Double(right)
        case (.string(let left), .string(let right)): return same(left, right)
        case (.array(let left), .array(let right)): return left == right
        case (.object(let left), .object(let right)):
            // Members have no order.
            guard left.count == right.count else { return false }
            let (left, right) = (left.sorted(by: before), right.sorted(by: before))
            return zip(left, right).allSatisfy { same($0.name, $1.name) && $0.value == $1.value }
        default: return false
        }
    }
}

/// Scalar by scalar: to `==` a letter with its accent and the two apart are the same.
package func same(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

/// Whether a text has a part, byte by byte.
package func holds(_ text: String, _ part: String) -> Bool {
    part.isEmpty || Data(text.utf8).range(of: Data(part.utf8)) != nil
}

private func before(_ left: JSON.Member, _ right: JSON.Member) -> Bool {
    left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
}

private func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": out += "\\\""
        case "\\": out += "\\\\"
        // The short forms where JSON has them, as every other language writes them: a case may ask for one.
        case "\n": out += "\\n"
        case "\t": out += "\\t"
        case "\r": out += "\\r"
        case "\u{8}": out += "\\b"
        case "\u{c}": out += "\\f"
        case _ where scalar.value < 0x20:
            let digits = String(scalar.value, radix: 16)
            out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: out.unicodeScalars.append(scalar)
        }
    }
    return out + "\""
}

/// Reads JSON that is known to be some: the files of the cases, and what the library writes.
private struct Parser {
    private let bytes: [UInt8]
    private var at = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func whole() throws -> JSON {
        let value = try value()
        guard next() == nil else { throw wrong("something behind the value") }
        return value
    }

    private func wrong(_ what: String) -> NotRun { NotRun("no JSON: \(what) at byte \(at)") }

    /// The next byte that is no space, which is not taken.
    private mutating func next() -> UInt8? {
        while at < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[at]) { at += 1 }
        return at < bytes.count ? bytes[at] : nil
    }

    private mutating func take(_ byte: Character) -> Bool {
        guard next() == byte.asciiValue else { return false }
        at += 1
        return true
    }

    private mutating func value() throws -> JSON {
        switch next() {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "["):
            at += 1
            var items: [JSON] = []
            if take("]") { return .array(items) }
            repeat { items.append(try value()) } while take(",")
            guard take("]") else { throw wrong("an array without its end") }
            return .array(items)
        case UInt8(ascii: "{"):
            at += 1
            var members: [JSON.Member] = []
            if take("}") { return .object(members) }
            repeat {
                guard next() == UInt8(ascii: "\"") else { throw wrong("a member without a name") }
                let name = try string()
                guard take(":") else { throw wrong("a member without a value") }
                // The last one of a name counts, in its place.
                members.removeAll { same($0.name, name) }
                members.append(JSON.Member(name: name, value: try value()))
            } while take(",")
            guard take("}") else { throw wrong("an object without its end") }
            return .object(members)
        default: return try word()
        }
    }

    private mutating func word() throws -> JSON {
        let start = at
        while at < bytes.count, let scalar = Optional(UnicodeScalar(bytes[at])),
            scalar.properties.isAlphabetic || "+-.0123456789".unicodeScalars.contains(scalar)
        { at += 1 }
        let word = String(decoding: bytes[start..<at], as: UTF8.self)
        switch word {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default:
            guard let first = word.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else {
                throw wrong("neither a word nor a number")
            }
            return .number(word)
        }
    }

    private mutating func string() throws -> String {
        at += 1
        var out: [UInt8] = []
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: out, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard at < bytes.count else { break }
                let escaped = bytes[at]
                at += 1
                switch escaped {
                case UInt8(ascii: "n"): out.append(0x0a)
                case UInt8(ascii: "t"): out.append(0x09)
                case UInt8(ascii: "r"): out.append(0x0d)
                case UInt8(ascii: "b"): out.append(0x08)
                case UInt8(ascii: "f"): out.append(0x0c)
                case UInt8(ascii: "u"):
                    var units = [try unit()]
                    if UTF16.isLeadSurrogate(units[0]), at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
                        bytes[at + 1] == UInt8(ascii: "u")
                    {
                        at += 2
                        units.append(try unit())
                    }
                    out += Array(String(decoding: units, as: UTF16.self).utf8)
                default: out.append(escaped)
                }
            default: out.append(byte)
            }
        }
        throw wrong("a text without its end")
    }

    private mutating func unit() throws -> UInt16 {
        guard at + 4 <= bytes.count,
            let unit = UInt16(String(decoding: bytes[at..<(at + 4)], as: UTF8.self), radix: 16)
        else { throw wrong("no four digits") }
        at += 4
        return unit
    }
}

/// The runner does not know what to do: such a case does not count as run.
package struct NotRun: Error, CustomStringConvertible {
    package let description: String
    package init(_ problem: String) { description = problem }
}

/// Named fields that have to be used up.
package struct Fields {
    private var left: [JSON.Member]

    package init(_ json: JSON) throws {
        guard let members = json.members else { throw NotRun("no object: \(json.written)") }
        left = members
    }

    package mutating func take(_ name: String) -> JSON? {
        guard let at = left.firstIndex(where: { same($0.name, name) }) else { return nil }
        return left.remove(at: at).value
    }

    package mutating func text(_ name: String) throws -> String? {
        guard let value = take(name) else { return nil }
        guard let text = value.text else { throw NotRun("\(name) is \(value.written)") }
        return text
    }

    package mutating func value(_ name: String) throws -> JSON {
        guard let value = take(name) else { throw NotRun("needs the input \(name)") }
        return value
    }

    package mutating func needed(_ name: String) throws -> String {
        guard let text = try text(name) else { throw NotRun("needs the input \(name)") }
        return text
    }

    package mutating func integer(_ name: String) throws -> Int64 {
        guard let integer = try value(name).integer else { throw NotRun("\(name) is no integer") }
        return integer
    }

    package mutating func flag(_ name: String) throws -> Bool {
        switch take(name) {
        case nil: false
        case .bool(let it): it
        case .some(let other): throw NotRun("\(name) is \(other.written)")
        }
    }

    /// A text or null, absent or not.
    package mutating func path(_ name: String) throws -> String? {
        switch take(name) {
        case nil, .null: nil
        case .string(let it): it
        case .some(let other): throw NotRun("\(name) is \(other.written)")
        }
    }

    package func done() throws {
        if !left.isEmpty { throw NotRun("does not know the input \(left.map(\.name).sorted())") }
    }
}
