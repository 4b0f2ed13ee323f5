package guide

// ANCHOR: failure
import io.ackguard.AcpFailure
import io.ackguard.AcpObservation
import io.ackguard.AcpReadiness
import io.ackguard.ErrorLedger
import io.ackguard.classifyFailure
import io.ackguard.readiness
import io.ackguard.reclassifyHandshake

/**
 * What came of a request to the agent: a line, a timeout, an exit, or several of them. Null is a success.
 */
fun failureOf(seen: AcpObservation): AcpFailure? = classifyFailure(seen)

/** What the host does next, in words. */
fun nextStep(failure: AcpFailure): String {
    val advice = failure.retry()
    return "${failure.code.wireName()}: ${advice.action}" + if (advice.retryable) ", then try again" else ""
}
// ANCHOR_END: failure

// ANCHOR: ledger
/** A failure during `initialize` or `session/new`: named anew, and remembered. */
fun onHandshakeFailure(ledger: ErrorLedger, server: String, failure: AcpFailure): AcpFailure {
    val named = reclassifyHandshake(failure, server).failure
    ledger.record(server, named)
    return named
}

/** Whether a turn may be submitted. */
fun maySubmit(state: String, hasActiveTurn: Boolean): Boolean =
    readiness(state, hasActiveTurn) == AcpReadiness.READY
// ANCHOR_END: ledger

internal class StdioTest {
    private fun asked(line: String? = null, exitCode: Long? = null, timeout: Double? = null) = AcpObservation(
        line = line?.encodeToByteArray(),
        expectedIdJson = "7",
        exitCode = exitCode,
        timeout = timeout,
        server = "helper",
        method = "session/prompt",
    )

    @org.junit.jupiter.api.Test
    fun `a failure has one of nine codes`() {
        check(failureOf(asked("""{"jsonrpc":"2.0","id":7,"result":{"stopReason":"end_turn"}}""")) == null)
        check(nextStep(failureOf(asked(timeout = 30.0))!!) == "request_timeout: backoff, then try again")
        check(nextStep(failureOf(asked(exitCode = 137))!!).startsWith("transport_disconnect: "))
        val refused = """{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"Authentication required"}}"""
        check(nextStep(failureOf(asked(refused))!!) == "protocol_error: authenticate")
    }

    @org.junit.jupiter.api.Test
    fun `the last error is remembered`() {
        ErrorLedger().use { ledger ->
            val late = failureOf(AcpObservation(timeout = 10.0, method = "initialize"))!!
            check(onHandshakeFailure(ledger, "helper", late).code.wireName() == "handshake_fail")
            check(ledger.lastError("helper")!!.code.wireName() == "handshake_fail")
            check(ledger.lastError("other") == null)
        }
        check(maySubmit("ready", false) && !maySubmit("ready", true) && !maySubmit("failed", false))
    }
}
