import AckguardCases
import Foundation
import XCTest

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
            guard let cases = json["cases"]?.items else { throw NotRun("\(file) has no cases") }
            let tokens = (json["tokens"]?.members ?? []).map { it in
                ("{{\(it.name)}}", (it.value.items ?? []).compactMap(\.text).joined())
            }
            let operations = Operations(
                file: file.deletingPathExtension().lastPathComponent, tree: json["tree"]?.items ?? [])
            for given in cases {
                var fields = try Fields(given.replacing(tokens))
                guard let id = fields.take("id")?.text, let expect = fields.take("expect")
                else { throw NotRun("a case of \(file) has no id or expects nothing") }
                _ = fields.take("why")
                _ = fields.take("note")
                // The cases of rel_paths_fs keep what goes in beside the id.
                var input = fields
                if let given = fields.take("input") {
                    try fields.done()
                    input = try Fields(given)
                }
                var wrong: [String]
                do {
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
        for it in expect.members ?? [] {
            let (field, expected) = (it.name, it.value)
            switch (field, answer[field]) {
            case ("0.2", .object(let members)), ("0.3", .object(let members)):
                let answer = Dictionary(members.map { ($0.name, $0.value) }) { $1 }
                problems += compare(answer, expected).map { "in \(field) \($0)" }
            case ("must_contain", nil), ("must_not_contain", nil):
                let wanted = field == "must_contain"
                let text = answer["text"]?.text ?? ""
                let findings = answer["findings"]?.written ?? ""
                for part in (expected.items ?? []).compactMap(\.text)
                where holds(text, part) != wanted || (!wanted && holds(findings, part)) {
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
