//! `uniffi-bindgen kotlin|swift LIBRARY OUT CRATE`: writes the generated sources of one language.
//!
//! LIBRARY is the static or an unstripped dynamic library, which holds the description of the interface; CRATE
//! the folder of this crate, whose `uniffi.toml` has the names that the languages see.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use camino::Utf8PathBuf;
use uniffi_bindgen::bindings::{GenerateOptions, TargetLanguage, generate_with_bindgen_paths};
use uniffi_bindgen::{BindgenPaths, BindgenPathsLayer};

/// This crate's folder: the only crate there is to look for.
struct Here(Utf8PathBuf);

impl BindgenPathsLayer for Here {
    fn get_crate_root(&self, _: &str) -> Option<Utf8PathBuf> {
        Some(self.0.clone())
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [language, library, out, folder] = arguments.as_slice() else {
        return usage("four arguments are needed");
    };
    let language = match language.as_str() {
        "kotlin" => TargetLanguage::Kotlin,
        "swift" => TargetLanguage::Swift,
        _ => return usage("the language is kotlin or swift"),
    };
    let mut paths = BindgenPaths::default();
    paths.add_layer(Here(Utf8PathBuf::from(folder)));
    let options = GenerateOptions {
        languages: vec![language],
        source: Utf8PathBuf::from(library),
        out_dir: Utf8PathBuf::from(out),
        ..GenerateOptions::default()
    };
    if let Err(error) = generate_with_bindgen_paths(options, paths) {
        return usage(&format!("{error:#}"));
    }
    if arguments.first().is_some_and(|language| language == "kotlin")
        && let Err(problem) = for_people(&Path::new(out).join("io/ackguard/ackguard_uniffi.kt"))
    {
        return usage(&problem);
    }
    ExitCode::SUCCESS
}

/// What UniFFI has no setting for: the message of an exception is its `text` and not a list of all fields, which
/// a log would be full of; and the functions are `Ackguard.name()` in Java, with their defaults.
fn for_people(file: &Path) -> Result<(), String> {
    let generated = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let (mut lines, mut messages, mut names) = (Vec::new(), 0, 0);
    let mut in_message = false;
    for line in generated.lines() {
        if in_message && line.trim_start().starts_with("get() = ") {
            if !line.contains("${ `text` }") {
                return Err(format!("an exception without a text: {line}"));
            }
            lines.push("            get() = `text`".to_owned());
            messages += 1;
        } else if line.starts_with("@file:Suppress(") {
            lines.push("@file:JvmMultifileClass".to_owned());
            lines.push("@file:JvmName(\"Ackguard\")".to_owned());
            lines.push(line.to_owned());
            names += 1;
        } else {
            lines.push(line.to_owned());
        }
        in_message = line.trim() == "override val message";
    }
    if messages == 0 || names != 1 {
        return Err("the generated Kotlin is not of the expected form".to_owned());
    }
    let mut text = lines.join("\n") + "\n";
    for (from, to) in LENT.into_iter().chain([LONE]) {
        if text.matches(from).count() != 1 {
            return Err(format!("the generated Kotlin should have once: {from}"));
        }
        text = text.replacen(from, to, 1);
    }
    fs::write(file, text).map_err(|error| error.to_string())
}

/// A call makes two of JNA's structures, and to make them takes ten times as long as most calls: they are kept, one of
/// each for a thread. The rest of it is in `Calls.kt`.
const LENT: [(&str, &str); 3] = [
    ("    var status = UniffiRustCallStatus()\n", "    val status = lentStatus()\n"),
    (
        "    uniffiCheckCallStatus(errorHandler, status)\n    return return_value\n",
        "    if (status.hasFailed()) uniffiCheckCallStatus(errorHandler, status.taken())\n    return return_value\n",
    ),
    ("        val fb = ForeignBytes.ByValue()\n", "        val fb = lentBytes()\n"),
];

/// Half of a surrogate pair is no character. It goes over as the one that stands for what is none, which every rule refuses
/// or keeps like any other: UniFFI's own way is an exception that nothing says is thrown, and that is none of ours.
const LONE: (&str, &str) = (
    "            onMalformedInput(CodingErrorAction.REPORT)\n",
    "            onMalformedInput(CodingErrorAction.REPLACE)\n            replaceWith(\"\\uFFFD\".encodeToByteArray())\n",
);

#[allow(clippy::print_stderr)] // a command
fn usage(problem: &str) -> ExitCode {
    eprintln!("uniffi-bindgen: {problem}\nusage: uniffi-bindgen kotlin|swift LIBRARY OUT CRATE");
    ExitCode::from(2)
}
