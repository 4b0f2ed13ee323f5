// `make bench-swift`: ratios against Foundation in one run. A bound that does not hold fails it.

import Ackguard
import Foundation

/// An ack that has about so many bytes.
func ack(_ bytes: Int) -> Data {
    let head =
        #"{"code":4018,"message":"Blob not accessible","details":{"reason":"gone","trace_id":"a1b2c3d4e5f6"}"#
    var items: [String] = []
    var length = head.utf8.count
    while length + 90 < bytes {
        let number = items.count
        let size = Double(number) * 3.5
        items.append(#"{"name":"tool_\#(number)","description":"Reads a file of the workspace.","size":\#(size)}"#)
        length += items[number].utf8.count + 1
    }
    return Data("\(head),\"items\":[\(items.joined(separator: ","))]}".utf8)
}

func nanoseconds(_ times: Int, _ call: () throws -> Void) rethrows -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    for _ in 0..<times { try call() }
    return Double(DispatchTime.now().uptimeNanoseconds - start) / Double(times)
}

/// Nanoseconds per call of each, and the ratio of the second to the first: medians of short rounds, taken in turn.
func pair(
    _ one: () throws -> Void, _ other: () throws -> Void
) rethrows -> (one: Double, other: Double, ratio: Double) {
    func times(_ call: () throws -> Void) rethrows -> Int {
        _ = try nanoseconds(200, call)
        return max(1, Int(10e6 / (try nanoseconds(200, call))))
    }
    let (timesOne, timesOther) = (try times(one), try times(other))
    let rounds = try (0..<41).map { _ in (try nanoseconds(timesOne, one), try nanoseconds(timesOther, other)) }
    func median(_ of: ((Double, Double)) -> Double) -> Double { rounds.map(of).sorted()[rounds.count / 2] }
    return (median { $0.0 }, median { $0.1 }, median { $0.1 / $0.0 })
}

func microseconds(_ nanoseconds: Double) -> String { String(format: "%9.2f us", nanoseconds / 1000) }

let payload = ack(2048)
guard try classifyJson(payload).error?.reason == "gone" else { fatalError("the payload is not what it should be") }
let classified = try pair({ _ = try classifyJson(payload) }, { _ = try JSONSerialization.jsonObject(with: payload) })
let (parsed, valid, _) = try pair(
    { _ = try parseSkillName(name: "mcp:server:audit") }, { _ = try isValidSkillName(name: "mcp:server:audit") })
print("parseSkillName                  \(microseconds(parsed))")
print("isValidSkillName                \(microseconds(valid))")
print("classifyJson, \(payload.count) bytes        \(microseconds(classified.one))")
print("JSONSerialization of the same   \(microseconds(classified.other))")
let fast = classified.ratio >= 3
print(String(format: "  times as fast                 %9.2f x   at least 3.00 x", classified.ratio), fast ? "" : "  MISSED")
exit(fast ? 0 : 1)
