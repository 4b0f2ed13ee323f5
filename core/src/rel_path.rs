//! rel_path
