import Ackguard
import Foundation

/// An answer has everything that a case may ask about.
package typealias Answer = [String: JSON]

private func answer(_ members: [String: Any?]) -> Answer { members.mapValues(JSON.init) }

private func parsed(_ json: String?) throws -> JSON? { try json.map { try JSON(parsing: $0) } }

/// The operations of one vector file.
package final class Operations {
    private let file: String
    private let steps: [JSON]
    private lazy var tree = Result { try Tree(steps) }

    package init(file: String, tree steps: [JSON]) {
        self.file = file
        self.steps = steps
    }

    /// What is wrong with the file as a whole, once all of its cases have been run.
    package func problems() -> [String] {
        guard file == "rel_paths_fs" else { return [] }
        do {
            let tree = try tree.get()
            try tree.remove()
            return tree.problems()
        } catch { return ["the tree: \(error)"] }
    }

    package func answer(_ input: inout Fields) throws -> Answer {
        let op = try input.text("op")
        switch (file, op) {
        case ("payloads", nil): return try classified(&input)
        case ("payloads", "ack_args"):
            let dialect = try dialect(&input)
            return try told(classifyAckArgs(input.value("args").written, dialect: dialect))
        case ("payloads", "build"): return try build(&input)
        case ("payloads", "public_message"):
            guard let error = try classifyJson(input.needed("json")).error else { throw NotRun("needs an error") }
            let locale = messageLocaleOf(tag: try input.needed("locale"))
            return made(["message": try error.publicMessage(locale: locale)])
        case ("payloads", "guard"):
            let guarded = try guardToolResult(resultJson: input.value("result").written)
            return made([
                "value": try parsed(guarded.json), "paths": guarded.findings.map(\.path).sorted(),
            ])
        case ("payloads", "cancelled_result"):
            return try told(classifyJson(cancelledResult(reason: input.text("reason"))))
        case ("payloads", "timeout_result"): return try told(classifyJson(timeoutResult()))
        case ("payloads", "auth_error_result"):
            let (server, code) = (try input.needed("mcp_server"), ErrorCode(try input.integer("code")))
            let hint = input.take("hint")?.written
            do {
                return try told(
                    classifyJson(authErrorResult(mcpServer: server, code: code, hintJson: hint).json))
            } catch AckguardError.Misuse { return made(["error": "not_an_authorization_code"]) }
        case ("versions", nil): return try version(&input)
        case ("handshake", nil):
            let status = UInt16(try input.integer("status"))
            let headers = texts(try input.value("headers"))
            let body = Data(try input.needed("body").utf8)
            return try refusal(parseHandshakeFailure(status: status, headers: headers, body: body))
        case ("handshake", "text"): return try refusal(parseHandshakeText(text: input.needed("text")))
        case ("handshake", "check"):
            let server = try parseProtocolVersion(text: input.needed("server"))
            guard let refused = try checkHandshake(query: input.needed("query"), server: server) else {
                return made(["accepted": true])
            }
            return made([
                "accepted": false, "status": refused.status, "headers": refused.headers,
                "body": try parsed(refused.body),
            ])
        case ("handshake", "ws_close"):
            return made(["close": try classifyWsClose(code: input.integer("code")).wireName()])
        case ("authorization", nil): return try decision(&input)
        case ("skill_names", nil):
            let name = try input.needed("name")
            return made(["0.2": object(try named(name, .v02)), "0.3": object(try named(name, .v03))])
        case ("skill_names", "build"): return try buildName(&input)
        case ("skill_names", "suggest"):
            let dialect = try dialect(&input)
            return made(["suggestion": try suggestSkillName(text: input.needed("text"), dialect: dialect)])
        case ("auth_hints", nil):
            let strict = try input.flag("strict")
            return try scrubbed(input.value("hint")) { try scrubAuthHint(json: $0, strict: strict) }
        case ("details", nil): return try scrubbed(input.value("details")) { try scrubDetails(json: $0) }
        case ("rel_paths", nil):
            let path = try input.path("rel_path")
            let forbid = (input.take("forbid")?.items ?? []).compactMap(\.text)
            let credentials = try input.flag("credentials")
            return try refusable {
                made(["ok": try checkRelPath(relPath: path, forbid: forbid, credentials: credentials)])
            }
        case ("rel_paths_fs", nil): return try tree.get().read(&input)
        case ("blobs", "check"):
            let (offset, total) = (try input.integer("chunk_offset"), UInt64(try input.integer("total_size")))
            return try refusable {
                let range = try checkBlobRange(chunkOffset: offset, totalSize: total)
                return made(["ok": true, "eof": range.eof])
            }
        case ("blobs", "clamp"):
            let (offset, total) = (try input.integer("chunk_offset"), UInt64(try input.integer("total_size")))
            let (wanted, cap) = (UInt64(try input.integer("wanted")), UInt64(try input.integer("cap")))
            return try refusable {
                let chunk = try clampChunk(chunkOffset: offset, totalSize: total, wanted: wanted, cap: cap)
                return made(["ok": true, "len": chunk.len, "eof": chunk.eof])
            }
        case ("acp", .some(let op)): return try acp(op, &input)
        default: throw NotRun("\(file): does not know the operation \(op ?? "(none)")")
        }
    }

    private func made(_ members: [String: Any?]) -> Answer { members.mapValues(JSON.init) }

    /// As text and as bytes, which have to agree.
    private func classified(_ input: inout Fields) throws -> Answer {
        let dialect = try dialect(&input)
        let text = try input.needed("json")
        let answer = try told(classifyJson(text, dialect: dialect))
        let ofBytes = try told(classifyJson(Data(text.utf8), dialect: dialect))
        if answer != ofBytes { throw AckguardError.Misuse(text: "text and bytes differ") }
        return answer
    }

    private func dialect(_ input: inout Fields) throws -> Dialect {
        guard let name = try input.text("dialect") else { return .v02 }
        guard let dialect = dialectNamed(name: name) else { throw NotRun("dialect \(name)") }
        return dialect
    }

    private func build(_ input: inout Fields) throws -> Answer {
        let dialect = try dialect(&input)
        let (code, message) = (ErrorCode(try input.integer("code")), try input.needed("message"))
        var given = try Fields(input.take("fields") ?? .object([]))
        let fields = ErrorFields(
            server: try given.text("server"), serverVersion: try given.text("server_version"),
            clientVersion: try given.text("client_version"), minSupported: try given.text("min_supported"),
            maxSupported: try given.text("max_supported"), traceId: try given.text("trace_id"),
            detailsJson: input.take("details")?.written)
        try given.done()
        let error = try buildErrorPayload(code: code, message: message, fields: fields, dialect: dialect)
        return made(["payload": try parsed(error.toJson(dialect: dialect))])
    }

    private func version(_ input: inout Fields) throws -> Answer {
        if let text = try input.text("version") {
            do {
                return made(["ok": true, "text": try parseProtocolVersion(text: text).description])
            } catch AckguardError.VersionRefused(let reason, _, _, _) {
                return made(["ok": false, "reason": reason])
            }
        }
        let client = try parseProtocolVersion(text: input.needed("client"))
        let server = try parseProtocolVersion(text: input.needed("server"))
        return made(["compatible": client.isCompatibleWith(server: server)])
    }

    private func refusal(_ refusal: HandshakeRefusal?) throws -> Answer {
        switch refusal {
        case nil: return made(["version_mismatch": false, "code": nil])
        case .versionsDiffer(let mismatch):
            return made([
                "version_mismatch": true, "code": try mismatch.payload().code.rawValue, "message": mismatch.message,
                "server_version": mismatch.serverVersion, "client_version": mismatch.clientVersion,
                "min_supported": mismatch.minSupported, "max_supported": mismatch.maxSupported,
            ])
        case .badRequest(let payload, let serverText):
            return made([
                "version_mismatch": false, "code": payload.code.rawValue, "message": serverText,
            ])
        }
    }

    private func decision(_ input: inout Fields) throws -> Answer {
        let decision: AuthorizationDecision
        if let text = try input.text("text") {
            decision = try decideAuthorizationFromText(text: text)
        } else {
            let (credential, event) = (try input.text("credential"), try input.text("event"))
            decision = try decideAuthorization(
                failure: AuthorizationFailure(
                    httpStatus: input.take("http_status")?.integer,
                    wwwAuthenticate: try input.text("www_authenticate"),
                    oauthError: try input.text("oauth_error"),
                    credential: try credential.map { try called($0, Credential.allCases) { $0.wireName() } },
                    event: try event.map { try called($0, AuthorizationEvent.allCases) { $0.wireName() } },
                    providerFault: try input.flag("provider_fault")))
        }
        return made(["code": decision.code()?.rawValue, "decision": decision.wireName()])
    }

    private func named(_ name: String, _ dialect: Dialect) throws -> Answer {
        do {
            let parsed = try parseSkillName(name: name, dialect: dialect)
            guard try isValidSkillName(name: name, dialect: dialect), parsed.description == name else {
                throw AckguardError.Misuse(text: "valid or not?")
            }
            return made([
                "source": parsed.source.wireName(), "skill": parsed.skill, "plugin": parsed.plugin,
                "server": parsed.server, "hint": parsed.hint,
            ])
        } catch AckguardError.SkillNameRefused(let reason, let segment, let start, let end, _, _, let payload) {
            let units = Array(name.utf16)[Int(start)..<Int(end)]
            return made([
                "error": payload.code.rawValue, "reason": reason.wireName(), "segment": segment,
                "underlined": String(decoding: units, as: UTF16.self),
            ])
        }
    }

    private func buildName(_ input: inout Fields) throws -> Answer {
        let dialect = try dialect(&input)
        let skill = try input.needed("skill")
        do {
            let name =
                switch (try input.text("plugin"), try input.text("server")) {
                case (nil, nil): try userSkillName(skill: skill)
                case (.some(let plugin), nil): try marketplaceSkillName(plugin: plugin, skill: skill)
                case (nil, .some(let server)): try mcpSkillName(server: server, skill: skill, dialect: dialect)
                default: throw NotRun("has both plugin and server")
                }
            return made(["ok": name])
        } catch AckguardError.SkillNameRefused(let reason, let segment, _, _, _, _, let payload) {
            return made([
                "error": payload.code.rawValue, "reason": reason.wireName(), "segment": segment,
            ])
        }
    }

    private func scrubbed(_ given: JSON, _ scrub: (String) throws -> ScrubbedJson) throws -> Answer {
        let scrubbed = try scrub(given.written)
        let again = try scrub(scrubbed.json)
        let value = try JSON(parsing: scrubbed.json)
        return made([
            "text": value.written, "value": value, "findings": findings(scrubbed.findings),
            "clean": scrubbed.findings.isEmpty,
            "idempotent": try again.findings.isEmpty && JSON(parsing: again.json) == value,
        ])
    }

    private func refusable(_ work: () throws -> Answer) throws -> Answer {
        do {
            return try work()
        } catch AckguardError.SkillResourceRefused(let reason, _, _, _, let payload) {
            return made(["error": payload.code.rawValue, "reason": reason.wireName()])
        } catch AckguardError.BlobRefused(let reason, _, _, let payload) {
            return made(["error": payload.code.rawValue, "reason": reason])
        }
    }
}

/// The texts of an object.
private func texts(_ json: JSON) -> [String: String] {
    .init((json.members ?? []).compactMap { it in it.value.text.map { (it.name, $0) } }) { $1 }
}

private func object(_ answer: Answer) -> JSON { JSON(answer as [String: Any?]) }

private func called<T>(_ name: String, _ all: [T], _ wireName: (T) -> String) throws -> T {
    guard let one = all.first(where: { wireName($0) == name }) else { throw NotRun("does not know \(name)") }
    return one
}

private func findings(_ found: [Finding]) -> [Any?] {
    found.map { ["path": $0.path, "category": $0.category, "action": $0.action] as [String: Any?] }
}

/// Everything under one name, whatever the kind; what is not there is null.
private let fields = [
    "auth_hint", "cancel_reason", "capability", "client_version", "code", "details", "error_code", "extra", "findings",
    "id", "known", "max_supported", "mcp_server", "message", "min_supported", "name", "ok", "outcome", "problem",
    "raw_details", "reason", "rpc_code", "server", "server_version", "trace_id",
]

private func told(_ classified: Classified) throws -> Answer {
    var told = Answer(uniqueKeysWithValues: fields.map { ($0, .null) })
    told["kind"] = .string(classified.kind.wireName())
    told["violations"] = JSON(try classified.violations)
    told["retry"] = JSON(
        try classified.retry.map { ["automatic": $0.automatic.wireName(), "action": $0.action] as [String: Any?] })
    let view: [String: Any?] =
        switch try classified.content {
        case .protocolFailure(let it):
            [
                "code": it.code.rawValue, "known": it.known, "message": it.message, "name": it.name,
                "reason": it.reason, "server": it.server, "capability": it.capability,
                "server_version": it.serverVersion, "client_version": it.clientVersion,
                "min_supported": it.minSupported, "max_supported": it.maxSupported,
                "total_size": try parsed(it.totalSize.map(String.init)), "trace_id": it.traceId,
                "details": try parsed(it.detailsJson), "raw_details": try parsed(it.rawDetailsJson),
                "extra": try parsed(it.extraJson),
            ]
        case .toolCall(let it):
            [
                "outcome": it.outcome.wireName(), "error_code": it.errorCode?.rawValue, "mcp_server": it.mcpServer,
                "auth_hint": try parsed(it.authHintJson), "findings": findings(it.findings),
                "cancel_reason": it.cancelReason,
            ]
        case .eventAnswer(let it): ["ok": it.ok, "message": it.message]
        case .rpcFailure(let it):
            [
                "error_code": it.errorCode, "rpc_code": try parsed(it.rpcCodeDigits), "name": it.name,
                "message": it.message, "id": try parsed(it.idJson), "problem": it.problem,
            ]
        case .malformedFailure, .empty, .plainData, .notJson: [:]
        }
    return told.merging(view.mapValues(JSON.init)) { $1 }
}

private func told(_ failure: AcpFailure) throws -> Answer {
    answer([
        "ok": false, "kind": failure.kind.wireName(), "code": failure.code.wireName(),
        "details": try parsed(failure.detailsJson), "message": failure.message,
        "rpc_code": try parsed(failure.rpcCodeDigits), "rpc_message": failure.rpcMessage,
        "data": try parsed(failure.dataJson),
    ])
}

private func acp(_ op: String, _ input: inout Fields) throws -> Answer {
    switch op {
    case "reclassify":
        var failure = try error(&input)
        let counts = try failure.reclassifyHandshake(server: input.needed("server"))
        var answer = try told(failure)
        answer["counts"] = .bool(counts)
        answer["handshake"] = .bool(try failure.isHandshakeFailure())
        return answer
    case "retry":
        let advice = try error(&input).retry()
        return answer(["retryable": advice.retryable, "action": advice.action])
    case "records_last_error": return answer(["recorded": try error(&input).isRecorded()])
    case "readiness":
        let state = try input.needed("state")
        guard case .bool(let turn) = try input.value("has_active_turn") else { throw NotRun("has_active_turn") }
        return answer(["readiness": try readiness(state: state, hasActiveTurn: turn).wireName()])
    case "rpc_code_name": return answer(["name": try rpcCodeName(code: input.integer("code"))])
    case "response": return try response(&input)
    case "config":
        let env = texts(input.take("env") ?? .object([]))
        do {
            _ = try parseAcpConfig(json: input.needed("json"), env: env)
            return answer(["ok": true])
        } catch AckguardError.AcpFailed(let failure, _, _) {
            let problems = try JSON(parsing: failure.detailsJson)["problems"]?.items ?? []
            let places = problems.map { [$0["server"], $0["field"]] as [Any?] }
            return answer(["ok": false, "code": failure.code.wireName(), "problems": places])
        }
    case "initialize_result":
        let result = try input.value("result").written
        return try checked { ["ok": true, "protocol_version": try checkInitializeResult(json: result)] }
    case "session_result":
        let result = try input.value("result").written
        return try checked { ["ok": true, "session_id": try checkSessionResult(json: result)] }
    case "missing_details": return answer(["missing": try error(&input).missingDetails()])
    case "method_not_found_reply":
        let id = try input.value("id").written
        return answer(["reply": try parsed(methodNotFoundReply(idJson: id, method: input.needed("method")))])
    case "ledger": return try ledger(&input)
    default: throw NotRun("acp: does not know the operation \(op)")
    }
}

private func response(_ input: inout Fields) throws -> Answer {
    let timeout = input.take("timeout")?.double
    let seen = AcpObservation(
        line: try input.text("line").map { Data($0.utf8) }, expectedIdJson: input.take("expected_id")?.written,
        exitCode: input.take("exit_code")?.integer, timeout: timeout, ioError: try input.text("io_error"),
        interaction: try input.take("interaction").map { asked in
            var asked = try Fields(asked)
            let interaction = AcpInteraction(
                method: try asked.needed("method"), prompt: try asked.text("prompt") ?? "",
                optionsJson: asked.take("options")?.written)
            try asked.done()
            return interaction
        },
        server: try input.text("server"), method: try input.text("method"))
    guard let failure = try classifyFailure(seen: seen) else { return answer(["ok": true]) }
    return try told(failure)
}

private func checked(_ work: () throws -> [String: Any?]) throws -> Answer {
    do {
        return answer(try work())
    } catch AckguardError.AcpFailed(let failure, _, _) {
        return try told(failure)
    }
}

private func ledger(_ input: inout Fields) throws -> Answer {
    let ledger = ErrorLedger()
    var recorded: [Any?] = []
    var last: [String: Any?] = [:]
    for given in try input.value("steps").items ?? [] {
        var step = try Fields(given)
        let server = try step.needed("server")
        last.updateValue(nil, forKey: server)
        switch try step.needed("do") {
        case "record":
            let failure = try error(&step)
            let at = 1000 * (try step.integer("now_ms"))
            recorded.append(try ledger.record(server: server, failure: failure, atMicros: at))
        case "reset": _ = try ledger.reset(server: server)
        // A turn that went well is not the ledger's business: there is nothing to call.
        case "success": break
        case let other: throw NotRun("does not know the step \(other)")
        }
        try step.done()
    }
    for server in last.keys {
        if let error = try ledger.lastError(server: server) {
            last[server] = ["code": error.code.wireName(), "at_ms": error.atMicros / 1000] as [String: Any?]
        }
    }
    return answer(["recorded": recorded, "last": last])
}

/// The error that a case describes, through the function that makes one of its kind.
private func error(_ input: inout Fields) throws -> AcpFailure {
    var described = try Fields(input.value("error"))
    let details = described.take("details")?.written
    let failure: AcpFailure
    switch try described.needed("kind") {
    case "client":
        let code = try called(described.needed("code"), AcpErrorCode.allCases) { $0.wireName() }
        failure = try acpClientFailure(message: "m", code: code, detailsJson: details)
    case "server_not_found": failure = try acpServerNotFound(name: described.needed("name"), detailsJson: details)
    case "rpc":
        failure = try acpRpcFailure(
            rpcCode: described.integer("rpc_code"), rpcMessage: described.needed("rpc_message"),
            dataJson: described.take("data")?.written, detailsJson: details)
    case "interaction":
        failure = try acpInteractionRequired(
            server: described.needed("server"), method: described.needed("method"),
            prompt: described.text("prompt") ?? "", optionsJson: described.take("options")?.written,
            detailsJson: details)
    case let other: throw NotRun("does not know the error \(other)")
    }
    try described.done()
    return failure
}

/// The tree of `rel_paths_fs`, in which every way to ask for a file has to agree.
private final class Tree {
    private let folder: URL
    private var made: [String] = []
    private var pairs: [String: [String]] = [:]

    init(_ steps: [JSON]) throws {
        let files = FileManager.default
        folder = files.temporaryDirectory.appendingPathComponent("ackguard-\(UUID().uuidString)")
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        made.append(folder.path)
        for step in steps {
            let path = folder.path + "/" + (step["path"]?.text ?? "")
            let target = step["target"]?.text ?? ""
            switch step["op"]?.text {
            case "dir": try files.createDirectory(atPath: path, withIntermediateDirectories: false)
            case "file": try (step["content"]?.text ?? "").write(toFile: path, atomically: false, encoding: .utf8)
            case "symlink": try checked(symlink(target, path))
            case "abs_symlink": try checked(symlink(folder.path + "/" + target, path))
            case "hardlink": try checked(link(folder.path + "/" + target, path))
            case "fifo": try checked(mkfifo(path, 0o600))
            default: throw NotRun("does not know the step \(step)")
            }
            made.append(path)
        }
    }

    /// Takes away what was made, each by its name and the last one first: some of the links lead to the root of the file
    /// system, so nothing here walks through a folder.
    func remove() throws {
        while let path = made.popLast() { try checked(Foundation.remove(path)) }
    }

    private func checked(_ result: Int32) throws {
        if result != 0 { throw NotRun("errno \(errno)") }
    }

    func read(_ input: inout Fields) throws -> Answer {
        let path = try input.path("rel_path")
        let (file, pair, leak) = (try input.text("file"), try input.text("pair"), try input.text("leak"))
        let forbid = (input.take("forbid")?.items ?? []).compactMap(\.text)
        let credentials = try input.flag("credentials")
        let most = input.take("max_size")?.integer.map { UInt64($0) }
        let root = try SkillRoot(
            path: folder.path + "/pkg", maxSize: most, forbid: forbid, credentials: credentials)
        var read = Data()
        let outcomes = [
            try named { read = try root.read(relPath: path) },
            try named { _ = try root.open(relPath: path) },
            try named { _ = try root.size(relPath: path) },
            try named { _ = try root.resolve(relPath: path) },
        ]
        var outcome = outcomes[0]
        let text = String(decoding: read, as: UTF8.self)
        if Set(outcomes).count > 1 {
            outcome = "read, open, size and resolve: \(outcomes)"
        } else if outcome == "ok" {
            if let leak, holds(text, leak) {
                outcome = "leak"
            } else if let file, FileManager.default.contents(atPath: folder.path + "/" + file) != read {
                outcome = "ok, but not \(file): \(text)"
            }
        }
        if let pair { pairs[pair, default: []].append(outcome) }
        return ["outcome": .string(outcome)]
    }

    private func named(_ work: () throws -> Void) throws -> String {
        do {
            try work()
            return "ok"
        } catch AckguardError.SkillResourceRefused(let reason, _, _, _, _) { return reason.wireName() }
    }

    func problems() -> [String] {
        pairs.filter { Set($0.value).count > 1 }.map { "\($0.key): \($0.value)" }
    }
}
