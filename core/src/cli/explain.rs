//! `ackguard explain`: one payload, for people.

use std::io::Read;

use clap::ArgMatches;
use serde_json::{Map, Value};

use super::console::{Look, Sheet, clean};
use super::words::{self, LABELS, get};
use super::{Answer, FINE, LINE, Outcome as Answered, REFUSED, args, frame, input};
use crate::acp::rpc::FrameProblem;
use crate::code::UNKNOWN_USER_MESSAGE;
use crate::host::ToJson;
use crate::json::TextNode;
use crate::payload::{
    ErrorPayload, Kind, Outcome, Report, ToolResult, Violation, classify_json, classify_record,
};
use crate::scrub::{self, Finding, Rules};
use crate::tally::Tone;
use crate::{Dialect, ErrorCode, Locale};

/// How many fields of a payload are shown, so that one with a million of them fits a screen.
const MAX_FIELDS: usize = 40;

pub(super) fn run(matches: &ArgMatches, stdin: &mut dyn Read, look: Look) -> Answered {
    let bytes = input::read(args::file_of(matches), stdin)?;
    let locale = args::locale_of(matches);
    let subject = Subject::read(&bytes, args::dialect_of(matches), locale);
    let code = if subject.report.kind == Kind::Invalid { REFUSED } else { FINE };
    let out =
        if matches.get_flag("json") { args::pretty(&subject.to_json()) } else { subject.sheet(locale, look) };
    Ok(Answer::new(code, out))
}

/// The payload with everything that is said of it.
struct Subject {
    report: Report,
    event: Option<String>,
    frame: Option<FrameProblem>,
    /// What was found in `details` or the hint.
    findings: Vec<Finding>,
    /// Why the text is not JSON.
    invalid: Option<String>,
}

impl Subject {
    fn read(bytes: &[u8], dialect: Dialect, locale: Locale) -> Self {
        let record = match classify_record(bytes, dialect) {
            Ok(record) => record,
            Err(error) => {
                return Self {
                    report: classify_json(bytes, dialect).report(),
                    event: None,
                    frame: Some(FrameProblem::NotJson),
                    findings: Vec::new(),
                    invalid: Some(input::why_invalid(bytes, error.offset, locale)),
                };
            }
        };
        let report = record.payload.report();
        let frame = match (&report.rpc_error, report.kind, &record.event) {
            (Some(rpc), ..) => rpc.problem,
            (None, Kind::Data, None) => TextNode::parse(bytes).ok().and_then(|node| frame::problem(&node)),
            _ => None,
        };
        let findings = match (&report.error, &report.tool_result) {
            (Some(error), _) => error.details().map_or(Vec::new(), |details| {
                let Ok(found) = scrub::check_details(&&Value::Object(details.clone()));
                found
            }),
            (None, Some(result)) => result.findings.clone(),
            (None, None) => Vec::new(),
        };
        Self { report, event: record.event.map(|event| safe(&event)), frame, findings, invalid: None }
    }

    /// The report as every language gives it, but for what the scrubber takes out of it.
    fn to_json(&self) -> Value {
        let mut value = serde_json::to_value(&self.report).unwrap_or_default();
        if let Value::Object(report) = &mut value {
            for part in ["error", "rpc_error", "event_result", "tool_result"] {
                if let Some(Value::Object(members)) = report.get_mut(part) {
                    scrub_members(members);
                }
            }
            if let Some(event) = &self.event {
                report.insert("event".to_owned(), event.as_str().into());
            }
            if let Some(frame) = self.frame.filter(|_| self.invalid.is_none()) {
                report.insert("frame".to_owned(), frame.as_str().into());
            }
        }
        value
    }

    fn sheet(&self, locale: Locale, look: Look) -> String {
        let mut sheet = Sheet::default();
        let label = |text| get(text, locale);
        if let Some(event) = &self.event {
            sheet.put(label(LABELS.event), Tone::Plain, clean(event, LINE));
        }
        sheet.put(label(LABELS.what), Tone::Plain, self.meaning(locale));
        if let Some(why) = &self.invalid {
            sheet.put("", Tone::Fault, why.as_str());
        }
        sheet.put(label(LABELS.who), Tone::Heading, self.who(locale));
        let retry = self.report.retry.map_or(LABELS.none, |advice| words::automatic(advice.automatic));
        sheet.put(label(LABELS.retry), Tone::Heading, label(retry));
        let user = self.user(locale).unwrap_or_else(|| label(LABELS.nothing).to_owned());
        sheet.put(label(LABELS.user), Tone::Heading, user);
        self.fields(&mut sheet, locale);
        if let Some(problem) = self.frame.filter(|_| self.invalid.is_none()) {
            let text = format!("{}: {}", problem.as_str(), label(words::frame(problem)));
            sheet.put(label(LABELS.frame), Tone::Fault, text);
        }
        list(&mut sheet, label(LABELS.violations), &self.report.violations, |it| violation(it, locale));
        list(&mut sheet, label(LABELS.leaks), &self.findings, |it| {
            format!("{} ({})", it.category.as_str(), clean(&it.path, LINE))
        });
        format!("{}\n\n{}", look.paint(self.tone(), &self.title(locale)), sheet.render(look))
    }

    fn title(&self, locale: Locale) -> String {
        let mut title = get(words::kind(self.report.kind), locale).to_owned();
        if let Some(error) = &self.report.error {
            title += &format!(" {}", error.code());
            if let Some(name) = error.name() {
                title += &format!(" {name}");
            }
            if let Some(reason) = error.reason() {
                title += &format!(" ({})", clean(&safe(reason), 64));
            }
        }
        if let Some(result) = &self.report.tool_result {
            title += &format!(": {}", result.outcome);
            if let Some(code) = result.error_code {
                title += &format!(" {code}");
                if let Some(name) = code.name() {
                    title += &format!(" {name}");
                }
            }
        }
        if let Some(event) = &self.report.event_result {
            title += if event.ok { ": true" } else { ": false" };
        }
        if let Some(rpc) = &self.report.rpc_error {
            if let Some(code) = rpc.rpc_code {
                title += &format!(" {code}");
            }
            if let Some(name) = rpc.name {
                title += &format!(" {name}");
            }
        }
        title
    }

    fn tone(&self) -> Tone {
        match self.report.kind {
            Kind::MalformedError | Kind::Invalid => Tone::Fault,
            Kind::Error | Kind::RpcError => Tone::Failure,
            Kind::ToolResult if self.outcome() != Some(Outcome::Completed) => Tone::Failure,
            Kind::EventResult if self.refused() => Tone::Failure,
            _ => Tone::Heading,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.report.tool_result.as_ref().map(|result| result.outcome)
    }

    fn refused(&self) -> bool {
        self.report.event_result.as_ref().is_some_and(|event| !event.ok)
    }

    fn meaning(&self, locale: Locale) -> String {
        let by_kind = words::meaning(self.report.kind);
        let text = match (self.outcome(), &self.report.event_result) {
            (Some(outcome), _) => words::outcome(outcome),
            (None, Some(event)) if event.ok => words::ACCEPTED,
            (None, Some(_)) => words::REFUSED,
            (None, None) => by_kind,
        };
        let known = self.report.error.as_ref().and_then(|error| error.code().info());
        match known {
            Some(info) if locale == Locale::Zh => info.title.zh.to_owned(),
            Some(info) => format!("{}: {}", info.title.en, info.meaning),
            None => get(text, locale).to_owned(),
        }
    }

    fn who(&self, locale: Locale) -> String {
        let text = match (self.report.kind, self.report.retry) {
            (_, Some(advice)) if self.outcome() != Some(Outcome::Cancelled) => {
                return format!("{} ({})", get(words::action(advice.action), locale), advice.action.as_str());
            }
            (Kind::MalformedError | Kind::Invalid, _) => words::PEER,
            (Kind::EventResult, _) if self.refused() => words::CALLER,
            _ if self.frame.is_some() => words::PEER,
            _ => words::NOBODY,
        };
        get(text, locale).to_owned()
    }

    /// A fixed sentence, or the scrubbed hint's: never the peer's own.
    fn user(&self, locale: Locale) -> Option<String> {
        let report = &self.report;
        if let Some(error) = &report.error {
            return Some(error.public_message(locale));
        }
        if let Some(result) = &report.tool_result {
            return tool_user(result, locale);
        }
        let unknown = matches!(report.kind, Kind::MalformedError | Kind::RpcError);
        unknown.then(|| get(UNKNOWN_USER_MESSAGE, locale).to_owned())
    }

    /// What else the payload says: scrubbed, and for whoever debugs it.
    fn fields(&self, sheet: &mut Sheet, locale: Locale) {
        let message = get(LABELS.message, locale);
        let quoted = |text: &str| clean(&safe(text), LINE);
        if let Some(error) = &self.report.error {
            let fields = error.log_fields();
            let shown = fields.iter().filter(|(key, _)| {
                // The title and the lines above say these.
                !matches!(key.as_str(), "error_code" | "error_name" | "reason")
            });
            for (index, (key, value)) in shown.enumerate() {
                if index == MAX_FIELDS {
                    sheet.put("…", Tone::Faint, "");
                    break;
                }
                let label = if key == "error_message" { message.to_owned() } else { clean(key, 40) };
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                sheet.put(&label, Tone::Plain, clean(&text, LINE));
            }
        }
        if let Some(text) = self.report.event_result.as_ref().and_then(|event| event.message.as_deref()) {
            sheet.put(message, Tone::Plain, quoted(text));
        }
        if let Some(rpc) = &self.report.rpc_error {
            if let Some(text) = &rpc.message {
                sheet.put(message, Tone::Plain, quoted(text));
            }
            if let Some(id) = &rpc.id {
                sheet.put("id", Tone::Plain, quoted(&id.to_value().to_string()));
            }
        }
        if let Some(result) = &self.report.tool_result {
            if let Some(server) = &result.mcp_server {
                sheet.put("mcp_server", Tone::Plain, quoted(server));
            }
            if let Some(reason) = &result.cancel_reason {
                sheet.put("a2c_cancel_reason", Tone::Plain, quoted(reason));
            }
            if let Some(hint) = &result.auth_hint {
                sheet.put("auth_hint", Tone::Plain, clean(&hint.to_string(), LINE));
            }
        }
    }
}

fn tool_user(result: &ToolResult, locale: Locale) -> Option<String> {
    let fixed = |code| ErrorPayload::new(code, "").public_message(locale);
    Some(match result.outcome {
        Outcome::Completed => return None,
        Outcome::Cancelled => get(words::CANCELLED, locale).to_owned(),
        Outcome::TimedOut => fixed(ErrorCode::TOOL_TIMEOUT),
        Outcome::Failed => fixed(result.error_code.unwrap_or(ErrorCode::TOOL_EXECUTION_FAILED)),
        Outcome::AuthorizationRequired | Outcome::AuthorizationFailed => {
            let hint = result.auth_hint.as_ref().and_then(|hint| hint.get("message")).and_then(Value::as_str);
            match hint {
                Some(message) => clean(message, LINE),
                None => result.default_hint(locale).map_or("", |hint| hint.message).to_owned(),
            }
        }
    })
}

fn list<T>(sheet: &mut Sheet, label: &str, items: &[T], show: impl Fn(&T) -> String) {
    for (index, item) in items.iter().enumerate() {
        if index == MAX_FIELDS {
            sheet.put("", Tone::Faint, "…");
            break;
        }
        sheet.put(if index == 0 { label } else { "" }, Tone::Fault, show(item));
    }
}

fn violation(violation: &Violation, locale: Locale) -> String {
    let text = get(words::violation(violation.kind()), locale);
    format!("{}: {text}", violation.text())
}

/// A peer's text without what the scrubber finds in it.
fn safe(text: &str) -> String {
    scrub::text(text, Rules::Details).0.into_owned()
}

fn scrub_members(members: &mut Map<String, Value>) {
    for (key, value) in members.iter_mut() {
        match (key.as_str(), &*value) {
            // Scrubbed already, by its own rules.
            ("auth_hint" | "findings", _) => {}
            (_, Value::String(text)) => *value = Value::String(safe(text)),
            ("details" | "extra", _) => *value = scrubbed(value),
            ("raw_details", _) => {
                let mut wrapped = Map::new();
                wrapped.insert("raw".to_owned(), value.take());
                *value = scrubbed(&Value::Object(wrapped)).get("raw").cloned().unwrap_or_default();
            }
            _ => {}
        }
    }
}

fn scrubbed(value: &Value) -> Value {
    let Ok(scrubbed) = scrub::details(&value, &mut ToJson);
    scrubbed.value
}
