import Foundation
import XCTest

@testable import Ackguard

/// Runs every shared case through the public functions. Swift sees text and bytes: a payload goes in as JSON text, and
/// the same bytes have to give the same answer.
final class VectorsTests: XCTestCase {
    func testEveryCaseOfEveryFile() throws {
        let environment = ProcessInfo.processInfo.environment
        let folder = URL(fileURLWithPath: environment["ACKGUARD_VECTORS"] ?? "../../tests/vectors")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" && $0.lastPathComponent != "schema.json" }
            .sorted { $0.path < $1.path }
        var ran: [String] = []
        var problems: [String] = []
        for file in files {
            let json = try JSON(parsing: String(contentsOf: file, encoding: .utf8))
            guard let all = json.members, let cases = all["cases"]?.items else { throw NotRun("\(file) has no cases") }
            let tokens = (all["tokens"]?.members ?? [:]).map { name, parts in
                ("{{\(name)}}", (parts.items ?? []).compactMap(\.text).joined())
            }
            let operations = Operations(
                file: file.deletingPathExtension().lastPathComponent, tree: all["tree"]?.items ?? [])
            for given in cases {
                var fields = given.replacing(.init(uniqueKeysWithValues: tokens)).members ?? [:]
                guard let id = fields.removeValue(forKey: "id")?.text,
                    let expect = fields.removeValue(forKey: "expect")
                else { throw NotRun("a case of \(file) has no id or expects nothing") }
                fields["why"] = nil
                fields["note"] = nil
                // The cases of rel_paths_fs keep what goes in beside the id.
                let beside = fields["input"]
                if beside != nil, fields.count > 1 { throw NotRun("\(id) has unknown fields beside input") }
                var wrong: [String]
                do {
                    var input = try Fields(beside ?? .object(fields))
                    let answer = try operations.answer(&input)
                    try input.done()
                    wrong = compare(answer, expect)
                } catch let problem as NotRun {
                    problems.append("\(id): \(problem)")
                    continue
                } catch {
                    wrong = ["threw \(error)"]
                }
                ran.append(id)
                if !wrong.isEmpty { problems.append("\(id): \(wrong.joined(separator: "; "))") }
            }
            problems += operations.problems()
        }
        if let census = environment["ACKGUARD_CENSUS"] {
            try FileManager.default.createDirectory(atPath: census, withIntermediateDirectories: true)
            try JSON(["language": "swift", "ids": ran] as [String: Any?]).written
                .write(toFile: census + "/swift.json", atomically: true, encoding: .utf8)
        }
        XCTAssert(
            problems.isEmpty,
            "\(problems.count) problems, \(ran.count) cases run:\n\(problems.joined(separator: "\n"))")
    }

    private func compare(_ answer: [String: JSON], _ expect: JSON) -> [String] {
        if let outcomes = expect.items {
            // Several outcomes are right.
            let outcome = answer["outcome"] ?? .null
            return outcomes.contains(outcome) ? [] : ["\(outcome.written), not \(expect.written)"]
        }
        var problems: [String] = []
        if answer["idempotent"] == .bool(false) { problems.append("a second time there is still something to find") }
        for (field, expected) in expect.members ?? [:] {
            switch (field, answer[field]) {
            case ("0.2", .object(let answer)), ("0.3", .object(let answer)):
                problems += compare(answer, expected).map { "in \(field) \($0)" }
            case ("must_contain", nil), ("must_not_contain", nil):
                let wanted = field == "must_contain"
                let text = answer["text"]?.text ?? ""
                let findings = answer["findings"]?.written ?? ""
                for part in (expected.items ?? []).compactMap(\.text)
                where text.contains(part) != wanted || (!wanted && findings.contains(part)) {
                    problems.append("\(field) \(part): \(text), findings \(findings)")
                }
            case (_, nil): problems.append("does not know the expectation \(field)")
            case (_, .some(let actual)):
                if actual != expected { problems.append("\(field) is \(actual.written), not \(expected.written)") }
            }
        }
        return problems
    }
}
