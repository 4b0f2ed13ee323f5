//! The two dialects of the A2C-SMCP wire. Reading accepts both, always; writing and lexing take one.

use core::fmt;
use core::str::FromStr;

/// Which dialect of the protocol to write, and which lexer rules to apply to a SKILL name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Dialect {
    /// Protocol 0.2, the seed document: the server's key is `mcp_server_name`.
    #[default]
    V0_2,
    /// Protocol 0.3 and later: the server's key is `mcp_server`, and code 4019 is registered.
    V0_3,
}

impl Dialect {
    /// The short name by which every language selects the dialect: `"0.2"` or `"0.3"`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V0_2 => "0.2",
            Self::V0_3 => "0.3",
        }
    }

    /// The key that names the MCP server in 4014 and 4015.
    #[must_use]
    pub const fn server_key(self) -> &'static str {
        match self {
            Self::V0_2 => "mcp_server_name",
            Self::V0_3 => "mcp_server",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text names no dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("unknown dialect: expected \"0.2\", \"0.3\" or \"0.4\"")]
#[non_exhaustive]
pub struct UnknownDialect;

impl FromStr for Dialect {
    type Err = UnknownDialect;

    /// Reads `"0.2"`, or `"0.3"` and its synonym `"0.4"` (0.4 changed nothing that this crate reads).
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "0.2" => Ok(Self::V0_2),
            "0.3" | "0.4" => Ok(Self::V0_3),
            _ => Err(UnknownDialect),
        }
    }
}
