// swift-tools-version: 6.0

import PackageDescription

// The sources that UniFFI generates are no part of the repository: support/swift.sh puts them and this package
// together, and says where the static library is.
let package = Package(
    name: "Ackguard",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .library(name: "Ackguard", targets: ["Ackguard"])
    ],
    targets: [
        .systemLibrary(name: "AckguardFFI"),
        .target(name: "Ackguard", dependencies: ["AckguardFFI"]),
        .executableTarget(name: "AckguardBench", dependencies: ["Ackguard"]),
        .testTarget(name: "AckguardTests", dependencies: ["Ackguard"]),
    ],
    swiftLanguageModes: [.v6]
)
