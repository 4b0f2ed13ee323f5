//! The host's table of agent servers, read and checked as a whole.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use crate::value::{Map, Value, join, object};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::error::AcpError;
use super::expand::{ExpandError, expand};
use super::ledger::MAX_SERVER_BYTES;
use super::tree::{self, Tree};
use crate::order::order;
use crate::shown::floor_boundary;

/// The largest integer that a field takes: the largest that every language holds exactly.
pub const MAX_INTEGER: u64 = (1 << 53) - 1;

const SERVERS: &str = "servers";
const MODE: &str = "mode";
const REJECT_ALL: &str = "reject_all";
const ACCEPT_ALL: &str = "accept_all";
const AN_OBJECT: &str = "an object";

/// A configuration without a problem.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AcpConfig {
    /// The servers, in the order of the text.
    #[serde(serialize_with = "by_name")]
    pub servers: Vec<ServerConfig>,
}

impl AcpConfig {
    /// The server of this name.
    #[must_use]
    pub fn server(&self, name: &str) -> Option<&ServerConfig> {
        self.servers.iter().find(|server| server.name == name)
    }
}

fn by_name<S: Serializer>(servers: &[ServerConfig], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(servers.iter().map(|server| (&server.name, server)))
}

/// The variables of an environment.
#[cfg(not(all(feature = "small", target_family = "wasm")))]
pub type Variables = alloc::collections::BTreeMap<String, String>;
/// The variables of an environment, in the one kind of map that there is where the size of the program counts.
#[cfg(all(feature = "small", target_family = "wasm"))]
pub type Variables = Map<String, Value>;

/// One declared server.
///
/// The values of `env` are expanded and may be secrets. They are serialized, since the host needs them to start
/// the process; `Debug` shows neither them nor the arguments.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct ServerConfig {
    /// Its name.
    pub name: String,
    /// The program to start.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its environment, with all variables expanded.
    pub env: Variables,
    /// The directory it is started in.
    pub cwd: String,
    /// Whether it is started with the host.
    pub auto_start: Option<bool>,
    /// How long starting it and the handshake may take, in milliseconds, from 1 to [`MAX_INTEGER`].
    pub startup_timeout_ms: Option<u64>,
    /// How long a request may take, in milliseconds, from 1 to [`MAX_INTEGER`].
    pub request_timeout_ms: Option<u64>,
    /// What the client tells the agent it can do.
    pub capabilities: Option<Map<String, Value>>,
    /// A text for people.
    pub description: Option<String>,
    /// What is answered to a question in a call that is not interactive.
    pub non_interactive_policy: Option<NonInteractivePolicy>,
    /// How often it is restarted before it counts as failed, from 0 to [`MAX_INTEGER`].
    pub max_recoverable_restarts: Option<u64>,
}

/// The names of the text; what is not there is left out.
impl Serialize for ServerConfig {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        #[allow(clippy::useless_conversion)] // in the other kind of map they are values already
        let env = self.env.iter().map(|(name, text)| (name.clone(), Value::from(text.clone()))).collect();
        // One loop over values takes less space than code for the type of each field.
        let fields = [
            ("command", Some(self.command.as_str().into())),
            ("args", Some(self.args.iter().map(String::as_str).collect())),
            ("env", Some(Value::Object(env))),
            ("cwd", Some(self.cwd.as_str().into())),
            ("autoStart", self.auto_start.map(Value::Bool)),
            ("startupTimeoutMs", self.startup_timeout_ms.map(Value::from)),
            ("requestTimeoutMs", self.request_timeout_ms.map(Value::from)),
            ("capabilities", self.capabilities.clone().map(Value::Object)),
            ("description", self.description.as_deref().map(Value::from)),
            ("nonInteractivePolicy", self.non_interactive_policy.map(|policy| policy.to_value())),
            ("maxRecoverableRestarts", self.max_recoverable_restarts.map(Value::from)),
        ];
        let mut map = out.serialize_map(None)?;
        for (name, value) in fields {
            if let Some(value) = value {
                map.serialize_entry(name, &value)?;
            }
        }
        map.end()
    }
}

impl fmt::Debug for ServerConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerConfig")
            .field("name", &self.name)
            .field("command", &self.command)
            .field("args", &self.args.len())
            .field("env", &self.env.keys().collect::<Vec<_>>())
            .field("cwd", &self.cwd)
            .finish_non_exhaustive()
    }
}

/// What is answered to a question when nobody is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct NonInteractivePolicy {
    /// The answer.
    pub mode: NonInteractiveMode,
}

impl NonInteractivePolicy {
    fn to_value(self) -> Value {
        let mode = match self.mode {
            NonInteractiveMode::RejectAll => REJECT_ALL,
            NonInteractiveMode::AcceptAll => ACCEPT_ALL,
        };
        object([(MODE, mode.into())])
    }
}

/// The answer to a question when nobody is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NonInteractiveMode {
    /// No.
    RejectAll,
    /// Yes, whatever it is.
    AcceptAll,
}

/// What is wrong at one place of a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigReason {
    /// The text is not JSON, or is nested deeper than 128 levels.
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// A required field is missing.
    Missing,
    /// A name is given a second time.
    Duplicate,
    /// A value of the wrong type.
    Type {
        /// What belongs there.
        expected: &'static str,
        /// What stands there.
        found: &'static str,
    },
    /// A text is empty or blank.
    Empty,
    /// An integer is too small or too large.
    Range {
        /// The smallest one.
        min: u64,
    },
    /// None of the values that there are.
    Choice {
        /// Those there are.
        expected: &'static str,
    },
    /// A variable in a value of `env` is not set. Its name, where it plainly is one and no piece of a secret.
    Unset(Option<String>),
    /// `${` without a name and `}`.
    Expansion,
    /// A text that no process can be given: one with a NUL, or a variable's name with a `=`.
    Unusable,
    /// A server's name is longer than 1024 bytes.
    NameTooLong,
}

impl ConfigReason {
    /// A stable name.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Syntax { .. } => "syntax",
            Self::Missing => "missing",
            Self::Duplicate => "duplicate",
            Self::Type { .. } => "type",
            Self::Empty => "empty",
            Self::Range { .. } => "range",
            Self::Choice { .. } => "choice",
            Self::Unset(_) => "unset_variable",
            Self::Expansion => "expansion",
            Self::Unusable => "unusable",
            Self::NameTooLong => "name_too_long",
        }
    }
}

impl fmt::Display for ConfigReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { line, column } => {
                write!(f, "not JSON, or nested too deep, at line {line}, column {column}")
            }
            Self::Missing => f.write_str("is required and missing"),
            Self::Duplicate => f.write_str("is given twice"),
            Self::Type { expected, found } => write!(f, "must be {expected}, not {found}"),
            Self::Empty => f.write_str("must not be empty"),
            Self::Range { min } => write!(f, "must be an integer from {min} to {MAX_INTEGER}"),
            Self::Choice { expected } => write!(f, "must be {expected}"),
            Self::Unset(Some(name)) => write!(f, "refers to the variable {name}, which is not set"),
            Self::Unset(None) => f.write_str("refers to a variable that is not set"),
            Self::Expansion => f.write_str("has a `${` without a name and a `}`"),
            Self::Unusable => f.write_str("has a character that no process can be given"),
            Self::NameTooLong => write!(f, "is a name longer than {MAX_SERVER_BYTES} bytes"),
        }
    }
}

/// One problem of a configuration: where, and what. No value of the configuration is repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConfigProblem {
    /// The server in whose entry it lies.
    pub server: Option<String>,
    /// The names on the way to the field, within the server's entry if there is one.
    pub path: Vec<String>,
    /// What is wrong.
    pub reason: ConfigReason,
}

impl ConfigProblem {
    /// The field: the names on the way to it, with dots, such as `nonInteractivePolicy.mode` or `args.1`. For a
    /// problem of a server as a whole, and of the table, it is `servers`; for one of the whole text it is empty.
    #[must_use]
    pub fn field(&self) -> String {
        match (&self.server, self.path.is_empty()) {
            (Some(_), true) => SERVERS.to_owned(),
            _ => join(self.path.iter().map(String::as_str), "."),
        }
    }

    /// The place in the text as a JSON Pointer (RFC 6901).
    #[must_use]
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        let server = self.server.iter().flat_map(|server| [SERVERS, server]);
        for name in server.chain(self.path.iter().map(String::as_str)) {
            pointer.push('/');
            pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
        }
        pointer
    }
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.server, self.path.is_empty()) {
            (Some(server), true) => write!(f, "server '{server}' {}", self.reason),
            (Some(server), false) => write!(f, "server '{server}': `{}` {}", self.field(), self.reason),
            (None, true) if matches!(self.reason, ConfigReason::Syntax { .. }) => {
                write!(f, "{}", self.reason)
            }
            (None, true) => write!(f, "the configuration {}", self.reason),
            (None, false) => write!(f, "`{}` {}", self.field(), self.reason),
        }
    }
}

/// Everything that is wrong with a configuration; at least one problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigErrors(Vec<ConfigProblem>);

impl ConfigErrors {
    /// The problems, server by server.
    #[must_use]
    pub fn problems(&self) -> &[ConfigProblem] {
        &self.0
    }

    /// The same as one `config_invalid`: `server` and `field` of the first problem, and every problem in
    /// `problems`.
    #[must_use]
    pub fn to_acp_error(&self) -> AcpError {
        let Some(first) = self.0.first() else {
            return AcpError::config_invalid(None, "", "the configuration is invalid");
        };
        let problems = self.0.iter().map(|problem| {
            let mut entry = Map::new();
            if let Some(server) = &problem.server {
                entry.insert("server".to_owned(), server.as_str().into());
            }
            entry.insert("field".to_owned(), problem.field().into());
            entry.insert("reason".to_owned(), problem.reason.as_str().into());
            entry.insert("message".to_owned(), problem.to_string().into());
            Value::Object(entry)
        });
        AcpError::config_invalid(first.server.as_deref(), &first.field(), self.to_string())
            .with_detail("problems", problems.collect::<Vec<_>>())
    }
}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{problem}")?;
        }
        Ok(())
    }
}

impl core::error::Error for ConfigErrors {}

impl From<ConfigErrors> for AcpError {
    fn from(errors: ConfigErrors) -> Self {
        errors.to_acp_error()
    }
}

/// Reads a host's table of servers, `{"servers": {name: {...}}}`, in UTF-8.
///
/// `env` looks a variable up; nothing is read from the process's own environment. `$VAR` and `${VAR}` are
/// expanded in the values of `env`, once, and there is no escape: a dollar that begins neither form stands for
/// itself. A byte order mark before the text is skipped, as in any file that a person saves. Fields that are not
/// known are left alone. A null is a value of the wrong type, a boolean or `1000.0`
/// is no integer, and a name given twice in any object is an error: one of the two would be lost.
///
/// ```
/// use ackguard::acp::parse_acp_config;
///
/// let text = br#"{"servers": {"helper": {"command": "agent", "args": [], "cwd": ".", "env": {"KEY": "$KEY"}}}}"#;
/// let config = parse_acp_config(text, |name| (name == "KEY").then(|| "secret".to_owned()))?;
/// assert_eq!(config.server("helper").unwrap().env["KEY"], "secret");
///
/// let errors = parse_acp_config(text, |_| None).unwrap_err();
/// assert_eq!(errors.to_string(), "server 'helper': `env.KEY` refers to the variable KEY, which is not set");
/// # Ok::<(), ackguard::acp::ConfigErrors>(())
/// ```
///
/// # Errors
///
/// All problems of the text, not only the first.
pub fn parse_acp_config(
    json: impl AsRef<[u8]>,
    env: impl Fn(&str) -> Option<String>,
) -> Result<AcpConfig, ConfigErrors> {
    let json = json.as_ref();
    // A file that a person saved, unlike a frame that a program wrote: editors on Windows put a mark before it.
    let json = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json);
    let tree = match tree::read(json) {
        Ok(tree) => tree,
        Err(offset) => {
            let (line, column) = place(json, offset);
            let reason = ConfigReason::Syntax { line, column };
            return Err(ConfigErrors(vec![ConfigProblem { server: None, path: Vec::new(), reason }]));
        }
    };
    let mut reader = Reader { env: &env, problems: Vec::new(), server: None, path: Vec::new() };
    let servers = reader.table(&tree);
    match reader.problems.is_empty() {
        true => Ok(AcpConfig { servers }),
        false => Err(ConfigErrors(reader.problems)),
    }
}

/// The line and the column of a byte, each from 1; where a line ends too early, those of its end.
fn place(text: &[u8], offset: usize) -> (usize, usize) {
    let until = text.get(..=offset).unwrap_or(text);
    let mut lines = until.rsplit(|byte| *byte == b'\n');
    let column = lines.next().map_or(0, <[u8]>::len);
    (1 + lines.count(), column.max(1))
}

/// Goes through the tree and notes what is wrong where.
struct Reader<'a> {
    env: &'a dyn Fn(&str) -> Option<String>,
    problems: Vec<ConfigProblem>,
    server: Option<String>,
    path: Vec<String>,
}

/// The members of an object, in the order of the text.
type Members = [(String, Tree)];

impl Reader<'_> {
    fn problem(&mut self, reason: ConfigReason) {
        self.problems.push(ConfigProblem { server: self.server.clone(), path: self.path.clone(), reason });
    }

    fn problem_of(&mut self, field: &str, reason: ConfigReason) {
        self.path.push(field.to_owned());
        self.problem(reason);
        self.path.pop();
    }

    fn wrong_type(&mut self, expected: &'static str, found: &Tree) {
        self.problem(ConfigReason::Type { expected, found: found.kind() });
    }

    /// The names that an object has more than once, once each, in the order of the text where they come again.
    fn repeated(members: &Members) -> Vec<&str> {
        let name = |place: usize| members.get(place).map_or("", |(name, _)| name.as_str());
        let sorted = order(members.len(), &|a, b| name(a).cmp(name(b)));
        let mut is_second = vec![false; members.len()];
        for same in sorted.chunk_by(|a, b| name(*a) == name(*b)) {
            if let Some(place) = same.get(1).and_then(|place| is_second.get_mut(*place)) {
                *place = true;
            }
        }
        members
            .iter()
            .zip(is_second)
            .filter(|(_, again)| *again)
            .map(|((name, _), _)| name.as_str())
            .collect()
    }

    fn repeated_fields(&mut self, members: &Members) {
        for name in Self::repeated(members) {
            self.problem_of(name, ConfigReason::Duplicate);
        }
    }

    /// The members of what has to be an object; names that it has more than once are noted.
    fn object<'t>(&mut self, tree: &'t Tree, expected: &'static str) -> Option<&'t Members> {
        let Tree::Object(members) = tree else {
            self.wrong_type(expected, tree);
            return None;
        };
        self.repeated_fields(members);
        Some(members)
    }

    /// What has to be a text.
    fn text<'t>(&mut self, tree: &'t Tree) -> Option<&'t str> {
        let Tree::String(text) = tree else {
            self.wrong_type("a string", tree);
            return None;
        };
        Some(text)
    }

    /// Notes repeated names in all objects within a value that is not looked at otherwise.
    fn repeated_below(&mut self, tree: &Tree) {
        match tree {
            Tree::Object(members) => {
                self.repeated_fields(members);
                for (name, value) in members {
                    self.repeated_at(name.clone(), value);
                }
            }
            Tree::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.repeated_at(index.to_string(), item);
                }
            }
            _ => {}
        }
    }

    fn repeated_at(&mut self, name: String, tree: &Tree) {
        self.path.push(name);
        self.repeated_below(tree);
        self.path.pop();
    }

    fn table(&mut self, tree: &Tree) -> Vec<ServerConfig> {
        let mut servers = Vec::new();
        let Some(root) = self.object(tree, AN_OBJECT) else { return servers };
        for (name, value) in root {
            match value {
                _ if name != SERVERS => self.repeated_at(name.clone(), value),
                Tree::Object(entries) => self.entries(entries, &mut servers),
                other => {
                    self.problem_of(SERVERS, ConfigReason::Type { expected: AN_OBJECT, found: other.kind() });
                }
            }
        }
        self.required(SERVERS, root);
        servers
    }

    /// Notes which of these fields, one text with blanks between them, are not there.
    fn required(&mut self, names: &str, members: &Members) {
        for required in names.split(' ') {
            if !members.iter().any(|(field, _)| field == required) {
                self.problem_of(required, ConfigReason::Missing);
            }
        }
    }

    fn entries(&mut self, entries: &Members, servers: &mut Vec<ServerConfig>) {
        for name in Self::repeated(entries) {
            self.server = Some(name.to_owned());
            self.problem(ConfigReason::Duplicate);
        }
        for (name, entry) in entries {
            // A name that is too long is not worth repeating with every problem either.
            let shown = name.get(..floor_boundary(name, MAX_SERVER_BYTES)).unwrap_or_default();
            self.server = Some(shown.to_owned());
            if shown.len() < name.len() {
                self.problem(ConfigReason::NameTooLong);
            }
            if name.trim().is_empty() {
                self.problem(ConfigReason::Empty);
            }
            if let Some(fields) = self.object(entry, AN_OBJECT) {
                servers.push(self.entry(name, fields));
            }
        }
        self.server = None;
    }

    fn entry(&mut self, name: &str, fields: &Members) -> ServerConfig {
        self.required("command args env cwd", fields);
        let mut server = ServerConfig {
            name: name.to_owned(),
            command: String::new(),
            args: Vec::new(),
            env: Variables::new(),
            cwd: String::new(),
            auto_start: None,
            startup_timeout_ms: None,
            request_timeout_ms: None,
            capabilities: None,
            description: None,
            non_interactive_policy: None,
            max_recoverable_restarts: None,
        };
        for (field, value) in fields {
            self.path.push(field.clone());
            match field.as_str() {
                "command" => server.command = self.usable(value),
                "cwd" => server.cwd = self.usable(value),
                "args" => server.args = self.args(value),
                "env" => server.env = self.variables(value),
                "autoStart" => match value {
                    Tree::Bool(flag) => server.auto_start = Some(*flag),
                    other => self.wrong_type("a boolean", other),
                },
                "startupTimeoutMs" => server.startup_timeout_ms = self.integer(value, 1),
                "requestTimeoutMs" => server.request_timeout_ms = self.integer(value, 1),
                "maxRecoverableRestarts" => server.max_recoverable_restarts = self.integer(value, 0),
                "capabilities" => match value.to_value() {
                    Value::Object(capabilities) => {
                        self.repeated_below(value);
                        server.capabilities = Some(capabilities);
                    }
                    _ => self.wrong_type(AN_OBJECT, value),
                },
                "description" => server.description = self.text(value).map(str::to_owned),
                "nonInteractivePolicy" => server.non_interactive_policy = self.policy(value),
                _ => self.repeated_below(value),
            }
            self.path.pop();
        }
        server
    }

    /// A text that names a program or a directory.
    fn usable(&mut self, value: &Tree) -> String {
        let text = self.text(value);
        if text.is_some_and(|text| text.trim().is_empty()) {
            self.problem(ConfigReason::Empty);
        }
        text.map(|text| self.without_nul(text)).unwrap_or_default()
    }

    fn without_nul(&mut self, text: &str) -> String {
        if text.as_bytes().contains(&0) {
            self.problem(ConfigReason::Unusable);
        }
        text.to_owned()
    }

    fn args(&mut self, value: &Tree) -> Vec<String> {
        let mut args = Vec::new();
        let Tree::Array(items) = value else {
            self.wrong_type("an array of strings", value);
            return args;
        };
        for (index, item) in items.iter().enumerate() {
            self.path.push(index.to_string());
            match self.text(item) {
                Some(text) => args.push(self.without_nul(text)),
                None => self.repeated_below(item),
            }
            self.path.pop();
        }
        args
    }

    fn variables(&mut self, value: &Tree) -> Variables {
        let mut variables = Vec::new();
        for (name, value) in self.object(value, "an object of strings").unwrap_or_default() {
            self.path.push(name.clone());
            if name.is_empty() {
                self.problem(ConfigReason::Empty);
            } else if name.contains(['=', '\0']) {
                self.problem(ConfigReason::Unusable);
            }
            match self.text(value).map(|text| expand(text, self.env)) {
                Some(Ok(text)) => {
                    #[allow(clippy::useless_conversion)] // in the other kind of map it is a value
                    variables.push((name.clone(), self.without_nul(&text).into()));
                }
                Some(Err(errors)) => {
                    for error in errors {
                        self.problem(match error {
                            ExpandError::Unset(name) => ConfigReason::Unset(name),
                            ExpandError::Syntax => ConfigReason::Expansion,
                        });
                    }
                }
                None => self.repeated_below(value),
            }
            self.path.pop();
        }
        variables.into_iter().collect()
    }

    fn integer(&mut self, value: &Tree, min: u64) -> Option<u64> {
        const EXPECTED: &str = "an integer";
        let Tree::Number(number) = value else {
            self.wrong_type(EXPECTED, value);
            return None;
        };
        let integer = number.as_u64();
        if integer.is_some_and(|n| (min..=MAX_INTEGER).contains(&n)) {
            return integer;
        }
        self.problem(if integer.is_some() || number.is_i64() {
            ConfigReason::Range { min }
        } else {
            ConfigReason::Type { expected: EXPECTED, found: "a number that is none" }
        });
        None
    }

    fn policy(&mut self, value: &Tree) -> Option<NonInteractivePolicy> {
        let members = self.object(value, AN_OBJECT)?;
        self.required(MODE, members);
        let mut policy = None;
        for (name, value) in members {
            self.path.push(name.clone());
            if name == MODE {
                match self.text(value) {
                    Some(REJECT_ALL) => policy = Some(NonInteractiveMode::RejectAll),
                    Some(ACCEPT_ALL) => policy = Some(NonInteractiveMode::AcceptAll),
                    Some(_) => {
                        self.problem(ConfigReason::Choice { expected: "`reject_all` or `accept_all`" })
                    }
                    None => {}
                }
            } else {
                self.repeated_below(value);
            }
            self.path.pop();
        }
        policy.map(|mode| NonInteractivePolicy { mode })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn good() -> Value {
        json!({"servers": {"b": {
            "command": "agent", "args": ["--stdio"], "cwd": "/srv", "env": {"KEY": "x${KEY}"},
            "autoStart": false, "startupTimeoutMs": 1, "requestTimeoutMs": MAX_INTEGER,
            "capabilities": {"fs": true}, "description": "d", "nonInteractivePolicy": {"mode": "accept_all"},
            "maxRecoverableRestarts": 0,
        }, "a": {"command": "agent", "args": [], "cwd": ".", "env": {}}}})
    }

    fn env(name: &str) -> Option<String> {
        (name == "KEY").then(|| "hunter2".to_owned())
    }

    #[test]
    fn a_configuration_is_read_whole_and_written_as_it_was() {
        let config = parse_acp_config(good().to_string(), env).unwrap();
        let server = config.server("b").unwrap();
        assert_eq!(server.env["KEY"], "xhunter2");
        assert_eq!(server.request_timeout_ms, Some(MAX_INTEGER));
        assert_eq!(server.non_interactive_policy.unwrap().mode, NonInteractiveMode::AcceptAll);
        let mut expected = good();
        expected["servers"]["b"]["env"]["KEY"] = "xhunter2".into();
        assert_eq!(serde_json::to_value(&config).unwrap(), expected);
        assert!(!format!("{config:?}").contains("hunter2"));
        assert!(config.server("c").is_none());
    }

    #[test]
    fn servers_keep_the_order_of_the_text() {
        let entry = r#"{"command": "x", "args": [], "cwd": ".", "env": {}}"#;
        let text = format!(r#"{{"servers": {{"z": {entry}, "a": {entry}}}}}"#);
        let config = parse_acp_config(text, env).unwrap();
        assert_eq!(config.servers.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["z", "a"]);
    }

    #[test]
    fn problems_say_where_and_never_what_stood_there() {
        let text = r#"{"servers": {"a/b": {"command": 5, "args": ["hunter2", 7], "cwd": "hunter2\u0000",
            "env": {"K": "hunter2$hunter2 ${"}, "nonInteractivePolicy": {"mode": "hunter2"}}}}"#;
        let errors = parse_acp_config(text, |_| None).unwrap_err();
        let shown: Vec<_> = errors.problems().iter().map(|p| (p.pointer(), p.reason.as_str())).collect();
        let at = |field: &str| format!("/servers/a~1b/{field}");
        assert_eq!(
            shown,
            [
                (at("command"), "type"),
                (at("args/1"), "type"),
                (at("cwd"), "unusable"),
                (at("env/K"), "unset_variable"),
                (at("env/K"), "expansion"),
                (at("nonInteractivePolicy/mode"), "choice"),
            ]
        );
        let error = AcpError::from(errors.clone());
        for text in
            [errors.to_string(), format!("{errors:?}"), Value::from(error.details().clone()).to_string()]
        {
            assert!(!text.contains("hunter2"), "{text}");
        }
        assert_eq!(error.missing_details(), [""; 0]);
        assert_eq!(error.details()["server"], "a/b");
        assert_eq!(error.details()["problems"].as_array().unwrap().len(), errors.problems().len());
    }

    #[test]
    fn text_that_is_no_json_says_where_it_ends() {
        let place = |text: &[u8]| match parse_acp_config(text, env).unwrap_err().problems() {
            [ConfigProblem { server: None, reason: ConfigReason::Syntax { line, column }, .. }] => {
                (*line, *column)
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(place(b"{\n\"servers\": hunter2}"), (2, 12));
        assert_eq!(place(b"\xff"), (1, 1));
        assert_eq!(place(b""), (1, 1));
        // Refused, not overflowed.
        assert_eq!(place("[".repeat(1_000_000).as_bytes()).0, 1);
    }

    #[test]
    fn a_name_without_end_is_not_repeated_with_every_problem() {
        let text = format!(r#"{{"servers": {{"{}": {{}}}}}}"#, "é".repeat(10_000));
        let errors = parse_acp_config(text, env).unwrap_err();
        assert_eq!(errors.problems().len(), 5);
        assert!(errors.to_string().len() < 5 * (MAX_SERVER_BYTES + 100));
    }
}
