import XCTest
// ANCHOR: ack
import Ackguard

/// What the agent does next, in words.
func onAck(_ ack: String) throws -> String {
    switch try classifyJson(ack).content {
    case .protocolFailure(let error):
        let advice = try error.retry()
        switch advice.automatic {
        case .once: return "\(advice.action), then try once more"
        case .optional: return "\(advice.action), if the call may be repeated"
        case .no: return try error.publicMessage()
        }
    case .toolCall(let result):
        switch result.outcome {
        case .completed: return "use the content"
        // The hint has been scrubbed on the way: there is no secret left to show.
        case .authorizationRequired, .authorizationFailed: return result.authHintJson ?? "show the ready hint"
        default: return "tell the model: \(result.outcome.wireName())"
        }
    case .rpcFailure, .malformedFailure, .notJson: return "report the peer, use nothing of it"
    case .eventAnswer, .empty, .plainData: return "use the answer"
    }
}
// ANCHOR_END: ack

final class AgentTests: XCTestCase {
    func testAnAckSaysWhatToDo() throws {
        let cases = [
            #"{"code":4014,"message":"no such server","mcp_server_name":"docs"}"#:
                "refresh_servers, then try once more",
            #"{"code":500,"message":"db at 10.0.0.7"}"#: "backoff, if the call may be repeated",
            #"{"code":4101,"message":"Room full: sk-internal"}"#: "Another agent is already in this room.",
            #"{"content":[],"isError":false}"#: "use the content",
            #"{"content":[],"isError":true,"meta":{"error_code":4006,"mcp_server":"mail","#
                + #""auth_hint":{"message":"Sign in","access_token":"s3cr3t"}}}"#: #"{"message":"Sign in"}"#,
            #"{"content":[],"isError":true,"meta":{"a2c_cancelled":true}}"#: "tell the model: cancelled",
            #"{"error":{"code":4014,"message":"wrapped"}}"#: "report the peer, use nothing of it",
            #"{"tools":[]}"#: "use the answer",
        ]
        for (ack, next) in cases { XCTAssertEqual(try onAck(ack), next) }
    }

    func testALogGetsNoSecret() throws {
        let ack = #"{"code":403,"message":"denied","details":{"token":"s3cr3t","room":"r1"}}"#
        let error = try XCTUnwrap(classifyJson(ack).error)
        // ANCHOR: log
        // For people: a fixed sentence, in their language, with nothing of the payload's.
        let shown = try error.publicMessage(locale: messageLocaleOf(tag: "zh-CN"))
        // For the log: everything, flat, without what is secret.
        let logged = try error.logFields()
        // ANCHOR_END: log
        XCTAssertTrue(shown.unicodeScalars.contains { $0.value > 0x2e80 })
        XCTAssertTrue(logged.contains("403"))
        XCTAssertFalse(logged.contains("s3cr3t"))
    }
}
