//! `skill_names.json`.

use ackguard::Dialect;
use ackguard::skill_name::SkillName;
use ackguard_tests::vectors::Fields;
use serde_json::json;

use super::{Answer, needed, object};

pub(super) fn parse(input: &mut Fields) -> Result<Answer, String> {
    let name = needed("name", input.text("name"))?;
    let parsed = |dialect| match SkillName::parse(&name, dialect) {
        Ok(parsed) => json!({
            "source": parsed.source().as_str(),
            "skill": parsed.skill(),
            "plugin": parsed.plugin(),
            "server": parsed.server(),
            "hint": parsed.hint().map(|hint| hint.as_str()),
        }),
        Err(error) => json!({
            "error": error.code().get(),
            "reason": error.reason().as_str(),
            "segment": error.segment(),
            "span": [error.span().start, error.span().end],
        }),
    };
    Ok(object(json!({ "0.2": parsed(Dialect::V0_2), "0.3": parsed(Dialect::V0_3) })))
}
