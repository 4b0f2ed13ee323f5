package io.ackguard

import java.io.File
import java.nio.file.Files
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import kotlin.io.path.writeText
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

internal class BehaviourTest {
    /** Put together here, so that no scanner takes this file for a leak. */
    private val secret = "ghp_" + "a1B2".repeat(9)

    @Test
    fun `versions and registry`() {
        assertEquals("0.2.0", PROTOCOL_VERSION)
        assertTrue(Regex("""\d+\.\d+\.\d+""").matches(VERSION))
        // The constants are the registry: the failure prints what the file has to say.
        val constants = ErrorCode::class.java.fields.filter { it.type == ErrorCode::class.java }
            .associate { it.name to (it.get(null) as ErrorCode) }
        val registry = codes().associate { it.name to it.code }
        assertEquals(registry, constants) {
            registry.entries.joinToString("\n") { (name, code) -> "@JvmField public val $name: ErrorCode = ErrorCode($code)" }
        }
        assertNull(ErrorCode(4242).info)
        assertFalse(ErrorCode(4242).known)
    }

    @Test
    fun `every outcome by when`() {
        val outcome = when (val content = classifyJson("""{"content": [], "isError": true}""").content) {
            is Content.ProtocolFailure -> content.error.publicMessage()
            is Content.ToolCall -> content.result.outcome.wireName()
            is Content.EventAnswer -> content.result.ok.toString()
            is Content.RpcFailure -> content.error.errorCode
            Content.MalformedFailure, Content.Empty, Content.PlainData, Content.NotJson -> "other"
        }
        assertEquals("failed", outcome)
    }

    @Test
    fun `errors are caught by type and have a text and fields`() {
        val refused = assertThrows(AckguardException.SkillNameRefused::class.java) { parseSkillName("a:Bé") }
        assertEquals(SkillNameReason.BAD_CHAR, refused.reason)
        assertEquals(2u, refused.spanStart)
        assertEquals(refused.text, refused.message)
        assertFalse("reason=" in refused.message)
        assertEquals(ErrorCode.INVALID_SKILL_NAME, refused.code)
        assertTrue(refused is AckguardException)

        val ack = """{"code": 4101, "message": "Room full"}"""
        val failed = assertThrows(AckguardException.ProtocolFailed::class.java) { throwForError(ack) }
        assertEquals(ErrorCode.ROOM_FULL, failed.payload.code)
        assertEquals(ErrorCode.ROOM_FULL, failed.code)
        val malformed = """{"error": {"code": 4101}}"""
        val broken = assertThrows(AckguardException.PayloadMalformed::class.java) { classifyJson(malformed).orThrow() }
        assertEquals(ErrorCode.INTERNAL_ERROR, broken.code)
        val data = """{"tools": []}"""
        assertEquals(PayloadKind.DATA, classifyJson(data).orThrow().kind)

        assertThrows(AckguardException.Misuse::class.java) { scrubAuthHint("{") }
        assertThrows(AckguardException.PackageUnusable::class.java) { SkillRoot("/nowhere/at/all") }
        assertThrows(AckguardException.VersionRefused::class.java) { parseProtocolVersion("v1") }
        assertThrows(AckguardException.BlobRefused::class.java) { checkBlobRange(5, 4uL) }
        assertThrows(AckguardException.AcpFailed::class.java) { checkSessionResult("{}") }
    }

    @Test
    fun `nothing that is shown has a secret`() {
        val text = """{"code": 403, "message": "$secret", "details": {"token": "$secret"}, "x": "$secret"}"""
        val classified = classifyJson(text)
        val error = classified.error!!
        assertTrue(secret in error.detailsJson!!)
        val tool = classifyJson("""{"content": [], "meta": {"a2c_cancelled": true, "a2c_cancel_reason": "$secret"}}""")
        assertEquals(secret, tool.toolResult!!.cancelReason)
        val rpc = classifyJson("""{"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "$secret"}}""")
        val event = classifyJson("""[false, "$secret"]""")
        val failed = assertThrows(AckguardException.ProtocolFailed::class.java) { classified.orThrow() }
        val shown = listOf(
            classified, error, tool, tool.toolResult, rpc, rpc.rpcError, event, event.eventResult, failed, failed.message,
            acpClientFailure(secret, AcpErrorCode.CONFIG_INVALID, """{"a": "$secret"}"""),
            AuthorizationFailure(wwwAuthenticate = secret, oauthError = secret),
            parseAcpConfig("""{"servers": {"a": {"command": "c", "args": ["$secret"], "env": {"A": "$secret"}, "cwd": "/"}}}""", mapOf()),
            ErrorFields(detailsJson = """{"a": "$secret"}"""),
            AcpObservation(line = secret.toByteArray(), ioError = secret),
            AcpInteraction("m", secret, """["$secret"]"""),
            VersionMismatch(secret, secret, secret, secret, secret),
            HandshakeRefusal.VersionsDiffer(VersionMismatch(secret, null, null, null, null)),
        )
        shown.forEach { assertFalse(secret in it.toString(), it.toString()) }
        assertEquals("403 Forbidden", error.toString())
    }

    @Test
    fun `equal things are equal`() {
        val text = """{"code": 404, "message": "m"}"""
        assertEquals(classifyJson(text), classifyJson(text.toByteArray()))
        assertEquals(classifyJson(text).hashCode(), classifyJson(text).hashCode())
        assertNotEquals(classifyJson(text), classifyJson(text, Dialect.V03))
        assertEquals(parseSkillName("mcp:a:b"), parseSkillName("mcp:a:b"))
        assertEquals(setOf(ErrorCode(404)), setOf(ErrorCode.NOT_FOUND, ErrorCode(404)))
        assertTrue(parseProtocolVersion("0.2.10") > parseProtocolVersion("0.2.9"))
    }

    @Test
    fun `bytes that change later change nothing`() {
        val bytes = """{"code": 404, "message": "m"}""".toByteArray()
        val classified = classifyJson(bytes)
        bytes.fill(0)
        assertEquals("m", classified.error?.message)
    }

    @Test
    fun `odd texts`() {
        assertEquals(PayloadKind.INVALID, classifyJson("\"\uD800\"").kind)
        assertEquals(PayloadKind.DATA, classifyJson("\"\uD83D\uDE00\"").kind)
        assertEquals(PayloadKind.INVALID, classifyJson("").kind)
        assertEquals(PayloadKind.INVALID, classifyJson(byteArrayOf()).kind)
        assertEquals(PayloadKind.DATA, classifyJson("\"" + "x".repeat(3 shl 20) + "\"").kind)
        assertEquals(PayloadKind.DATA, classifyJson("[".repeat(200_000) + "]".repeat(200_000)).kind)
        assertEquals(PayloadKind.NONE, classifyAckArgs("[]").kind)
        assertEquals(PayloadKind.INVALID, classifyAckArgs("[").kind)
        val digits = "9".repeat(5000)
        val kept = classifyJson("""{"code": 404, "message": "m", "details": {"n": $digits}}""").error!!
        assertEquals("""{"n":$digits}""", kept.detailsJson)
    }

    @Test
    fun `half of a surrogate pair is judged like any other character`() {
        assertFalse(isValidSkillName("\uD800"))
        val refused = assertThrows(AckguardException.SkillNameRefused::class.java) { parseSkillName("a\uDC00b") }
        assertEquals(SkillNameReason.BAD_CHAR, refused.reason)
        assertEquals("\uDC00", "a\uDC00b".substring(refused.span))
        val escaped = assertThrows(AckguardException.SkillResourceRefused::class.java) { checkRelPath("../\uD800") }
        assertEquals(SkillResourceReason.TRAVERSAL, escaped.reason)
        assertEquals("a\uFFFD", checkRelPath("a\uD800"))
        val body = """{"code": 4008, "message": "m", "server_version": "0.3.0"}"""
        assertTrue(parseHandshakeText("\uD800$body") is HandshakeRefusal.VersionsDiffer)
        assertEquals("m", buildErrorPayload(ErrorCode(404), "m", ErrorFields(traceId = "\uD800")).message)
    }

    @Test
    fun `a built error is what is sent`() {
        val error = buildErrorPayload(
            ErrorCode.MCP_SERVER_NOT_FOUND, "m",
            ErrorFields(server = "docs", reason = "r", traceId = "t", detailsJson = """{"k": [1]}"""),
        )
        assertEquals(
            Json.parse("""{"code":4014,"message":"m","mcp_server":"docs","details":{"reason":"r","trace_id":"t","k":[1]}}"""),
            Json.parse(error.toJson(Dialect.V03)),
        )
        assertEquals(error.copy(detailsJson = null), classifyJson(error.toJson()).error!!.copy(detailsJson = null))
        assertThrows(AckguardException.Misuse::class.java) {
            buildErrorPayload(ErrorCode(404), "m", ErrorFields(detailsJson = "[]"))
        }
    }

    @Test
    fun `files are read to their end and objects are closed`() {
        val folder = Files.createTempDirectory("ackguard-root")
        folder.resolve("SKILL.md").writeText("body")
        SkillRoot(folder.toString()).use { root ->
            assertEquals("body", String(root.read()))
            root.open().use { file ->
                assertEquals(4uL, file.size())
                assertEquals("bo", String(file.read(2u)))
                assertEquals("dy", String(file.read(100u)))
                assertEquals(0, file.read(100u).size)
            }
            val refused = assertThrows(AckguardException.SkillResourceRefused::class.java) { root.read(".skillenv") }
            assertEquals(SkillResourceReason.FORBIDDEN, refused.reason)
            assertEquals(ErrorCode.SKILL_RESOURCE_NOT_ACCESSIBLE, refused.code)
        }
        Files.delete(folder.resolve("SKILL.md"))
        Files.delete(folder)
    }

    @Test
    fun `a tally counts and merges`() {
        Tally().use { tally ->
            tally.addJson("""{"code": 4101, "message": "m"}""".toByteArray())
            tally.merge(tally)
            assertEquals(2uL, tally.total())
            assertTrue("4101" in tally.toTable() && "4101" in tally.toPrometheus() && "4101" in tally.toJson())
        }
    }

    @Test
    fun `backoff waits double`() {
        assertEquals(listOf(1L, 2L, 4L), backoff().map { it.toLong() })
        assertEquals(listOf(1.0, 1.0), backoff(2u, 1.0))
        assertThrows(AckguardException.Misuse::class.java) { backoff(1u, -1.0) }
    }

    @Test
    fun `a panic is an exception and the process lives`() {
        val quiet = System.err
        repeat(3) {
            val internal = assertThrows(AckguardException.Internal::class.java) { provokeInternalError() }
            assertFalse("provoked" in internal.message)
        }
        assertEquals(quiet, System.err)
        assertEquals("audit", parseSkillName("audit").skill)
    }

    @Test
    fun `eight threads get the answers of one`() {
        val texts = (0 until 200).map { """{"code": ${4000 + it}, "message": "m$it", "details": {"reason": "r$it"}}""" }
        fun round() = texts.map { text ->
            classifyJson(text).let { Triple(it.kind, it.error?.reason, it.retry) }
        }
        val alone = round()
        val pool = Executors.newFixedThreadPool(8)
        val tally = Tally()
        val ledger = ErrorLedger()
        val busy = acpClientFailure("m", AcpErrorCode.REQUEST_TIMEOUT)
        try {
            val work = (0 until 8).map { thread ->
                Callable {
                    repeat(5) { assertEquals(alone, round()) }
                    repeat(500) { tally.addJson(texts[it % 200].toByteArray()) }
                    repeat(500) { ledger.record("s$thread", busy) }
                }
            }
            pool.invokeAll(work).forEach { it.get() }
        } finally {
            pool.shutdown()
        }
        assertEquals(4000uL, tally.total())
        assertEquals(AcpErrorCode.REQUEST_TIMEOUT, ledger.lastError("s7")?.code)
        tally.close()
        ledger.close()
    }

    @Test
    fun `a million calls keep the memory flat`() {
        val ack = """{"code": 4014, "message": "m", "mcp_server": "docs", "details": {"reason": "x"}}""".toByteArray()
        fun calls(count: Int) = repeat(count) {
            when (it % 10) {
                0 -> assertEquals("x", classifyJson(ack).error?.reason)
                1 -> runCatching { parseSkillName("Audit") }
                else -> classifyJson(ack)
            }
        }
        fun resident(): Long {
            // What a collection finds is given back by another thread.
            repeat(3) {
                System.gc()
                Thread.sleep(50)
            }
            return File("/proc/self/status").readLines().first { it.startsWith("VmRSS:") }.filter { it.isDigit() }.toLong()
        }
        // The JVM goes on compiling and keeps what it has made, now and then a lot: that is one step. A leak is in every one.
        val sizes = List(11) { calls(100_000); resident() }
        val grown = sizes.zipWithNext { before, after -> after - before }.takeLast(5).sorted()[2]
        assertTrue(grown < 1024) { "grows by $grown KiB in 100000 calls: $sizes" }
    }
}
