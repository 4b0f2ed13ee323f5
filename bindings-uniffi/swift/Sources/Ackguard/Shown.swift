// What these hold may be secret, and Swift would show all of it.

extension ErrorFields: CustomStringConvertible {
    public var description: String { "ErrorFields" }
}

extension AcpInteraction: CustomStringConvertible {
    public var description: String { "AcpInteraction(\(method))" }
}

extension AcpObservation: CustomStringConvertible {
    public var description: String { "AcpObservation" }
}

extension ScrubbedJson: CustomStringConvertible {
    public var description: String { json }
}
