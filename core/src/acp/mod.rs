//! The ACP client taxonomy: what went wrong with an agent process that a host drives over stdio.

pub mod rpc;
