@file:JvmMultifileClass
@file:JvmName("Ackguard")

package io.ackguard

/** The version of ackguard. */
@get:JvmName("version")
public val VERSION: String get() = ackguardVersion()

/** The A2C-SMCP protocol version that the default dialect speaks. */
@get:JvmName("protocol")
public val PROTOCOL_VERSION: String get() = protocolVersion()

// What is generated for records has no default arguments.

/** A fixed sentence for people, in English. */
public fun ErrorPayload.publicMessage(): String = publicMessage(null)

/** The payload as it is sent in protocol 0.2. */
public fun ErrorPayload.toJson(): String = toJson(null)

/** A sentence for people, in English. */
public fun VersionMismatch.publicMessage(): String = publicMessage(null)
