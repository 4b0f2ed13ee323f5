//! `skill_names.json`.

use ackguard::Dialect;
use ackguard::skill_name::{SkillName, SkillNameError, marketplace, mcp, suggest_for, user};
use ackguard_tests::vectors::Fields;
use serde_json::{Value, json};

use super::{Answer, dialect, needed, object};

/// Both dialects at once: they differ in few names, and every name has to say which.
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
        Err(error) => {
            let mut refused = refused(&error);
            // As text, since a range is in each language's own units.
            refused["underlined"] = name.get(error.span()).into();
            refused
        }
    };
    Ok(object(json!({ "0.2": parsed(Dialect::V0_2), "0.3": parsed(Dialect::V0_3) })))
}

pub(super) fn build(input: &mut Fields) -> Result<Answer, String> {
    let dialect = dialect(input)?;
    let skill = needed("skill", input.text("skill"))?;
    let built = match (input.text("plugin"), input.text("server")) {
        (None, None) => user(&skill),
        (Some(plugin), None) => marketplace(&plugin, &skill),
        (None, Some(server)) => mcp(&server, &skill, dialect),
        (Some(_), Some(_)) => return Err("has both plugin and server".to_owned()),
    };
    Ok(object(match built {
        Ok(name) => json!({ "ok": name }),
        Err(error) => refused(&error),
    }))
}

pub(super) fn suggestion(input: &mut Fields) -> Result<Answer, String> {
    let dialect = dialect(input)?;
    let text = needed("text", input.text("text"))?;
    Ok(object(json!({ "suggestion": suggest_for(&text, dialect) })))
}

fn refused(error: &SkillNameError) -> Value {
    json!({
        "error": error.code().get(),
        "reason": error.reason().as_str(),
        "segment": error.segment(),
    })
}
