package io.ackguard

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonObject

/** Classifies a JSON value. */
public fun classify(value: JsonElement, dialect: Dialect = Dialect.V02): Classified =
    classifyJson(value.toString(), dialect)

/** Classifies the argument list with which some Socket.IO clients call an ack callback. */
public fun classifyAckArgs(args: JsonArray, dialect: Dialect = Dialect.V02): Classified =
    classifyAckArgs(args.toString(), dialect)

/** `details`, where it is an object. Never for the end user. */
public val ErrorPayload.details: JsonObject? get() = detailsJson?.let(::element)?.jsonObject

/** What stood in the place of `details` although it is no object. */
public val ErrorPayload.rawDetails: JsonElement? get() = rawDetailsJson?.let(::element)

/** The fields at the top level that are not the code's own. */
public val ErrorPayload.extra: JsonObject get() = extraJson?.let(::element)?.jsonObject ?: JsonObject(emptyMap())

/** Everything, scrubbed and flat, for structured logging. */
public fun ErrorPayload.logElement(): JsonObject = element(logFields()).jsonObject

/** The payload as it is sent. */
public fun ErrorPayload.toElement(dialect: Dialect = Dialect.V02): JsonObject = element(toJson(dialect)).jsonObject

/** The hint for the user, already scrubbed. */
public val ToolResult.authHint: JsonElement? get() = authHintJson?.let(::element)

/** The clean value. */
public val ScrubbedJson.value: JsonElement get() = element(json)

/** Takes everything secret out of an `auth_hint`. */
public fun scrubAuthHint(value: JsonElement, strict: Boolean = false): ScrubbedJson =
    scrubAuthHint(value.toString(), strict)

/** Takes everything secret or internal out of `details`. */
public fun scrubDetails(value: JsonElement): ScrubbedJson = scrubDetails(value.toString())

/** Takes out of an upstream tool's result what only the Computer may say. */
public fun guardToolResult(result: JsonElement): ScrubbedJson = guardToolResult(result.toString())

/** What the host and the agent said about a failure. It goes to a log through `logFields` only. */
public val AcpFailure.details: JsonObject get() = element(detailsJson).jsonObject

/** The data of a JSON-RPC error. */
public val AcpFailure.data: JsonElement? get() = dataJson?.let(::element)

private fun element(json: String): JsonElement = Json.parseToJsonElement(json)
