package io.ackguard

import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.add
import kotlinx.serialization.json.buildJsonArray
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonObject
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

internal class JsonElementsTest {
    private val ack = buildJsonObject {
        put("code", 4017)
        put("message", "Skill resource not accessible")
        putJsonObject("details") { put("reason", "too_large") }
        put("more", 1)
    }

    @Test
    fun `an element goes in and comes out`() {
        val error = classify(ack).error!!
        assertEquals("too_large", error.reason)
        assertEquals(buildJsonObject { put("reason", "too_large") }, error.details)
        assertEquals(buildJsonObject { put("more", 1) }, error.extra)
        assertNull(error.rawDetails)
        assertEquals(ack, error.toElement())
        assertEquals(JsonPrimitive(4017), error.logElement()["error_code"])
    }

    @Test
    fun `an argument list`() {
        val event = classifyAckArgs(buildJsonArray { add(false); add("full") }).eventResult!!
        assertEquals(EventResult(false, "full"), event)
    }

    @Test
    fun `a hint comes back scrubbed`() {
        val hint = buildJsonObject { put("action", "sign_in"); put("access_token", "x".repeat(20)) }
        val scrubbed = scrubAuthHint(hint)
        assertEquals(buildJsonObject { put("action", "sign_in") }, scrubbed.value)
        assertTrue(scrubbed.findings.single().path.startsWith("/"))
    }
}
