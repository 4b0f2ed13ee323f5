import XCTest
// ANCHOR: failure
import Ackguard

/// What came of a request to the agent: a line, a timeout, an exit, or several of them. Nil is a success.
func failure(of seen: AcpObservation) throws -> AcpFailure? {
    try classifyFailure(seen: seen)
}

/// What the host does next, in words.
func nextStep(_ failure: AcpFailure) throws -> String {
    let advice = try failure.retry()
    return "\(failure.code.wireName()): \(advice.action)" + (advice.retryable ? ", then try again" : "")
}
// ANCHOR_END: failure

// ANCHOR: ledger
/// A failure during `initialize` or `session/new`: named anew, and remembered.
func onHandshakeFailure(_ ledger: ErrorLedger, _ server: String, _ failure: AcpFailure) throws -> AcpFailure {
    let named = try reclassifyHandshake(failure: failure, server: server).failure
    _ = try ledger.record(server: server, failure: named)
    return named
}

/// Whether a turn may be submitted.
func maySubmit(_ state: String, hasActiveTurn: Bool) throws -> Bool {
    try readiness(state: state, hasActiveTurn: hasActiveTurn) == .ready
}
// ANCHOR_END: ledger

final class StdioTests: XCTestCase {
    private func asked(_ line: String? = nil, exitCode: Int64? = nil, timeout: Double? = nil) -> AcpObservation {
        AcpObservation(
            line: line.map { Data($0.utf8) }, expectedIdJson: "7", exitCode: exitCode, timeout: timeout,
            server: "helper", method: "session/prompt")
    }

    func testAFailureHasOneOfNineCodes() throws {
        let answer = #"{"jsonrpc":"2.0","id":7,"result":{"stopReason":"end_turn"}}"#
        XCTAssertNil(try failure(of: asked(answer)))
        let late = try XCTUnwrap(failure(of: asked(timeout: 30)))
        XCTAssertEqual(try nextStep(late), "request_timeout: backoff, then try again")
        let gone = try XCTUnwrap(failure(of: asked(exitCode: 137)))
        XCTAssertTrue(try nextStep(gone).hasPrefix("transport_disconnect: "))
        let line = #"{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"Authentication required"}}"#
        let refused = try XCTUnwrap(failure(of: asked(line)))
        XCTAssertEqual(try nextStep(refused), "protocol_error: authenticate")
    }

    func testTheLastErrorIsRemembered() throws {
        let ledger = ErrorLedger()
        let late = try XCTUnwrap(failure(of: AcpObservation(timeout: 10, method: "initialize")))
        XCTAssertEqual(try onHandshakeFailure(ledger, "helper", late).code, .handshakeFail)
        XCTAssertEqual(try ledger.lastError(server: "helper")?.code, .handshakeFail)
        XCTAssertNil(try ledger.lastError(server: "other"))
        XCTAssertTrue(try maySubmit("ready", hasActiveTurn: false))
        XCTAssertFalse(try maySubmit("ready", hasActiveTurn: true))
        XCTAssertFalse(try maySubmit("failed", hasActiveTurn: false))
    }
}
