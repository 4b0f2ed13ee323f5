//! The vector files as every runner reads them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::{Map, Value};

/// One vector file.
#[derive(Debug, Clone)]
pub struct File {
    /// The file's name without `.json`.
    pub name: String,
    /// The whole file, tokens put in.
    pub json: Value,
    /// Its cases, in order.
    pub cases: Vec<Case>,
}

/// One case: what goes in, and what has to come out.
#[derive(Debug, Clone)]
pub struct Case {
    /// Unique among all files, never used again.
    pub id: String,
    /// What the public function is given.
    pub input: Fields,
    /// What it has to answer.
    pub expect: Value,
}

/// The folder that holds the vector files.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

/// Every vector file, by name.
///
/// # Errors
///
/// A file that cannot be read, is no JSON, or holds a case without `id` or `expect`.
pub fn load() -> io::Result<Vec<File>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if path.extension().is_some_and(|e| e == "json") && name != "schema.json" {
            paths.push(path);
        }
    }
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> io::Result<File> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, format!("{name}.json: {what}"));
    let mut json: Value = serde_json::from_str(&fs::read_to_string(path)?)?;
    let tokens = tokens(&json);
    let Some(cases) = json.get_mut("cases") else { return Err(wrong("no cases")) };
    put_in(cases, &tokens);
    let mut read = Vec::new();
    for case in cases.as_array().ok_or_else(|| wrong("cases is no array"))? {
        let mut case = case.as_object().cloned().ok_or_else(|| wrong("a case is no object"))?;
        let Some(Value::String(id)) = case.remove("id") else { return Err(wrong("a case has no id")) };
        let expect = case.remove("expect").ok_or_else(|| wrong("a case has no expect"))?;
        case.remove("why");
        case.remove("note");
        // The cases of rel_paths_fs.json keep what goes in beside the id.
        let input = match case.remove("input") {
            Some(Value::Object(input)) if case.is_empty() => input,
            Some(_) => {
                return Err(wrong(&format!("{id}: input is no object, or stands beside unknown fields")));
            }
            None => case,
        };
        read.push(Case { id, input: Fields::new(input), expect });
    }
    Ok(File { name, json, cases: read })
}

/// The file's tokens: text that is put together only here, so that no scanner takes the file for a leak.
fn tokens(json: &Value) -> BTreeMap<String, String> {
    let Some(tokens) = json.get("tokens").and_then(Value::as_object) else { return BTreeMap::new() };
    tokens
        .iter()
        .map(|(name, parts)| {
            let parts = parts.as_array().into_iter().flatten().filter_map(Value::as_str);
            (format!("{{{{{name}}}}}"), parts.collect())
        })
        .collect()
}

/// Puts the tokens in wherever `{{name}}` stands, keys included.
fn put_in(value: &mut Value, tokens: &BTreeMap<String, String>) {
    let replaced = |text: &str| {
        tokens.iter().fold(text.to_owned(), |text, (mark, token)| text.replace(mark.as_str(), token))
    };
    match value {
        Value::String(text) => *text = replaced(text),
        Value::Array(items) => items.iter_mut().for_each(|item| put_in(item, tokens)),
        Value::Object(members) => {
            *members = std::mem::take(members)
                .into_iter()
                .map(|(key, mut value)| {
                    put_in(&mut value, tokens);
                    (replaced(&key), value)
                })
                .collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Named fields that have to be used up: what a runner does not know must not pass unseen.
#[derive(Debug, Clone, Default)]
pub struct Fields(Map<String, Value>);

impl Fields {
    /// Fields none of which has been used.
    #[must_use]
    pub fn new(fields: Map<String, Value>) -> Self {
        Self(fields)
    }

    /// The field, which then counts as used.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name)
    }

    /// The field as text.
    pub fn text(&mut self, name: &str) -> Option<String> {
        match self.take(name) {
            Some(Value::String(text)) => Some(text),
            Some(other) => {
                // Back it goes: a field of another type is not known to the caller.
                self.0.insert(name.to_owned(), other);
                None
            }
            None => None,
        }
    }

    /// The names that nobody used.
    #[must_use]
    pub fn rest(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }
}
