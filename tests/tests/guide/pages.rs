//! The pages themselves: every inclusion resolves, every snippet is one that a language's tests run, every task is
//! shown in all five languages, and the table of codes is the registry's.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use ackguard::code::ALL;

/// The languages in the order of the tabs: folder, fence, and extension.
const LANGUAGES: [(&str, &str, &str); 5] = [
    ("rust", "rust", "rs"),
    ("python", "python", "py"),
    ("javascript", "js", "mjs"),
    ("kotlin", "kotlin", "kt"),
    ("swift", "swift", "swift"),
];
const TASKS: [&str; 3] = ["agent", "computer", "stdio"];

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/docs")
}

fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.canonicalize().unwrap());
        }
    }
    found
}

/// The pages with their text.
fn pages() -> BTreeMap<PathBuf, String> {
    let found = files(&docs().join("src"));
    let pages: BTreeMap<_, _> = found
        .into_iter()
        .filter(|path| path.extension().is_some_and(|it| it == "md"))
        .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
        .collect();
    assert!(pages.len() > TASKS.len(), "no pages");
    pages
}

/// The inclusion on a line: the file, and the part of it that is marked.
fn inclusion(line: &str) -> Option<(&str, Option<&str>)> {
    let inside = line.trim().strip_prefix("{{#include ")?.strip_suffix("}}")?.trim();
    Some(inside.split_once(':').map_or((inside, None), |(file, part)| (file, Some(part))))
}

/// The parts that are marked in a snippet, and whether each has lines and an end.
fn parts(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open: Option<(&str, usize)> = None;
    for line in text.lines() {
        // The name ends where the comment may.
        let line = line.trim_end_matches(" -->");
        if let Some((_, name)) = line.split_once("ANCHOR_END: ") {
            let (begun, lines) = open.take().expect("an end without a beginning");
            assert!(begun == name && lines > 0, "{name} ends, {begun} began");
            assert!(found.insert(name.to_owned()), "{name} twice");
        } else if let Some((_, name)) = line.split_once("ANCHOR: ") {
            assert!(open.is_none(), "{name} begins inside another part");
            open = Some((name, 0));
        } else if let Some((_, lines)) = &mut open {
            *lines += 1;
        }
    }
    assert!(open.is_none(), "{open:?} has no end");
    found
}

#[test]
fn every_inclusion_resolves() {
    let mut seen = 0;
    for (page, text) in pages() {
        assert_eq!(
            text.matches("{{#").count(),
            text.lines().filter_map(inclusion).count(),
            "{}",
            page.display()
        );
        for (file, part) in text.lines().filter_map(inclusion) {
            let path = page.parent().unwrap().join(file);
            let included = fs::read_to_string(&path).unwrap_or_else(|_| panic!("{}: {file}", page.display()));
            if let Some(part) = part {
                assert!(parts(&included).contains(part), "{}: {file} has no part {part}", page.display());
            }
            seen += 1;
        }
    }
    assert!(seen >= TASKS.len() * LANGUAGES.len(), "only {seen} inclusions");
}

/// Nothing is shown that no test runs: a block of code in one of the languages is an inclusion and nothing else.
#[test]
fn every_block_of_code_is_one_that_is_run() {
    let fences: BTreeSet<&str> = LANGUAGES.iter().map(|(_, fence, _)| *fence).collect();
    let snippets = docs().join("snippets").canonicalize().unwrap();
    for (page, text) in pages() {
        let mut block: Option<(String, Vec<&str>)> = None;
        for line in text.lines() {
            match (line.trim_start().strip_prefix("```"), &mut block) {
                (Some(fence), None) => {
                    assert!(!fence.is_empty(), "{}: a block without a language", page.display());
                    block = Some((fence.split(',').next().unwrap().to_owned(), Vec::new()));
                }
                (Some(_), Some((fence, lines))) => {
                    if fences.contains(fence.as_str()) {
                        let file = match lines[..] {
                            [line] => inclusion(line).map(|(file, _)| page.parent().unwrap().join(file)),
                            _ => None,
                        };
                        let file = file.unwrap_or_else(|| panic!("{}: {lines:?}", page.display()));
                        assert!(file.canonicalize().unwrap().starts_with(&snippets), "{}", file.display());
                    }
                    block = None;
                }
                (None, Some((_, lines))) => lines.push(line),
                (None, None) => {}
            }
        }
        assert!(block.is_none(), "{}: a block without an end", page.display());
    }
}

#[test]
fn every_task_is_shown_in_five_languages() {
    for task in TASKS {
        let text = fs::read_to_string(docs().join("src").join(format!("{task}.md"))).unwrap();
        let shown: Vec<_> = text.lines().filter_map(inclusion).collect();
        let wanted: BTreeSet<String> =
            parts(&fs::read_to_string(docs().join(format!("snippets/rust/{task}.rs"))).unwrap());
        assert!(!wanted.is_empty());
        for (folder, _, extension) in LANGUAGES {
            let path = format!("../snippets/{folder}/{task}.{extension}");
            let of_language: BTreeSet<String> = shown
                .iter()
                .filter(|(file, _)| *file == path)
                .filter_map(|(_, part)| part.map(str::to_owned))
                .collect();
            assert_eq!(of_language, wanted, "{task} in {folder}: what the page shows");
            let snippet = fs::read_to_string(docs().join("src").join(&path)).unwrap();
            assert_eq!(parts(&snippet), wanted, "{task} in {folder}: what the snippet has");
        }
    }
    // No snippet without a page: it would be kept up for nobody.
    let all = files(&docs().join("snippets"));
    let names: BTreeSet<String> = all
        .iter()
        .filter(|path| path.extension().is_some_and(|it| LANGUAGES.iter().any(|(_, _, of)| it == *of)))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert!(TASKS.iter().all(|task| names.contains(*task)));
    for name in names {
        // Beside the tasks there are pages of one language.
        let page = fs::read_to_string(docs().join(format!("src/{name}.md"))).unwrap_or_default();
        let file = format!("/{name}.");
        assert!(
            page.lines().filter_map(inclusion).any(|(path, _)| path.contains(&file)),
            "{name} is on no page"
        );
    }
}

#[test]
fn the_summary_lists_every_page_and_links_lead_somewhere() {
    let source = docs().join("src").canonicalize().unwrap();
    let mut listed = BTreeSet::new();
    for (page, text) in pages() {
        let in_summary = page.ends_with("SUMMARY.md");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.contains("://") || target.starts_with('#') {
                continue;
            }
            let file = page.parent().unwrap().join(target.split('#').next().unwrap());
            let file = file.canonicalize().unwrap_or_else(|_| panic!("{}: {target}", page.display()));
            assert!(file.starts_with(&source), "{}: {target} is not on the site", page.display());
            if in_summary {
                assert!(listed.insert(file), "{target} is listed twice");
            }
        }
    }
    let all: BTreeSet<PathBuf> = pages().into_keys().filter(|page| !page.ends_with("SUMMARY.md")).collect();
    assert_eq!(listed, all);
}

/// Every decision has its page.
#[test]
fn the_decisions_are_all_there() {
    let text = fs::read_to_string(docs().join("src/decisions.md")).unwrap();
    for record in files(&docs().join("adr")) {
        let name = record.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(text.contains(&format!("{{{{#include ../adr/{name}}}}}")), "{name} is missing");
    }
}

fn codes() -> String {
    let mut table = "| code | name | meaning | carried by | reasons | retry, action |\n\
                     | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for info in ALL {
        let reasons: Vec<String> = info.reasons.iter().map(|it| format!("`{}`", it.name)).collect();
        writeln!(
            table,
            "| {} | `{}` | {} | {} | {} | {}, `{}` |",
            info.code,
            info.name,
            info.meaning,
            info.carrier.as_str(),
            reasons.join(" "),
            info.advice.automatic.as_str(),
            info.advice.action.as_str()
        )
        .unwrap();
    }
    table
}

/// The reasons whose advice or sentence for people is another than their code's.
fn reasons() -> String {
    let mut table =
        "| code | reason | retry, action | the user is told |\n| --- | --- | --- | --- |\n".to_owned();
    for info in ALL {
        for reason in info.reasons {
            if reason.advice == info.advice && reason.user_message.is_none() {
                continue;
            }
            writeln!(
                table,
                "| {} | `{}` | {}, `{}` | {} |",
                info.code,
                reason.name,
                reason.advice.automatic.as_str(),
                reason.advice.action.as_str(),
                reason.user_message.unwrap_or(info.user_message).en
            )
            .unwrap();
        }
    }
    table
}

#[test]
fn the_page_of_codes_is_the_registry() {
    let path = docs().join("src/codes.md");
    let page = fs::read_to_string(&path).unwrap();
    let mut made = page.clone();
    for (start, end, table) in [
        ("ACKGUARD_WRITE=1 rewrites -->\n", "<!-- end of codes -->", codes()),
        ("as the table above -->\n", "<!-- end of reasons -->", reasons()),
    ] {
        let from = made.find(start).unwrap() + start.len();
        let to = made.find(end).unwrap();
        made.replace_range(from..to, &table);
    }
    if page != made && env::var_os("ACKGUARD_WRITE").is_some() {
        fs::write(&path, &made).unwrap();
        return;
    }
    assert!(page == made, "core/docs/src/codes.md has to be brought up to date:\n{made}");
}
