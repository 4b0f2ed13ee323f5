//! skill_name
