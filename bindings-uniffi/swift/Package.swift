// swift-tools-version: 6.0

import PackageDescription

// The sources that UniFFI generates are no part of the repository: support/swift.sh puts them and this package together.
// Linux links the static library, which has to be told the linker (-Xlinker -LFOLDER); on Apple's systems an XCFramework
// beside this file is taken, if there is one (support/xcframework.py).
#if os(Linux)
let library = Target.systemLibrary(name: "AckguardFFI")
#else
import Foundation

let framework = "AckguardFFI.xcframework"
let library =
    FileManager.default.fileExists(atPath: Context.packageDirectory + "/" + framework)
    ? Target.binaryTarget(name: "AckguardFFI", path: framework) : Target.systemLibrary(name: "AckguardFFI")
#endif

let package = Package(
    name: "Ackguard",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .library(name: "Ackguard", targets: ["Ackguard"])
    ],
    targets: [
        library,
        .target(name: "Ackguard", dependencies: ["AckguardFFI"]),
        // What the shared cases ask, for the tests and for the comparison with the other languages.
        .target(name: "AckguardCases", dependencies: ["Ackguard"], path: "Tests/AckguardCases"),
        .executableTarget(name: "AckguardAgree", dependencies: ["AckguardCases"], path: "Tests/AckguardAgree"),
        .executableTarget(name: "AckguardBench", dependencies: ["Ackguard"], path: "Tests/AckguardBench"),
        .testTarget(name: "AckguardTests", dependencies: ["Ackguard", "AckguardCases"]),
        // The files that the guide shows.
        .testTarget(name: "GuideTests", dependencies: ["Ackguard"]),
    ],
    swiftLanguageModes: [.v6]
)
