/// The version of ackguard.
public let VERSION = ackguardVersion()

/// The A2C-SMCP protocol version that the default dialect speaks.
public let PROTOCOL_VERSION = protocolVersion()
