//! The sandbox against real packages, in both of its implementations.
#![cfg(unix)]

mod sandbox_support;

use std::collections::HashMap;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{Duration, Instant};

use ackguard::Dialect;
use ackguard::rel_path::{Forbidden, SkillResourceReason};
use ackguard::sandbox::{Options, RootError, SkillRoot};
use ackguard_tests::vectors;
use sandbox_support::{Folder, both, outcome};
use serde_json::{Value, json};

/// What both implementations answer, which has to be the same, by every way in.
fn answer(folder: &Folder, options: &Options, rel: Option<&str>) -> Result<Vec<u8>, Value> {
    let answers = both(&folder.path("pkg"), options).map(|(implementation, root)| {
        let read = root.read(rel);
        let opened = root.open_file(rel);
        let (sized, resolved) = (root.stat(rel), root.resolve(rel));
        match &read {
            Ok(bytes) => {
                assert_eq!(sized, Ok(bytes.len() as u64), "{implementation} {rel:?}");
                let mut file = opened.unwrap();
                assert_eq!(file.size(), bytes.len() as u64);
                let mut again = Vec::new();
                file.read_to_end(&mut again).unwrap();
                assert_eq!(&again, bytes, "{implementation} {rel:?}");
                let path = resolved.unwrap();
                assert_eq!(path.canonicalize().unwrap(), path, "{implementation} {rel:?}: not a real path");
                assert!(path.starts_with(folder.path("pkg")), "{implementation} {rel:?}: {}", path.display());
                assert_eq!(&fs::read(path).unwrap(), bytes, "{implementation} {rel:?}");
            }
            Err(error) => {
                assert_eq!(opened.err().as_ref(), Some(error), "{implementation} {rel:?}");
                assert_eq!(sized.err().as_ref(), Some(error), "{implementation} {rel:?}");
                assert_eq!(resolved.err().as_ref(), Some(error), "{implementation} {rel:?}");
                let given = rel.map(|rel| rel.get(..4096).unwrap_or(rel));
                assert_eq!(error.rel_path().map(|rel| rel.trim_end_matches('…')), given);
            }
        }
        read.map_err(|error| {
            json!({ "payload": error.to_payload().to_value(ackguard::Dialect::V0_2), "text": error.to_string() })
        })
    });
    let [first, second] = answers;
    assert_eq!(first, second, "{rel:?}: the implementations differ");
    first
}

/// `ok`, or the reason of the refusal.
fn verdict(folder: &Folder, options: &Options, rel: &str) -> String {
    match answer(folder, options, Some(rel)) {
        Ok(_) => "ok".to_owned(),
        Err(error) => {
            assert_eq!(error["payload"]["code"], 4017, "{error}");
            error["payload"]["details"]["reason"].as_str().unwrap().to_owned()
        }
    }
}

#[test]
fn the_shared_cases() {
    let files = vectors::load().unwrap();
    let file = files.iter().find(|file| file.name == "rel_paths_fs").unwrap();
    let folder = Folder::new();
    folder.tree(&file.json["tree"]);
    let mut pairs: HashMap<String, String> = HashMap::new();
    for case in &file.cases {
        let mut input = case.input.clone();
        let rel = input.text("rel_path");
        let mut forbidden = Forbidden::new();
        if let Some(names) = input.take("forbid") {
            forbidden = forbidden.with_names(serde_json::from_value::<Vec<String>>(names).unwrap());
        }
        if input.take("credentials") == Some(Value::Bool(true)) {
            forbidden = forbidden.with_credentials();
        }
        let mut options = Options::default().with_forbidden(forbidden);
        if let Some(max_size) = input.take("max_size") {
            options = options.with_max_size(max_size.as_u64().unwrap());
        }
        let answer = answer(&folder, &options, rel.as_deref());
        let verdict = match &answer {
            Ok(bytes) => {
                if let Some(expected) = input.text("file") {
                    assert_eq!(bytes, &fs::read(folder.path(&expected)).unwrap(), "{}", case.id);
                }
                if let Some(leak) = input.text("leak") {
                    assert!(!String::from_utf8_lossy(bytes).contains(&leak), "{} leaks", case.id);
                }
                "ok".to_owned()
            }
            Err(_) => self::verdict(&folder, &options, rel.as_deref().unwrap_or_default()),
        };
        let expected = case.expect.as_array().unwrap();
        assert!(expected.contains(&json!(verdict)), "{}: {verdict}, not {expected:?}", case.id);
        if let Some(pair) = input.text("pair") {
            let other = pairs.entry(pair).or_insert_with(|| verdict.clone());
            assert_eq!(*other, verdict, "{}: differs from its pair", case.id);
        }
        // An outcome that is not `ok` leaves these unread.
        let rest: Vec<&str> =
            input.rest().into_iter().filter(|name| !matches!(*name, "file" | "leak" | "rel_path")).collect();
        assert!(rest.is_empty(), "{}: does not know {rest:?}", case.id);
    }
}

#[test]
fn where_links_lead() {
    let folder = Folder::new();
    folder
        .file("outside/secret.txt", "OUTSIDE")
        .file("pkg/a/b/file.txt", "inside")
        .file("pkg/other/file.txt", "other")
        .link("pkg/short", "a/b")
        // Through a link, `..` is the directory above what it leads to: this stays inside.
        .link("pkg/up_through_link", "short/../../other/file.txt")
        .link("pkg/out_through_link", "short/../../../outside/secret.txt")
        .link("pkg/out_and_back", "../pkg/other/file.txt")
        .link("pkg/missing_then_out", "nowhere/../../outside/secret.txt")
        .link("pkg/file_then_out", "a/b/file.txt/../../../../outside/secret.txt")
        .link("pkg/a/b/far_up", "../../../outside/secret.txt")
        .link("pkg/a/b/just_up", "../../other/file.txt")
        .link("pkg/file_as_directory", "other/file.txt/")
        .link("pkg/file_as_directory_dot", "other/file.txt/.")
        .link("pkg/to_directory", "a")
        .link("pkg/to_root", "/")
        .link("pkg/absolute_in", folder.path("pkg/other/file.txt"))
        .link("pkg/absolute_odd_in", format!("//{}/./pkg//other/file.txt", folder.path("").display()))
        .link("pkg/absolute_dir_in", folder.path("pkg/a"))
        .link("pkg/absolute_root", folder.path("pkg"))
        .link("pkg/absolute_out_by_dots", format!("{}/../outside/secret.txt", folder.path("pkg").display()))
        .link("pkg/absolute_sibling", folder.path("pkg2/file.txt"))
        .link("pkg/to_fifo", "fifo")
        .fifo("pkg/fifo");
    let options = Options::default();
    for (rel, expected) in [
        ("short/file.txt", "ok"),
        ("up_through_link", "ok"),
        ("out_through_link", "traversal"),
        ("out_and_back", "traversal"),
        ("missing_then_out", "traversal"),
        ("file_then_out", "traversal"),
        ("a/b/far_up", "traversal"),
        ("short/far_up", "traversal"),
        ("a/b/just_up", "ok"),
        ("short/just_up", "ok"),
        ("file_as_directory", "not_found"),
        ("file_as_directory_dot", "not_found"),
        ("to_directory", "not_found"),
        ("to_directory/b/file.txt", "ok"),
        ("to_root/etc/passwd", "traversal"),
        ("absolute_in", "ok"),
        ("absolute_odd_in", "ok"),
        ("absolute_dir_in/b/file.txt", "ok"),
        ("absolute_dir_in/b/far_up", "traversal"),
        ("absolute_root", "not_found"),
        ("absolute_root/absolute_root/other/file.txt", "ok"),
        ("absolute_out_by_dots", "traversal"),
        ("absolute_sibling", "traversal"),
        ("to_fifo", "not_found"),
        ("other/file.txt/x", "not_found"),
    ] {
        assert_eq!(verdict(&folder, &options, rel), expected, "{rel}");
    }
}

#[test]
fn forbidden_behind_links_there_or_not() {
    let folder = Folder::new();
    folder
        .file("pkg/.skillenv", "SECRET")
        .file("pkg/there/.aws/credentials", "SECRET")
        .file("pkg/there/server.pem", "SECRET")
        .file("pkg/there/plain.txt", "plain")
        .link("pkg/there_env", ".skillenv")
        .link("pkg/gone_env", "gone/.skillenv")
        .link("pkg/gone_env_deep", "gone/.skillenv/a/b")
        .link("pkg/env_then_up", ".skillenv/../there/plain.txt")
        .link("pkg/upper_env", "gone/.SkillEnv.")
        .link("pkg/short_env", "SKILLE~1")
        .link("pkg/stream_env", ".skillenv:$DATA")
        .link("pkg/ignorable_env", ".skill\u{ad}env")
        .link("pkg/broken_env", std::ffi::OsStr::from_bytes(b".skill\xffenv"))
        .link("pkg/there_pem", "there/server.pem")
        .link("pkg/gone_pem", "gone/SERVER.PEM ")
        .link("pkg/aws_there", "there/.aws")
        .link("pkg/aws_gone", "gone/.aws")
        .link("pkg/aws_by_dots", "there/.aws/../.aws")
        .link("pkg/chain", "aws_there")
        .link("pkg/out_env", "../gone/.skillenv");
    let options = Options::default().with_forbidden(Forbidden::new().with_credentials());
    for rel in [
        "there_env",
        "there_env/x",
        "gone_env",
        "gone_env/x",
        "gone_env_deep",
        "env_then_up",
        "upper_env",
        "short_env",
        "stream_env",
        "ignorable_env",
        "broken_env",
        "there_pem",
        "gone_pem",
        "aws_there/credentials",
        "aws_gone/credentials",
        "aws_by_dots/credentials",
        "chain/Credentials",
        "there/.aws/credentials",
        ".skill\u{200b}env",
    ] {
        assert_eq!(verdict(&folder, &options, rel), "forbidden", "{rel}");
    }
    assert_eq!(verdict(&folder, &options, "out_env"), "traversal");
    assert_eq!(verdict(&folder, &options, "there/plain.txt"), "ok");
    assert_eq!(verdict(&folder, &Options::default(), "there_pem"), "ok");
}

#[test]
fn hard_links_to_what_is_forbidden() {
    let folder = Folder::new();
    folder
        .file("pkg/.skillenv", "SECRET")
        .file("pkg/deep/er/.skillenv", "SECRET 2")
        .file("pkg/dir/.skillenv/inner/key", "SECRET 3")
        .file("pkg/keys/server.pem", "SECRET 4")
        .file("pkg/plain.txt", "plain")
        .dir("pkg/elsewhere")
        .hard_link("pkg/elsewhere/root", "pkg/.skillenv")
        .hard_link("pkg/elsewhere/nested", "pkg/deep/er/.skillenv")
        .hard_link("pkg/elsewhere/inner", "pkg/dir/.skillenv/inner/key")
        .hard_link("pkg/elsewhere/pem", "pkg/keys/server.pem")
        .hard_link("pkg/elsewhere/plain", "pkg/plain.txt")
        .link("pkg/link", "elsewhere/nested");
    let options = Options::default();
    for rel in ["elsewhere/root", "elsewhere/nested", "elsewhere/inner", "link"] {
        assert_eq!(verdict(&folder, &options, rel), "forbidden", "{rel}");
    }
    for rel in ["elsewhere/plain", "plain.txt", "elsewhere/pem"] {
        assert_eq!(verdict(&folder, &options, rel), "ok", "{rel}");
    }
    let strict = Options::default().with_forbidden(Forbidden::new().with_names(["*.pem"]));
    assert_eq!(verdict(&folder, &strict, "elsewhere/pem"), "forbidden");
    // A forbidden file that is too large says that it is forbidden.
    assert_eq!(verdict(&folder, &Options::default().with_max_size(1), "elsewhere/root"), "forbidden");
}

#[test]
fn chains_of_links_and_deep_directories_end() {
    let folder = Folder::new();
    folder.file("pkg/end", "end");
    folder.link("pkg/l0", "end");
    for number in 1..60 {
        folder.link(&format!("pkg/l{number}"), format!("l{}", number - 1));
    }
    let options = Options::default();
    assert_eq!(verdict(&folder, &options, "l39"), "ok");
    assert_eq!(verdict(&folder, &options, "l40"), "not_found");
    // Deeper than the directories that are held at once, and a link that climbs all the way.
    let deep = vec!["d"; 100].join("/");
    folder.file(&format!("pkg/{deep}/file"), "deep").dir("outside");
    folder.link(&format!("pkg/{deep}/climb"), format!("{}end", "../".repeat(100)));
    folder.link(&format!("pkg/{deep}/climb_out"), format!("{}end", "../".repeat(101)));
    folder
        .link(&format!("pkg/{deep}/zigzag"), format!("{}{}/file", "../".repeat(60), vec!["d"; 60].join("/")));
    assert_eq!(verdict(&folder, &options, &format!("{deep}/file")), "ok");
    assert_eq!(verdict(&folder, &options, &format!("{deep}/climb")), "ok");
    assert_eq!(verdict(&folder, &options, &format!("{deep}/zigzag")), "ok");
    assert_eq!(verdict(&folder, &options, &format!("{deep}/climb_out")), "traversal");
    // Links that multiply: each is a long walk up and down, and names the next of its kind twice.
    folder.link("pkg/m0", format!("{}end", "d/../".repeat(700)));
    for number in 1..30 {
        let target = format!("{}m{}", "d/../".repeat(700), number - 1);
        folder.link(&format!("pkg/m{number}"), target);
    }
    let started = Instant::now();
    assert_eq!(verdict(&folder, &options, "m29"), "not_found");
    assert_eq!(verdict(&folder, &options, "m3"), "ok");
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

#[test]
fn what_is_no_readable_file_is_not_found() {
    let folder = Folder::new();
    folder.file("pkg/SKILL.md", "body").fifo("pkg/fifo").dir("pkg/dir");
    let _socket = UnixListener::bind(folder.path("pkg/socket")).unwrap();
    let long = "x".repeat(256);
    let deep = "d/".repeat(3000);
    let started = Instant::now();
    for rel in ["fifo", "fifo/x", "socket", "dir", "dir/x", ".", "SKILL.md/x", "missing", &long, &deep] {
        assert_eq!(verdict(&folder, &Options::default(), rel), "not_found", "{rel:.20}");
    }
    assert!(started.elapsed() < Duration::from_secs(5), "something was waited for");
}

#[test]
fn the_bound_on_the_size() {
    let folder = Folder::new();
    folder.file("pkg/ten", "0123456789").file("pkg/empty", "");
    let huge = fs::File::create(folder.path("pkg/huge")).unwrap();
    huge.set_len(1 << 40).unwrap();
    for (max, expected) in [(10, "ok"), (11, "ok"), (9, "too_large"), (0, "too_large")] {
        assert_eq!(verdict(&folder, &Options::default().with_max_size(max), "ten"), expected, "{max}");
    }
    assert_eq!(verdict(&folder, &Options::default().with_max_size(0), "empty"), "ok");
    for (_, root) in both(&folder.path("pkg"), &Options::default()) {
        let error = root.read("huge").unwrap_err();
        assert_eq!(error.reason(), SkillResourceReason::TooLarge);
        assert_eq!(error.total_size(), Some(1 << 40));
        assert_eq!(error.code().get(), 4017);
        assert_eq!(root.read("missing").unwrap_err().total_size(), None);
    }
}

#[test]
fn a_file_that_grows_gives_no_more_than_the_bound() {
    let folder = Folder::new();
    folder.file("pkg/log", "12345");
    for (_, root) in both(&folder.path("pkg"), &Options::default().with_max_size(8)) {
        fs::write(folder.path("pkg/log"), "12345").unwrap();
        let mut file = root.open_file("log").unwrap();
        let mut appended = fs::OpenOptions::new().append(true).open(folder.path("pkg/log")).unwrap();
        appended.write_all(b"6789 and more").unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, b"12345678");
        assert_eq!(outcome(&root.read("log")), "too_large");
    }
}

#[test]
fn a_root_that_cannot_be_used_says_so_when_it_is_opened() {
    let folder = Folder::new();
    folder.file("file", "").link("loop", "loop").link("to_pkg", "pkg").file("pkg/SKILL.md", "body");
    let open = |below: &str| SkillRoot::open(folder.path(below), Options::default());
    assert!(matches!(open("missing"), Err(RootError::Missing { .. })));
    // What others are told has nothing of the path.
    let payload = open("missing").unwrap_err().to_payload();
    assert_eq!(payload.to_value(Dialect::V0_2), json!({"code": 500, "message": "Internal Error"}));
    assert!(matches!(open("file"), Err(RootError::NotADirectory { .. })));
    assert!(matches!(open("file/x"), Err(RootError::NotADirectory { .. })));
    assert!(matches!(open("loop"), Err(RootError::Io { .. })));
    assert!(matches!(SkillRoot::open("", Options::default()), Err(RootError::Missing { .. })));
    assert!(SkillRoot::open("a\0b", Options::default()).is_err());
    let error = open("missing").unwrap_err();
    assert_eq!(error.path(), folder.path("missing"));
    assert!(error.to_string().contains("missing: there is no such directory"), "{error}");
    // The registry's own link to the package is the host's, and an absolute link may be written with it.
    folder.link("pkg/by_alias", folder.path("to_pkg/SKILL.md"));
    assert_eq!(open("to_pkg").unwrap().read("by_alias").unwrap(), b"body");
    assert_eq!(open("to_pkg").unwrap().path(), folder.path("pkg"));
    assert_eq!(outcome(&open("pkg").unwrap().read("by_alias")), "traversal");
}

#[test]
fn the_directory_is_held_and_not_its_name() {
    let folder = Folder::new();
    folder.file("pkg/SKILL.md", "mine").file("other/SKILL.md", "theirs").link("pkg/link", "SKILL.md");
    let roots = both(&folder.path("pkg"), &Options::default());
    fs::rename(folder.path("pkg"), folder.path("moved")).unwrap();
    fs::rename(folder.path("other"), folder.path("pkg")).unwrap();
    for (implementation, root) in roots {
        assert_eq!(root.read(None).unwrap(), b"mine", "{implementation}");
        assert_eq!(root.read("link").unwrap(), b"mine", "{implementation}");
        // Never the way to the other directory's file: where this one is now, or nothing if the system cannot tell.
        for rel in ["SKILL.md", "link"] {
            let resolved = root.resolve(rel);
            if cfg!(any(target_os = "linux", target_os = "android")) || resolved.is_ok() {
                assert_eq!(resolved.unwrap(), folder.path("moved/SKILL.md"), "{implementation}");
            } else {
                assert_eq!(outcome(&resolved), "not_found", "{implementation}");
            }
        }
    }
}

#[test]
fn a_path_that_is_resolved_leads_to_what_was_found() {
    let folder = Folder::new();
    folder.file("pkg/SKILL.md", "mine").dir("elsewhere");
    for (implementation, root) in both(&folder.path("pkg"), &Options::default()) {
        assert_eq!(root.resolve(None).unwrap(), folder.path("pkg/SKILL.md"), "{implementation}");
    }
    let roots = both(&folder.path("pkg"), &Options::default());
    // The same directory under another name of its way: the path that was real may lead to it still.
    fs::rename(folder.path("pkg"), folder.path("elsewhere/pkg")).unwrap();
    folder.link("pkg", "elsewhere/pkg");
    for (implementation, root) in roots {
        let resolved = root.resolve(None).unwrap();
        assert_eq!(fs::read(&resolved).unwrap(), b"mine", "{implementation}: {resolved:?}");
    }
}

/// Permissions do not bind the superuser, so this runs itself again as somebody else if it has to.
#[test]
fn without_permission_nothing_is_found() {
    const CHILD: &str = "ACKGUARD_TEST_WITHOUT_PERMISSION";
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    if is_root && std::env::var_os(CHILD).is_none() {
        let folder = Folder::new();
        let program = folder.path("test");
        fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let child = Command::new(&program)
            .args(["--exact", "without_permission_nothing_is_found", "--nocapture"])
            .env(CHILD, "1")
            .uid(65534)
            .gid(65534)
            .current_dir("/")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
    let folder = Folder::new();
    folder.file("pkg/closed.txt", "closed").file("pkg/dir/file.txt", "x").link("pkg/link", "dir/file.txt");
    folder.dir("unreadable").dir("unsearchable");
    let mode = |below: &str, mode| {
        fs::set_permissions(folder.path(below), fs::Permissions::from_mode(mode)).unwrap();
    };
    mode("pkg/closed.txt", 0);
    mode("pkg/dir", 0);
    mode("unreadable", 0o300);
    mode("unsearchable", 0o600);
    for rel in ["closed.txt", "dir/file.txt", "dir/missing", "link"] {
        assert_eq!(verdict_without_listing(&folder, rel), ["not_found"; 2], "{rel}");
    }
    mode("pkg/dir", 0o700);
    // A second name of what lies where nobody may look cannot be cleared; a file of one name needs no clearing.
    folder.file("pkg/secrets/.skillenv", "ENV-SECRET").file("pkg/two.txt", "two").file("pkg/one.txt", "one");
    fs::hard_link(folder.path("pkg/secrets/.skillenv"), folder.path("pkg/alias")).unwrap();
    fs::hard_link(folder.path("pkg/two.txt"), folder.path("pkg/three.txt")).unwrap();
    assert_eq!(verdict_without_listing(&folder, "three.txt"), ["ok"; 2]);
    for closed in [0, 0o111, 0o333, 0o444] {
        mode("pkg/secrets", closed);
        for (rel, verdict) in [("alias", "forbidden"), ("three.txt", "forbidden"), ("one.txt", "ok")] {
            assert_eq!(verdict_without_listing(&folder, rel), [verdict; 2], "{rel} {closed:o}");
        }
    }
    mode("pkg/secrets", 0o700);
    for below in ["unreadable", "unsearchable"] {
        let opened = SkillRoot::open(folder.path(below), Options::default());
        assert!(matches!(opened, Err(RootError::NotReadable { .. })), "{below}: {opened:?}");
    }
}

fn verdict_without_listing(folder: &Folder, rel: &str) -> [&'static str; 2] {
    both(&folder.path("pkg"), &Options::default()).map(|(_, root)| outcome(&root.read(rel)))
}
