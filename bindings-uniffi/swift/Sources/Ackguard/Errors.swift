import Foundation

extension AckguardError: LocalizedError {
    /// A sentence for people, without anything secret.
    public var errorDescription: String? {
        switch self {
        case .SkillNameRefused(_, _, _, _, _, let text, _): text
        case .SkillResourceRefused(_, _, _, let text, _): text
        case .BlobRefused(_, _, let text, _): text
        case .PackageUnusable(_, let text): text
        case .VersionRefused(_, _, let text, _): text
        case .ProtocolFailed(_, let text): text
        case .PayloadMalformed(_, let text, _): text
        case .AcpFailed(_, let text, _): text
        case .Misuse(let text): text
        case .Internal(let text): text
        }
    }

    /// The answer to send, or what was received; nil where a refusal has none.
    public var answer: ErrorPayload? {
        switch self {
        case .SkillNameRefused(_, _, _, _, _, _, let payload): payload
        case .SkillResourceRefused(_, _, _, _, let payload): payload
        case .BlobRefused(_, _, _, let payload): payload
        case .VersionRefused(_, _, _, let payload): payload
        case .ProtocolFailed(let payload, _): payload
        case .PayloadMalformed(_, _, let payload): payload
        case .AcpFailed(_, _, let payload): payload
        case .PackageUnusable, .Misuse, .Internal: nil
        }
    }

    /// The code of `answer`.
    public var code: ErrorCode? { answer?.code }
}

extension AckguardError: CustomStringConvertible {
    public var description: String { errorDescription ?? "" }
}

/// A failure can be thrown as it is.
extension AcpFailure: LocalizedError {
    public var errorDescription: String? { message }

    /// Names the failure anew where it came up during `initialize` or `session/new`; whether it counts as a failure
    /// of the handshake.
    @discardableResult
    public mutating func reclassifyHandshake(server: String) throws -> Bool {
        let made = try Ackguard.reclassifyHandshake(failure: self, server: server)
        self = made.failure
        return made.counts
    }
}

extension VersionMismatch: LocalizedError {
    public var errorDescription: String? { description }
}
