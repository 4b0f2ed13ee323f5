//! The registry of A2C-SMCP codes.

/// A protocol error code: an open set over the number on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ErrorCode(i64);

impl ErrorCode {
    /// The code with this number, registered or not.
    #[must_use]
    pub const fn new(code: i64) -> Self {
        Self(code)
    }
    /// The number on the wire.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}
