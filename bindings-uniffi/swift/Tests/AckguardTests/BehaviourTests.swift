import Ackguard
import Foundation
import XCTest

final class BehaviourTests: XCTestCase {
    /// Put together here, so that no scanner takes this file for a leak.
    private let secret = "ghp_" + String(repeating: "a1B2", count: 9)

    func testVersionsAndRegistry() {
        XCTAssertEqual(PROTOCOL_VERSION, "0.2.0")
        XCTAssertNotNil(VERSION.range(of: #"^\d+\.\d+\.\d+"#, options: .regularExpression))
        XCTAssertNil(ErrorCode(4242).info)
        XCTAssertFalse(ErrorCode(4242).isKnown)
        XCTAssertEqual(ErrorCode.roomFull.info?.name, "ROOM_FULL")
    }

    /// The constants are the registry: the failure prints what the file has to say.
    func testConstantsAreTheRegistry() throws {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/Ackguard/ErrorCode.swift")
        let text = try String(contentsOf: source, encoding: .utf8)
        let codes = try codes()
        XCTAssertEqual(text.components(separatedBy: "public static let ").count - 1, codes.count)
        for code in codes {
            let words = code.name.lowercased().split(separator: "_")
            let name = words[0] + words.dropFirst().map(\.capitalized).joined()
            let line = "public static let \(name) = ErrorCode(\(code.code))\n"
            XCTAssertTrue(text.contains(line), line)
        }
    }

    func testEveryOutcomeBySwitch() throws {
        let outcome: String
        switch try classifyJson(#"{"content": [], "isError": true}"#).content {
        case .protocolFailure(let error): outcome = try error.publicMessage()
        case .toolCall(let result): outcome = result.outcome.wireName()
        case .eventAnswer(let result): outcome = "\(result.ok)"
        case .rpcFailure(let error): outcome = error.errorCode
        case .malformedFailure, .empty, .plainData, .notJson: outcome = "other"
        }
        XCTAssertEqual(outcome, "failed")
    }

    private func thrown(_ work: () throws -> Void) throws -> AckguardError {
        do {
            try work()
        } catch let error as AckguardError { return error }
        struct NothingWasThrown: Error {}
        throw NothingWasThrown()
    }

    func testErrorsAreCaughtByTypeAndHaveATextAndFields() throws {
        do {
            _ = try parseSkillName(name: "a:Bé")
            XCTFail("nothing was thrown")
        } catch AckguardError.SkillNameRefused(let reason, let segment, let start, _, let name, let text, let payload) {
            XCTAssertEqual(reason, .badChar)
            XCTAssertEqual(segment, 1)
            XCTAssertEqual(start, 2)
            XCTAssertEqual(name, "a:Bé")
            XCTAssertTrue(text.hasPrefix("invalid SKILL name"))
            XCTAssertEqual(payload.code, .invalidSkillName)
        }
        do {
            _ = try parseSkillName(name: "a:Bé")
        } catch {
            XCTAssertTrue(error.localizedDescription.hasPrefix("invalid SKILL name"), error.localizedDescription)
            XCTAssertEqual((error as? AckguardError)?.code, .invalidSkillName)
        }
        do {
            try classifyJson(#"{"code": 4101, "message": "Room full"}"#).throwIfError()
            XCTFail("nothing was thrown")
        } catch AckguardError.ProtocolFailed(let payload, _) { XCTAssertEqual(payload.code, .roomFull) }
        do {
            try classifyJson(#"{"error": {"code": 4101}}"#).throwIfError()
            XCTFail("nothing was thrown")
        } catch AckguardError.PayloadMalformed(let violations, _, let payload) {
            XCTAssertFalse(violations.isEmpty)
            XCTAssertEqual(payload.code, .internalError)
        }
        XCTAssertEqual(try classifyJson(#"{"tools": []}"#).throwIfError().kind, .data)

        XCTAssertThrowsError(try scrubAuthHint(json: "{")) { guard case AckguardError.Misuse = $0 else { return XCTFail("\($0)") } }
        XCTAssertThrowsError(try SkillRoot(path: "/nowhere/at/all")) {
            guard case AckguardError.PackageUnusable = $0 else { return XCTFail("\($0)") }
        }
        XCTAssertThrowsError(try parseProtocolVersion(text: "v1")) {
            guard case AckguardError.VersionRefused = $0 else { return XCTFail("\($0)") }
        }
        XCTAssertThrowsError(try checkBlobRange(chunkOffset: 5, totalSize: 4)) {
            guard case AckguardError.BlobRefused = $0 else { return XCTFail("\($0)") }
        }
        XCTAssertThrowsError(try checkSessionResult(json: "{}")) {
            guard case AckguardError.AcpFailed(let failure, _, _) = $0 else { return XCTFail("\($0)") }
            // A failure can be thrown as it is.
            XCTAssertEqual((failure as any Error).localizedDescription, failure.message)
        }
    }

    func testNothingThatIsShownHasASecret() throws {
        let text = """
            {"code": 403, "message": "\(secret)", "details": {"token": "\(secret)"}, "x": "\(secret)"}
            """
        let classified = try classifyJson(text)
        let error = try XCTUnwrap(classified.error)
        XCTAssertTrue(try XCTUnwrap(error.detailsJson).contains(secret))
        let tool = try classifyJson(
            #"{"content": [], "meta": {"a2c_cancelled": true, "a2c_cancel_reason": "\#(secret)"}}"#)
        XCTAssertEqual(try tool.toolResult?.cancelReason, secret)
        let rpc = try classifyJson(#"{"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "\#(secret)"}}"#)
        let event = try classifyJson(#"[false, "\#(secret)"]"#)
        let config = #"{"servers": {"a": {"command": "c", "args": ["\#(secret)"], "env": {"A": "\#(secret)"}, "cwd": "/"}}}"#
        let mismatch = VersionMismatch(
            message: secret, serverVersion: secret, clientVersion: nil, minSupported: nil, maxSupported: nil)
        var shown: [Any] = [
            classified, error, tool, rpc, event, mismatch, HandshakeRefusal.versionsDiffer(mismatch: mismatch),
            try acpClientFailure(message: secret, code: .configInvalid, detailsJson: #"{"a": "\#(secret)"}"#),
            AuthorizationFailure(wwwAuthenticate: secret, oauthError: secret),
            ErrorFields(detailsJson: #"{"a": "\#(secret)"}"#),
            AcpObservation(line: Data(secret.utf8), ioError: secret),
            AcpInteraction(method: "m", prompt: secret, optionsJson: #"["\#(secret)"]"#),
        ]
        shown.append(try XCTUnwrap(tool.toolResult))
        shown.append(try XCTUnwrap(rpc.rpcError))
        shown.append(try XCTUnwrap(event.eventResult))
        shown += try parseAcpConfig(json: config, env: [:]) as [Any]
        shown.append(try thrown { try classified.throwIfError() })
        for it in shown {
            XCTAssertFalse("\(it)".contains(secret), "\(it)")
            XCTAssertFalse(String(reflecting: [it]).contains(secret), String(reflecting: [it]))
        }
        var dumped = ""
        dump(classified, to: &dumped)
        XCTAssertFalse(dumped.contains(secret), dumped)
        XCTAssertEqual("\(error)", "403 Forbidden")
    }

    func testEqualThingsAreEqual() throws {
        let text = #"{"code": 404, "message": "m"}"#
        XCTAssertEqual(try classifyJson(text), try classifyJson(Data(text.utf8)))
        XCTAssertEqual(Set([try classifyJson(text), try classifyJson(text)]).count, 1)
        XCTAssertNotEqual(try classifyJson(text), try classifyJson(text, dialect: .v03))
        XCTAssertEqual(try parseSkillName(name: "mcp:a:b"), try parseSkillName(name: "mcp:a:b"))
        XCTAssertEqual(Set([ErrorCode(404), .notFound]).count, 1)
        XCTAssertLessThan(try parseProtocolVersion(text: "0.2.9"), try parseProtocolVersion(text: "0.2.10"))
    }

    func testOddTexts() throws {
        XCTAssertEqual(try classifyJson("").kind, .invalid)
        XCTAssertEqual(try classifyJson(Data()).kind, .invalid)
        XCTAssertEqual(try classifyJson(Data([0x22, 0xff, 0x22])).kind, .invalid)
        XCTAssertEqual(try classifyJson("\"😀\"").kind, .data)
        XCTAssertEqual(try classifyJson("\"" + String(repeating: "x", count: 3 << 20) + "\"").kind, .data)
        let nested = String(repeating: "[", count: 200_000) + String(repeating: "]", count: 200_000)
        XCTAssertEqual(try classifyJson(nested).kind, .data)
        XCTAssertEqual(try classifyAckArgs("[]").kind, .none)
        XCTAssertEqual(try classifyAckArgs("[").kind, .invalid)
        let digits = String(repeating: "9", count: 5000)
        let kept = try classifyJson(#"{"code": 404, "message": "m", "details": {"n": \#(digits)}}"#).error
        XCTAssertEqual(kept?.detailsJson, #"{"n":\#(digits)}"#)
        // A slice of bytes begins elsewhere than at 0.
        let padded = Data("xx{\"tools\": []}xx".utf8)
        XCTAssertEqual(try classifyJson(padded[2..<(padded.count - 2)]).kind, .data)
    }

    func testABuiltErrorIsWhatIsSent() throws {
        let fields = ErrorFields(server: "docs", reason: "r", traceId: "t", detailsJson: #"{"k": [1]}"#)
        let error = try buildErrorPayload(code: .mcpServerNotFound, message: "m", fields: fields)
        struct Sent: Decodable, Equatable {
            struct Details: Decodable, Equatable { let reason: String, trace_id: String, k: [Int] }
            let code: ErrorCode, message: String, mcp_server: String, details: Details
        }
        let sent = try JSONDecoder().decode(Sent.self, from: Data(error.toJson(dialect: .v03).utf8))
        let details = Sent.Details(reason: "r", trace_id: "t", k: [1])
        XCTAssertEqual(sent, Sent(code: 4014, message: "m", mcp_server: "docs", details: details))
        XCTAssertThrowsError(
            try buildErrorPayload(code: 404, message: "m", fields: ErrorFields(detailsJson: "[]")))
    }

    func testValuesOfTheHostGoInAndComeOut() throws {
        struct Ack: Encodable { let code: ErrorCode, message: String, details: [String: String], more: Int }
        let ack = Ack(code: .skillResourceNotAccessible, message: "m", details: ["reason": "too_large"], more: 1)
        let error = try XCTUnwrap(classify(ack).error)
        XCTAssertEqual(error.reason, "too_large")
        XCTAssertEqual(try error.details(as: [String: String].self), ["reason": "too_large"])
        XCTAssertEqual(try error.extra(as: [String: Int].self), ["more": 1])
        let hint = try scrubAuthHint(json: #"{"action": "sign_in", "access_token": "\#(secret)"}"#)
        XCTAssertEqual(try hint.value(as: [String: String].self), ["action": "sign_in"])
        XCTAssertEqual(hint.findings.map(\.path), ["/access_token"])
        var failure = try acpClientFailure(message: "m", code: .requestTimeout, detailsJson: #"{"a": "b"}"#)
        XCTAssertEqual(try failure.details(as: [String: String].self), ["a": "b"])
        XCTAssertTrue(try failure.reclassifyHandshake(server: "helper"))
        XCTAssertEqual(failure.code, .handshakeFail)
    }

    func testFilesAreReadToTheirEnd() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ackguard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("SKILL.md")
        try Data("body".utf8).write(to: file)
        let root = try SkillRoot(path: folder.path)
        XCTAssertEqual(try root.read(), Data("body".utf8))
        let open = try root.open()
        XCTAssertEqual(open.size(), 4)
        XCTAssertEqual(try open.read(limit: 2), Data("bo".utf8))
        XCTAssertEqual(try open.read(limit: 100), Data("dy".utf8))
        XCTAssertEqual(try open.read(limit: 100), Data())
        XCTAssertThrowsError(try root.read(relPath: ".skillenv")) {
            guard case AckguardError.SkillResourceRefused(let reason, _, _, _, _) = $0 else { return XCTFail("\($0)") }
            XCTAssertEqual(reason, .forbidden)
        }
        XCTAssertEqual(remove(file.path), 0)
        XCTAssertEqual(remove(folder.path), 0)
    }

    func testATallyCountsAndMerges() throws {
        let tally = Tally()
        try tally.addJson(json: Data(#"{"code": 4101, "message": "m"}"#.utf8))
        try tally.merge(other: tally)
        XCTAssertEqual(try tally.total(), 2)
        for text in [try tally.toTable(), try tally.toPrometheus(), try tally.toJson()] {
            XCTAssertTrue(text.contains("4101"), text)
        }
        XCTAssertEqual(
            try tally.rows(),
            [
                TallyRow(
                    attributes: [
                        "error.type": .text(text: "ROOM_FULL"), "ackguard.kind": .text(text: "error"),
                        "ackguard.code": .number(number: 4101),
                    ], count: 2)
            ])
    }

    func testBackoffWaitsDouble() throws {
        XCTAssertEqual(try backoff().map { Int($0) }, [1, 2, 4])
        XCTAssertThrowsError(try backoff(maxRetries: 1, cap: -1))
    }

    func testAPanicIsAThrownErrorAndTheProcessLives() throws {
        for _ in 0..<3 {
            XCTAssertThrowsError(try provokeInternalError()) {
                guard case AckguardError.Internal(let text) = $0 else { return XCTFail("\($0)") }
                XCTAssertFalse(text.contains("provoked"))
            }
        }
        XCTAssertEqual(try parseSkillName(name: "audit").skill, "audit")
    }

    func testEightThreadsGetTheAnswersOfOne() throws {
        let texts = (0..<200).map { #"{"code": \#(4000 + $0), "message": "m\#($0)", "details": {"reason": "r\#($0)"}}"# }
        @Sendable func round() throws -> [String] {
            try texts.map { text in
                let classified = try classifyJson(text)
                return try "\(classified.kind) \(classified.error?.reason ?? "-") \(String(describing: classified.retry))"
            }
        }
        let alone = try round()
        let (tally, ledger) = (Tally(), ErrorLedger())
        let busy = try acpClientFailure(message: "m", code: .requestTimeout)
        let wrong = Problems()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            do {
                for _ in 0..<5 where try round() != alone { wrong.add("thread \(thread): other answers") }
                for it in 0..<500 { try tally.addJson(json: Data(texts[it % 200].utf8)) }
                for _ in 0..<500 { _ = try ledger.record(server: "s\(thread)", failure: busy) }
            } catch { wrong.add("thread \(thread): \(error)") }
        }
        XCTAssertEqual(wrong.all, [])
        XCTAssertEqual(try tally.total(), 4000)
        XCTAssertEqual(try ledger.lastError(server: "s7")?.code, .requestTimeout)
    }

    #if os(Linux)
    func testAMillionCallsKeepTheMemoryFlat() throws {
        let ack = Data(#"{"code": 4014, "message": "m", "mcp_server": "docs", "details": {"reason": "x"}}"#.utf8)
        func calls(_ count: Int) throws {
            for it in 0..<count {
                switch it % 10 {
                case 0: guard try classifyJson(ack).error?.reason == "x" else { return XCTFail("another reason") }
                case 1: _ = try? parseSkillName(name: "Audit")
                default: _ = try classifyJson(ack)
                }
            }
        }
        func resident() throws -> Int {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            return Int(line?.filter(\.isNumber) ?? "") ?? 0
        }
        try calls(100_000)
        let before = try resident()
        try calls(1_000_000)
        let grown = try resident() - before
        XCTAssertGreaterThan(before, 0)
        XCTAssertLessThan(grown, 4 * 1024, "grew by \(grown) KiB")
    }
    #endif
}

/// What several threads found wrong.
private final class Problems: @unchecked Sendable {
    private let lock = NSLock()
    private var found: [String] = []

    func add(_ problem: String) { lock.withLock { found.append(problem) } }

    var all: [String] { lock.withLock { found } }
}
