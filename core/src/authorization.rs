//! authorization
