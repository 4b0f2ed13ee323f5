@file:JvmMultifileClass
@file:JvmName("Ackguard")

package io.ackguard

// The generated functions count in unsigned types, which Java has no names for, and take one text for each header. These
// are the same with what the JVM has: signed numbers, and headers that may come more than once. What throws says so, since Java
// cannot catch what nothing is said to throw.

/**
 * Reads the HTTP answer to a handshake; null if it is none of ours.
 *
 * The headers are as the JVM's clients have them: `HttpResponse.headers().map()`, OkHttp's `toMultimap()`, or
 * `HttpURLConnection.getHeaderFields()`, in which the status line stands under no name.
 */
@Throws(AckguardException::class)
public fun parseHandshakeFailure(
    status: Int,
    headers: Map<out String?, Iterable<String?>>,
    body: ByteArray,
): HandshakeRefusal? {
    // What comes more than once is what came once with commas between: HTTP says so.
    val joined = headers.entries.mapNotNull { (name, values) -> name?.let { it to values.filterNotNull().joinToString() } }
    val known = if (status in 0..UShort.MAX_VALUE.toInt()) status.toUShort() else 0u
    return parseHandshakeFailure(known, joined.toMap(), body)
}

/** Checks the offset of a chunk against the blob's size, both in bytes. Throws [AckguardException.BlobRefused]. */
@Throws(AckguardException::class)
public fun checkBlobRange(chunkOffset: Long, totalSize: Long): BlobRange =
    checkBlobRange(chunkOffset, notNegative(totalSize, "totalSize"))

/** How many bytes to send from an offset: what is wanted, at most [cap], and no more than there are. */
@Throws(AckguardException::class)
public fun clampChunk(chunkOffset: Long, totalSize: Long, wanted: Long, cap: Long): BlobChunk = clampChunk(
    chunkOffset,
    notNegative(totalSize, "totalSize"),
    notNegative(wanted, "wanted"),
    notNegative(cap, "cap"),
)

/** How many bytes to send. */
public val BlobChunk.length: Long get() = len.toLong()

/** The waits between retries in seconds: doubling from 1, with a random part of up to 1 s, at most [cap]. */
@Throws(AckguardException::class)
public fun backoff(maxRetries: Int, cap: Double): List<Double> =
    backoff(notNegative(maxRetries.toLong(), "maxRetries").toUInt(), cap)

/**
 * Opens the folder of a SKILL package: the constructor of [SkillRoot] with a signed bound, in bytes; null is the
 * default of 100 MiB.
 */
@Throws(AckguardException::class)
@JvmOverloads
public fun openSkillRoot(
    path: String,
    maxSize: Long? = null,
    forbid: List<String> = emptyList(),
    credentials: Boolean = false,
): SkillRoot = SkillRoot(path, maxSize?.let { notNegative(it, "maxSize") }, forbid, credentials)

/** The size of a file in bytes, of `SKILL.md` unless a path is given. Throws [AckguardException.SkillResourceRefused]. */
@Throws(AckguardException::class)
@JvmOverloads
public fun SkillRoot.length(relPath: String? = null): Long = size(relPath).toLong()

/** The size in bytes when it was checked. */
public val SkillFile.length: Long get() = size().toLong()

/** The next bytes, at most [limit] and at most 1 MiB; none at the end. */
@Throws(AckguardException::class)
public fun SkillFile.read(limit: Int): ByteArray = read(notNegative(limit.toLong(), "limit").toUInt())

/** The HTTP status. */
public val HandshakeAnswer.statusCode: Int get() = status.toInt()

/** Where to underline, in characters of the text that was read: `text.substring(span)`. */
public val AckguardException.SkillNameRefused.span: IntRange get() = spanStart.toInt() until spanEnd.toInt()

/** `details.total_size` in bytes; null also where no Long holds it. */
public val ErrorPayload.totalBytes: Long? get() = totalSize?.toLong()?.takeIf { it >= 0 }

/** How many payloads were counted. */
public val Tally.count: Long
    @Throws(AckguardException::class)
    get() = total().toLong()

private fun notNegative(number: Long, name: String): ULong {
    if (number < 0) throw AckguardException.Misuse("$name is below 0")
    return number.toULong()
}
