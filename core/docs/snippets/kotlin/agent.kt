package guide

// ANCHOR: ack
import io.ackguard.Automatic
import io.ackguard.Content
import io.ackguard.ToolOutcome
import io.ackguard.classifyJson
import io.ackguard.publicMessage

/** What the agent does next, in words. */
fun onAck(ack: String): String {
    val payload = classifyJson(ack)
    return when (val content = payload.content) {
        is Content.ProtocolFailure -> {
            val advice = content.error.retry()
            when (advice.automatic) {
                Automatic.ONCE -> "${advice.action}, then try once more"
                Automatic.OPTIONAL -> "${advice.action}, if the call may be repeated"
                Automatic.NO -> content.error.publicMessage()
            }
        }
        is Content.ToolCall -> when (content.result.outcome) {
            ToolOutcome.COMPLETED -> "use the content"
            // The hint has been scrubbed on the way: there is no secret left to show.
            ToolOutcome.AUTHORIZATION_REQUIRED, ToolOutcome.AUTHORIZATION_FAILED ->
                content.result.authHintJson ?: "show the ready hint"
            else -> "tell the model: ${content.result.outcome.wireName()}"
        }
        is Content.RpcFailure, Content.MalformedFailure, Content.NotJson -> "report the peer, use nothing of it"
        is Content.EventAnswer, Content.Empty, Content.PlainData -> "use the answer"
    }
}
// ANCHOR_END: ack

internal class AgentTest {
    @org.junit.jupiter.api.Test
    fun `an ack says what to do`() {
        val cases = mapOf(
            """{"code":4014,"message":"no such server","mcp_server_name":"docs"}""" to
                "refresh_servers, then try once more",
            """{"code":500,"message":"db at 10.0.0.7"}""" to "backoff, if the call may be repeated",
            """{"code":4101,"message":"Room full: sk-internal"}""" to "Another agent is already in this room.",
            """{"content":[],"isError":false}""" to "use the content",
            """{"content":[],"isError":true,"meta":{"error_code":4006,"mcp_server":"mail",
                "auth_hint":{"message":"Sign in","access_token":"s3cr3t"}}}""" to """{"message":"Sign in"}""",
            """{"content":[],"isError":true,"meta":{"a2c_cancelled":true}}""" to "tell the model: cancelled",
            """{"error":{"code":4014,"message":"wrapped"}}""" to "report the peer, use nothing of it",
            """{"tools":[]}""" to "use the answer",
        )
        for ((ack, next) in cases) org.junit.jupiter.api.Assertions.assertEquals(next, onAck(ack))
    }

    @org.junit.jupiter.api.Test
    fun `a log gets no secret`() {
        val ack = """{"code":403,"message":"denied","details":{"token":"s3cr3t","room":"r1"}}"""
        val error = classifyJson(ack).error!!
        // ANCHOR: log
        // For people: a fixed sentence, in their language, with nothing of the payload's.
        val shown = error.publicMessage(io.ackguard.messageLocaleOf("zh-CN"))
        // For the log: everything, flat, without what is secret.
        val logged = error.logFields()
        // ANCHOR_END: log
        check(shown.any { it.code > 0x2e80 })
        check("403" in logged && "s3cr3t" !in logged)
    }
}
