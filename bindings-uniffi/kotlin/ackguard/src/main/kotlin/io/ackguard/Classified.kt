@file:JvmMultifileClass
@file:JvmName("Ackguard")

package io.ackguard

import java.nio.ByteBuffer

/**
 * A classified payload: its [kind] at once, everything else when it is asked for.
 *
 * Immutable and safe to share between threads. Two are equal if they were made of the same bytes in the same
 * dialect.
 */
public class Classified internal constructor(
    private val json: ByteArray,
    private val arguments: Boolean,
    /** The dialect in which the payload was read. */
    public val dialect: Dialect,
    /** What the payload is. */
    public val kind: PayloadKind,
) {
    private fun <T> ask(question: (ByteBuffer, Boolean, Boolean) -> T): T =
        lent(json) { question(it, arguments, dialect == Dialect.V03) }

    /** The view that goes with the kind: branch on it with `when`. */
    public val content: Content by lazy { ask(::contentOfJson) }

    /** The error of a protocol error; null for every other kind, a malformed one too. */
    public val error: ErrorPayload? get() = (content as? Content.ProtocolFailure)?.error

    /** What a tool result says, with its hint already scrubbed. */
    public val toolResult: ToolResult? get() = (content as? Content.ToolCall)?.result

    /** What an event's answer says. */
    public val eventResult: EventResult? get() = (content as? Content.EventAnswer)?.result

    /** What a JSON-RPC error says. */
    public val rpcError: RpcErrorView? get() = (content as? Content.RpcFailure)?.error

    /** Everything that breaks the contract although it could be understood, such as `reason_unknown`. */
    public val violations: List<String> by lazy { ask(::violationsOfJson) }

    /** The retry advice, for every kind that has one. */
    public val retry: RetryAdvice? by lazy { ask(::retryOfJson) }

    /**
     * This, unless it is an error: then [AckguardException.ProtocolFailed], or
     * [AckguardException.PayloadMalformed] for what tries to be one.
     */
    @Throws(AckguardException::class)
    public fun orThrow(): Classified {
        ask(::throwForErrorInJson)
        return this
    }

    override fun equals(other: Any?): Boolean =
        this === other ||
            (
                other is Classified && kind == other.kind && dialect == other.dialect &&
                    arguments == other.arguments && json.contentEquals(other.json)
            )

    override fun hashCode(): Int = 31 * json.contentHashCode() + dialect.hashCode()

    /** The kind and what the view shows of itself; nothing that a peer wrote. */
    override fun toString(): String = "Classified(${kind.name.lowercase()}: $content)"
}

/**
 * Classifies JSON, which should be UTF-8. Never throws on content: what is not JSON is of the kind
 * [PayloadKind.INVALID].
 */
@JvmOverloads
public fun classifyJson(json: ByteArray, dialect: Dialect = Dialect.V02): Classified =
    classified(json.copyOf(), false, dialect)

/** Classifies JSON text. */
@JvmOverloads
public fun classifyJson(json: String, dialect: Dialect = Dialect.V02): Classified =
    classified(json.encoded(), false, dialect)

/** Classifies the argument list with which some Socket.IO clients call an ack callback: a JSON array. */
@JvmOverloads
public fun classifyAckArgs(json: String, dialect: Dialect = Dialect.V02): Classified =
    classified(json.encoded(), true, dialect)

/** Throws what a payload says, if it is a protocol error: see [Classified.orThrow]. */
@JvmOverloads
@Throws(AckguardException::class)
public fun throwForError(json: String, dialect: Dialect = Dialect.V02) {
    classifyJson(json, dialect).orThrow()
}

private val KINDS = PayloadKind.entries.toTypedArray()

private fun classified(json: ByteArray, arguments: Boolean, dialect: Dialect): Classified {
    val kind = lent(json) { kindOfJson(it, arguments, dialect == Dialect.V03) }
    return Classified(json, arguments, dialect, KINDS[kind.toInt()])
}

/**
 * The bytes of a text. A lone surrogate, which no UTF-8 has, becomes a byte that none has either: such a text is no
 * JSON, and no byte of it may turn into a question mark.
 */
private fun String.encoded(): ByteArray {
    val encoder = Charsets.UTF_8.newEncoder().replaceWith(byteArrayOf('?'.code.toByte()))
    if (encoder.canEncode(this)) return toByteArray(Charsets.UTF_8)
    return byteArrayOf(-1)
}

/** The most that a thread keeps for lending. */
private const val KEPT = 1 shl 20

private val LENDING = ThreadLocal.withInitial { ByteBuffer.allocateDirect(1 shl 14) }

/** Lends a copy of the bytes in memory that the library reads directly. */
private inline fun <T> lent(bytes: ByteArray, use: (ByteBuffer) -> T): T {
    var buffer = LENDING.get()
    if (buffer.capacity() < bytes.size) {
        buffer = ByteBuffer.allocateDirect(maxOf(bytes.size, minOf(2 * bytes.size, KEPT)))
        if (buffer.capacity() <= KEPT) LENDING.set(buffer)
    }
    buffer.clear()
    buffer.put(bytes)
    buffer.flip()
    return use(buffer)
}
