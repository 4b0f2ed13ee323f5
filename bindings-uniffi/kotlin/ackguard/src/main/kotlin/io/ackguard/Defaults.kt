@file:JvmMultifileClass
@file:JvmName("Ackguard")

package io.ackguard

// What is generated for records has no default arguments.

/** A fixed sentence for people, in English. */
public fun ErrorPayload.publicMessage(): String = publicMessage(null)

/** The payload as it is sent in protocol 0.2. */
public fun ErrorPayload.toJson(): String = toJson(null)

/** A sentence for people, in English. */
public fun VersionMismatch.publicMessage(): String = publicMessage(null)
