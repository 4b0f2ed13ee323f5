package io.ackguard

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.ObjectNode
import java.io.File
import java.io.IOException
import java.nio.file.FileVisitResult
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.SimpleFileVisitor
import java.nio.file.attribute.BasicFileAttributes

private fun answer(vararg members: Pair<String, Any?>): JsonNode = Json.of(mapOf(*members))

/** The operations of one vector file. An answer has everything that a case may ask about. */
internal class Operations(private val file: VectorFile) {
    private val tree by lazy { Tree(file.json.get("tree")) }

    fun problems(): List<String> {
        if (file.name != "rel_paths_fs") return listOf()
        return tree.problems().also { tree.remove() }
    }

    fun answer(input: Fields): JsonNode {
        val op = input.text("op")
        return when (file.name to op) {
            "payloads" to null -> classified(input)
            "payloads" to "ack_args" -> told(classifyAckArgs(input.value("args").toString(), input.dialect()))
            "payloads" to "build" -> build(input)
            "payloads" to "public_message" -> {
                val error = classifyJson(input.needed("json")).error ?: throw NotRun("needs an error")
                answer("message" to error.publicMessage(messageLocaleOf(input.needed("locale"))))
            }
            "payloads" to "guard" -> {
                val guarded = guardToolResult(input.value("result").toString())
                answer(
                    "value" to Json.parse(guarded.json),
                    "paths" to guarded.findings.map { it.path }.sorted(),
                )
            }
            "payloads" to "cancelled_result" -> told(classifyJson(cancelledResult(input.text("reason"))))
            "payloads" to "timeout_result" -> told(classifyJson(timeoutResult()))
            "payloads" to "auth_error_result" -> authErrorResult(input)
            "versions" to null -> version(input)
            "handshake" to null -> {
                val headers = input.value("headers").properties().associate { it.key to it.value.textValue() }
                val status = input.integer("status").toUShort()
                refusal(parseHandshakeFailure(status, headers, input.needed("body").toByteArray()))
            }
            "handshake" to "text" -> refusal(parseHandshakeText(input.needed("text")))
            "handshake" to "check" -> handshake(input)
            "handshake" to "ws_close" ->
                answer("close" to classifyWsClose(input.integer("code")).wireName())
            "authorization" to null -> decision(input)
            "skill_names" to null -> names(input.needed("name"))
            "skill_names" to "build" -> buildName(input)
            "skill_names" to "suggest" ->
                input.dialect().let { answer("suggestion" to suggestSkillName(input.needed("text"), it)) }
            "auth_hints" to null -> {
                val strict = input.flag("strict")
                scrubbed(input.value("hint")) { scrubAuthHint(it, strict) }
            }
            "details" to null -> scrubbed(input.value("details")) { scrubDetails(it) }
            "rel_paths" to null -> relPath(input)
            "rel_paths_fs" to null -> tree.read(input)
            "blobs" to "check" -> refusable {
                val range = checkBlobRange(input.integer("chunk_offset"), input.integer("total_size").toULong())
                answer("ok" to true, "eof" to range.eof)
            }
            "blobs" to "clamp" -> refusable {
                val chunk = clampChunk(
                    input.integer("chunk_offset"),
                    input.integer("total_size").toULong(),
                    input.integer("wanted").toULong(),
                    input.integer("cap").toULong(),
                )
                answer("ok" to true, "len" to chunk.len, "eof" to chunk.eof)
            }
            else -> if (file.name == "acp" && op != null) {
                acp(op, input)
            } else {
                throw NotRun("${file.name}: does not know the operation $op")
            }
        }
    }

    /** As text and as bytes, which have to agree. */
    private fun classified(input: Fields): JsonNode {
        val dialect = input.dialect()
        val text = input.needed("json")
        val answer = told(classifyJson(text, dialect))
        val ofBytes = told(classifyJson(text.toByteArray(), dialect))
        if (answer != ofBytes) throw IllegalStateException("as text $answer, as bytes $ofBytes")
        return answer
    }

    private fun build(input: Fields): JsonNode {
        val dialect = input.dialect()
        val code = ErrorCode(input.integer("code"))
        val message = input.needed("message")
        val given = Fields(input.take("fields") ?: Json.of(mapOf<String, String>()))
        val fields = ErrorFields(
            server = given.text("server"),
            serverVersion = given.text("server_version"),
            clientVersion = given.text("client_version"),
            minSupported = given.text("min_supported"),
            maxSupported = given.text("max_supported"),
            traceId = given.text("trace_id"),
            detailsJson = input.take("details")?.toString(),
        )
        given.done()
        val error = buildErrorPayload(code, message, fields, dialect)
        return answer("payload" to Json.parse(error.toJson(dialect)))
    }

    private fun authErrorResult(input: Fields): JsonNode {
        val server = input.needed("mcp_server")
        val code = ErrorCode(input.integer("code"))
        val hint = input.take("hint")?.toString()
        return try {
            told(classifyJson(authErrorResult(server, code, hint).json))
        } catch (_: AckguardException.Misuse) {
            answer("error" to "not_an_authorization_code")
        }
    }

    private fun version(input: Fields): JsonNode {
        input.text("version")?.let { text ->
            return try {
                answer("ok" to true, "text" to parseProtocolVersion(text).toString())
            } catch (refused: AckguardException.VersionRefused) {
                answer("ok" to false, "reason" to refused.reason)
            }
        }
        val client = parseProtocolVersion(input.needed("client"))
        val server = parseProtocolVersion(input.needed("server"))
        return answer("compatible" to client.isCompatibleWith(server))
    }

    private fun refusal(refusal: HandshakeRefusal?): JsonNode = when (refusal) {
        null -> answer("version_mismatch" to false, "code" to null)
        is HandshakeRefusal.VersionsDiffer -> answer(
            "version_mismatch" to true,
            "code" to refusal.mismatch.payload().code,
            "message" to refusal.mismatch.message,
            "server_version" to refusal.mismatch.serverVersion,
            "client_version" to refusal.mismatch.clientVersion,
            "min_supported" to refusal.mismatch.minSupported,
            "max_supported" to refusal.mismatch.maxSupported,
        )
        is HandshakeRefusal.BadRequest -> answer(
            "version_mismatch" to false,
            "code" to refusal.payload.code,
            "message" to refusal.serverText,
        )
    }

    private fun handshake(input: Fields): JsonNode {
        val server = parseProtocolVersion(input.needed("server"))
        val refused = checkHandshake(input.needed("query"), server) ?: return answer("accepted" to true)
        return answer(
            "accepted" to false,
            "status" to refused.status,
            "headers" to refused.headers,
            "body" to Json.parse(refused.body),
        )
    }

    private fun decision(input: Fields): JsonNode {
        val text = input.text("text")
        val decision = if (text != null) {
            decideAuthorizationFromText(text)
        } else {
            decideAuthorization(
                AuthorizationFailure(
                    httpStatus = input.take("http_status")?.longValue(),
                    wwwAuthenticate = input.text("www_authenticate"),
                    oauthError = input.text("oauth_error"),
                    credential = input.text("credential")?.let { Credential.valueOf(it.uppercase()) },
                    event = input.text("event")?.let { AuthorizationEvent.valueOf(it.uppercase()) },
                    providerFault = input.flag("provider_fault"),
                ),
            )
        }
        return answer("code" to decision.code(), "decision" to decision.wireName())
    }

    private fun names(name: String): JsonNode = answer("0.2" to named(name, Dialect.V02), "0.3" to named(name, Dialect.V03))

    private fun named(name: String, dialect: Dialect): JsonNode = try {
        val parsed = parseSkillName(name, dialect)
        check(isValidSkillName(name, dialect) && parsed.toString() == name)
        answer(
            "source" to parsed.source.wireName(),
            "skill" to parsed.skill,
            "plugin" to parsed.plugin,
            "server" to parsed.server,
            "hint" to parsed.hint,
        )
    } catch (refused: AckguardException.SkillNameRefused) {
        check(!isValidSkillName(name, dialect))
        refused(refused, "underlined" to name.substring(refused.spanStart.toInt(), refused.spanEnd.toInt()))
    }

    private fun buildName(input: Fields): JsonNode {
        val dialect = input.dialect()
        val skill = input.needed("skill")
        val plugin = input.text("plugin")
        val server = input.text("server")
        return try {
            answer(
                "ok" to when {
                    plugin != null && server != null -> throw NotRun("has both plugin and server")
                    plugin != null -> marketplaceSkillName(plugin, skill)
                    server != null -> mcpSkillName(server, skill, dialect)
                    else -> userSkillName(skill)
                },
            )
        } catch (refused: AckguardException.SkillNameRefused) {
            refused(refused)
        }
    }

    private fun refused(refused: AckguardException.SkillNameRefused, vararg more: Pair<String, Any?>): JsonNode = answer(
        "error" to refused.payload.code,
        "reason" to refused.reason.wireName(),
        "segment" to refused.segment?.toInt(),
        *more,
    )

    private fun scrubbed(given: JsonNode, scrub: (String) -> ScrubbedJson): JsonNode {
        val scrubbed = scrub(given.toString())
        val again = scrub(scrubbed.json)
        val value = Json.parse(scrubbed.json)
        return answer(
            "text" to value.toString(),
            "value" to value,
            "findings" to findings(scrubbed.findings),
            "clean" to scrubbed.findings.isEmpty(),
            "idempotent" to (again.findings.isEmpty() && Json.parse(again.json) == value),
        )
    }

    private fun relPath(input: Fields): JsonNode {
        val path = input.take("rel_path")?.textValue()
        val forbid = input.take("forbid")?.map { it.textValue() } ?: listOf()
        val credentials = input.flag("credentials")
        return refusable { answer("ok" to checkRelPath(path, forbid, credentials)) }
    }

    private fun refusable(work: () -> JsonNode): JsonNode = try {
        work()
    } catch (refused: AckguardException.SkillResourceRefused) {
        answer("error" to refused.payload.code, "reason" to refused.reason.wireName())
    } catch (refused: AckguardException.BlobRefused) {
        answer("error" to refused.payload.code, "reason" to refused.reason)
    }
}

private fun findings(found: List<Finding>): List<Any> =
    found.map { mapOf("path" to it.path, "category" to it.category, "action" to it.action) }

private fun parsed(json: String?): JsonNode? = json?.let(Json::parse)

/** Everything under one name, whatever the kind; what is not there is null. */
private val FIELDS = listOf(
    "auth_hint", "cancel_reason", "capability", "client_version", "code", "details", "error_code", "extra", "findings",
    "id", "known", "max_supported", "mcp_server", "message", "min_supported", "name", "ok", "outcome", "problem",
    "raw_details", "reason", "rpc_code", "server", "server_version", "total_size", "trace_id",
)

private fun told(classified: Classified): JsonNode {
    val members: MutableMap<String, Any?> = FIELDS.associateWith { null }.toMutableMap()
    members["kind"] = classified.kind.wireName()
    members["violations"] = classified.violations
    members["retry"] = classified.retry?.let { mapOf("automatic" to it.automatic.wireName(), "action" to it.action) }
    members += when (val content = classified.content) {
        is Content.ProtocolFailure -> content.error.let {
            mapOf(
                "code" to it.code,
                "known" to it.known,
                "message" to it.message,
                "name" to it.name,
                "reason" to it.reason,
                "server" to it.server,
                "capability" to it.capability,
                "server_version" to it.serverVersion,
                "client_version" to it.clientVersion,
                "min_supported" to it.minSupported,
                "max_supported" to it.maxSupported,
                "total_size" to it.totalSize?.let { size -> Json.parse(size.toString()) },
                "trace_id" to it.traceId,
                "details" to parsed(it.detailsJson),
                "raw_details" to parsed(it.rawDetailsJson),
                "extra" to parsed(it.extraJson),
            )
        }
        is Content.ToolCall -> content.result.let {
            mapOf(
                "outcome" to it.outcome.wireName(),
                "error_code" to it.errorCode,
                "mcp_server" to it.mcpServer,
                "auth_hint" to parsed(it.authHintJson),
                "findings" to findings(it.findings),
                "cancel_reason" to it.cancelReason,
            )
        }
        is Content.EventAnswer -> mapOf("ok" to content.result.ok, "message" to content.result.message)
        is Content.RpcFailure -> content.error.let {
            mapOf(
                "error_code" to it.errorCode,
                "rpc_code" to parsed(it.rpcCodeDigits),
                "name" to it.name,
                "message" to it.message,
                "id" to parsed(it.idJson),
                "problem" to it.problem,
            )
        }
        Content.MalformedFailure, Content.Empty, Content.PlainData, Content.NotJson -> mapOf()
    }
    return Json.of(members)
}

private fun told(failure: AcpFailure): JsonNode = answer(
    "ok" to false,
    "kind" to failure.kind.wireName(),
    "code" to failure.code.wireName(),
    "details" to parsed(failure.detailsJson),
    "message" to failure.message,
    "rpc_code" to parsed(failure.rpcCodeDigits),
    "rpc_message" to failure.rpcMessage,
    "data" to parsed(failure.dataJson),
)

private fun acp(op: String, input: Fields): JsonNode = when (op) {
    "reclassify" -> {
        val made = reclassifyHandshake(error(input), input.needed("server"))
        val answer = told(made.failure) as ObjectNode
        answer.put("counts", made.counts)
        answer.put("handshake", made.failure.isHandshakeFailure())
    }
    "retry" -> error(input).retry().let { answer("retryable" to it.retryable, "action" to it.action) }
    "records_last_error" -> answer("recorded" to error(input).isRecorded())
    "readiness" -> {
        val state = input.needed("state")
        answer("readiness" to readiness(state, input.value("has_active_turn").booleanValue()).wireName())
    }
    "rpc_code_name" -> answer("name" to rpcCodeName(input.integer("code")))
    "response" -> {
        val seen = AcpObservation(
            line = input.text("line")?.toByteArray(),
            expectedIdJson = input.take("expected_id")?.toString(),
            exitCode = input.take("exit_code")?.longValue(),
            timeout = input.take("timeout")?.doubleValue(),
            ioError = input.text("io_error"),
            interaction = input.take("interaction")?.let { asked(it) },
            server = input.text("server"),
            method = input.text("method"),
        )
        classifyFailure(seen)?.let(::told) ?: answer("ok" to true)
    }
    "config" -> {
        val env = input.take("env")?.properties()?.associate { it.key to it.value.textValue() } ?: mapOf()
        try {
            parseAcpConfig(input.needed("json"), env)
            answer("ok" to true)
        } catch (failed: AckguardException.AcpFailed) {
            val problems = Json.parse(failed.failure.detailsJson).get("problems")
            answer(
                "ok" to false,
                "code" to failed.failure.code.wireName(),
                "problems" to problems.map { listOf(it.get("server"), it.get("field")) },
            )
        }
    }
    "initialize_result" -> checked {
        answer("ok" to true, "protocol_version" to checkInitializeResult(input.value("result").toString()))
    }
    "session_result" -> checked {
        answer("ok" to true, "session_id" to checkSessionResult(input.value("result").toString()))
    }
    "missing_details" -> answer("missing" to error(input).missingDetails())
    "method_not_found_reply" -> {
        val id = input.value("id").toString()
        answer("reply" to Json.parse(methodNotFoundReply(id, input.needed("method"))))
    }
    "ledger" -> ledger(input)
    else -> throw NotRun("acp: does not know the operation $op")
}

private fun checked(work: () -> JsonNode): JsonNode = try {
    work()
} catch (failed: AckguardException.AcpFailed) {
    told(failed.failure)
}

private fun ledger(input: Fields): JsonNode = ErrorLedger().use { ledger ->
    val recorded = mutableListOf<Boolean>()
    val last = mutableMapOf<String, Any?>()
    for (given in input.value("steps")) {
        val step = Fields(given)
        val server = step.needed("server")
        last[server] = null
        when (val act = step.needed("do")) {
            "record" -> recorded += ledger.record(server, error(step), 1000 * step.integer("now_ms"))
            "reset" -> ledger.reset(server)
            // A turn that went well is not the ledger's business: there is nothing to call.
            "success" -> {}
            else -> throw NotRun("does not know the step $act")
        }
        step.done()
    }
    for (server in last.keys) {
        last[server] = ledger.lastError(server)?.let {
            mapOf("code" to it.code.wireName(), "at_ms" to Math.floorDiv(it.atMicros, 1000L))
        }
    }
    answer("recorded" to recorded, "last" to last)
}

/** The error that a case describes, through the function that makes one of its kind. */
private fun error(input: Fields): AcpFailure {
    val described = Fields(input.value("error"))
    val details = described.take("details")?.toString()
    val failure = when (val kind = described.needed("kind")) {
        "client" ->
            acpClientFailure("m", AcpErrorCode.valueOf(described.needed("code").uppercase()), details)
        "server_not_found" -> acpServerNotFound(described.needed("name"), details)
        "rpc" -> acpRpcFailure(
            described.integer("rpc_code"),
            described.needed("rpc_message"),
            described.take("data")?.toString(),
            details,
        )
        "interaction" -> acpInteractionRequired(
            described.needed("server"),
            described.needed("method"),
            described.text("prompt") ?: "",
            described.take("options")?.toString(),
            details,
        )
        else -> throw NotRun("does not know the error $kind")
    }
    described.done()
    return failure
}

private fun asked(node: JsonNode): AcpInteraction {
    val described = Fields(node)
    val asked = AcpInteraction(
        described.needed("method"),
        described.text("prompt") ?: "",
        described.take("options")?.toString(),
    )
    described.done()
    return asked
}

/** The tree of `rel_paths_fs`, in which every way to ask for a file has to agree. */
private class Tree(steps: JsonNode) {
    private val folder: Path = Files.createTempDirectory("ackguard-rel-paths").toRealPath()
    private val pairs = mutableMapOf<String, MutableList<String>>()

    init {
        for (step in steps) {
            val path = folder.resolve(step.get("path").textValue())
            val target = step.path("target").textValue() ?: ""
            when (val op = step.get("op").textValue()) {
                "dir" -> Files.createDirectory(path)
                "file" -> Files.writeString(path, step.path("content").textValue() ?: "")
                // Not by the JVM, whose paths lose a slash at the end.
                "symlink" -> made("ln", "-s", "--", target, path.toString())
                "abs_symlink" -> made("ln", "-s", "--", "$folder/$target", path.toString())
                "hardlink" -> Files.createLink(path, folder.resolve(target))
                "fifo" -> made("mkfifo", path.toString())
                else -> throw NotRun("does not know the step $op")
            }
        }
    }

    private fun made(vararg command: String) = check(ProcessBuilder(*command).start().waitFor() == 0)

    /**
     * Takes the tree away. Not by Kotlin's own recursive deletion, which goes through links: one of these leads to
     * the root of the file system. [Files.walkFileTree] takes a link for a file unless it is told to follow.
     */
    fun remove() {
        Files.walkFileTree(
            folder,
            object : SimpleFileVisitor<Path>() {
                override fun visitFile(file: Path, attributes: BasicFileAttributes): FileVisitResult {
                    Files.delete(file)
                    return FileVisitResult.CONTINUE
                }

                override fun postVisitDirectory(directory: Path, problem: IOException?): FileVisitResult {
                    Files.delete(directory)
                    return FileVisitResult.CONTINUE
                }
            },
        )
    }

    fun read(input: Fields): JsonNode {
        val relPath = input.take("rel_path")?.textValue()
        val file = input.text("file")
        val pair = input.text("pair")
        val leak = input.text("leak")
        val forbid = input.take("forbid")?.map { it.textValue() } ?: listOf()
        val credentials = input.flag("credentials")
        val most = input.take("max_size")?.longValue()?.toULong()
        val outcome = SkillRoot(folder.resolve("pkg").toString(), most, forbid, credentials).use { root ->
            var read = byteArrayOf()
            val outcomes = listOf(
                named { read = root.read(relPath) },
                named { root.open(relPath).use { check(it.read(0u).isEmpty()) } },
                named { root.size(relPath) },
                named { root.resolve(relPath) },
            )
            val text = String(read)
            when {
                outcomes.distinct().size > 1 -> "read, open, size and resolve: $outcomes"
                outcomes[0] != "ok" -> outcomes[0]
                leak != null && leak in text -> "leak"
                file != null && !File(folder.toFile(), file).readBytes().contentEquals(read) -> "ok, but not $file: $text"
                else -> "ok"
            }
        }
        if (pair != null) pairs.getOrPut(pair) { mutableListOf() } += outcome
        return answer("outcome" to outcome)
    }

    private fun named(work: () -> Unit): String = try {
        work()
        "ok"
    } catch (refused: AckguardException.SkillResourceRefused) {
        refused.reason.wireName()
    }

    fun problems(): List<String> =
        pairs.filterValues { it.distinct().size > 1 }.map { (pair, outcomes) -> "$pair: $outcomes" }
}
