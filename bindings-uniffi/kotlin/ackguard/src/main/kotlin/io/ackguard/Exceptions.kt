@file:JvmMultifileClass
@file:JvmName("Ackguard")

package io.ackguard

/** The answer to send, or what was received; null where a refusal has none. */
public val AckguardException.answer: ErrorPayload?
    get() = when (this) {
        is AckguardException.SkillNameRefused -> payload
        is AckguardException.SkillResourceRefused -> payload
        is AckguardException.BlobRefused -> payload
        is AckguardException.VersionRefused -> payload
        is AckguardException.ProtocolFailed -> payload
        is AckguardException.PayloadMalformed -> payload
        is AckguardException.AcpFailed -> payload
        is AckguardException.PackageUnusable, is AckguardException.Misuse, is AckguardException.Internal -> null
    }

/** The code of [answer]. */
public val AckguardException.code: ErrorCode? get() = answer?.code
