// Swift's side of `make agree`: reads {"file", "input"} line by line, answers as the runner of the shared cases does.

import AckguardCases
import Foundation

while let line = readLine() {
    let told: [String: Any?]
    do {
        var asked = try Fields(JSON(parsing: line))
        let operations = Operations(file: try asked.needed("file"), tree: [])
        var input = try Fields(asked.value("input"))
        told = ["answer": JSON(try operations.answer(&input) as [String: Any?])]
    } catch {
        // Whatever a language answers with is compared.
        told = ["not_run": "\(error)"]
    }
    FileHandle.standardOutput.write(Data((JSON(told).written + "\n").utf8))
}
