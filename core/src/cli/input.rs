//! Where a command reads from: one file, or standard input.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::Failure;
use super::console::clean;
use super::words::text;
use crate::Locale;
use crate::code::Text;
use crate::json::TextNode;

/// The largest single input of a command: 64 MiB.
const MAX_INPUT: u64 = 64 * 1024 * 1024;

/// An I/O error in words, without the number that Rust puts behind it.
pub(super) fn words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or_default().to_lowercase()
        }
    }
}

/// The name by which a source is shown.
pub(super) fn shown(name: &OsStr) -> String {
    if name == "-" { "standard input".to_owned() } else { clean(&name.to_string_lossy(), 200) }
}

pub(super) fn cannot_read(name: &OsStr, why: &str) -> Failure {
    Failure::new(format!("cannot read {}: {why}", shown(name)))
}

/// Opens a file; a directory is refused in the same way on every platform.
pub(super) fn open(name: &OsStr) -> Result<File, Failure> {
    let path = Path::new(name);
    let meta = fs::metadata(path).map_err(|error| cannot_read(name, &words(&error)))?;
    if meta.is_dir() {
        return Err(cannot_read(name, "it is a directory"));
    }
    File::open(path).map_err(|error| cannot_read(name, &words(&error)))
}

/// Reads a whole file, or standard input for `-`.
pub(super) fn read(name: &OsStr, stdin: &mut dyn Read) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let result = if name == "-" {
        stdin.take(MAX_INPUT + 1).read_to_end(&mut bytes)
    } else {
        open(name)?.take(MAX_INPUT + 1).read_to_end(&mut bytes)
    };
    result.map_err(|error| cannot_read(name, &words(&error)))?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(cannot_read(name, "it is larger than 64 MiB"));
    }
    Ok(bytes)
}

/// What a file is that is neither UTF-8 text nor gzip, as far as its first bytes say so.
pub(super) fn foreign(head: &[u8]) -> Option<Text> {
    match head {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [0, 0, 0xFE, 0xFF, ..] => Some(UTF_16),
        // JSON begins with an ASCII character; a zero byte beside it is the other half of a wider unit.
        [0, first, ..] | [first, 0, ..] if first.is_ascii_graphic() => Some(UTF_16),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(ZSTD),
        [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(XZ),
        [b'B', b'Z', b'h', b'0'..=b'9', ..] => Some(BZIP2),
        [b'P', b'K', 3, 4, ..] => Some(ZIP),
        _ => None,
    }
}

const UTF_16: Text = text(
    "it is UTF-16 or UTF-32 text; JSON is UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)",
    "这是 UTF-16 或 UTF-32 文本；JSON 应为 UTF-8（可用 iconv -f UTF-16 -t UTF-8 转换）",
);
const ZSTD: Text =
    text("it is compressed with zstd; only gzip is unpacked", "这是 zstd 压缩数据；只支持解压 gzip");
const XZ: Text = text("it is compressed with xz; only gzip is unpacked", "这是 xz 压缩数据；只支持解压 gzip");
const BZIP2: Text =
    text("it is compressed with bzip2; only gzip is unpacked", "这是 bzip2 压缩数据；只支持解压 gzip");
const ZIP: Text = text("it is a zip archive; only gzip is unpacked", "这是 zip 归档；只支持解压 gzip");
const GZIP: Text = text("it is gzip data", "这是 gzip 数据");
const EMPTY: Text = text("there is nothing in it", "内容为空");
const MARK: Text = text(
    "it begins with a byte order mark, which JSON does not have",
    "开头有字节顺序标记（BOM），JSON 不允许",
);
const LINES: Text = text(
    "it has more than one line of JSON; ackguard triage counts them",
    "其中有多行 JSON；请用 ackguard triage 统计",
);
const PYTHON: Text = text(
    "it looks like what Python prints of a dict; json.dumps writes JSON",
    "看起来是 Python 打印的 dict；请用 json.dumps 生成 JSON",
);

/// Where a text stops being JSON, and what it is instead if that can be told. Nothing of it is repeated.
pub(super) fn why_invalid(bytes: &[u8], offset: usize, locale: Locale) -> String {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return EMPTY.get(locale).to_owned();
    }
    let mut why = match locale {
        Locale::En => format!("unexpected input at byte {offset}"),
        Locale::Zh => format!("字节 {offset} 处不符合 JSON 语法"),
    };
    if let Some(what) = instead(bytes, offset) {
        why += if locale == Locale::Zh { "：" } else { ": " };
        why += what.get(locale);
    }
    why
}

/// What a text is that is no JSON.
fn instead(bytes: &[u8], offset: usize) -> Option<Text> {
    if bytes.starts_with(&[0xEF, 0xBB, 0xBF]) {
        return Some(MARK);
    }
    if bytes.starts_with(&[0x1F, 0x8B]) {
        return Some(GZIP);
    }
    if let Some(what) = foreign(bytes) {
        return Some(what);
    }
    let mut lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    if let (Some(first), Some(_)) = (lines.next(), lines.next())
        && TextNode::parse(first).is_ok()
    {
        return Some(LINES);
    }
    bytes.get(offset..).is_some_and(pythons).then_some(PYTHON)
}

/// Whether what no JSON goes on with is how Python would go on: a quote or one of its three words.
fn pythons(rest: &[u8]) -> bool {
    [&b"'"[..], b"None", b"True", b"False"].iter().any(|start| rest.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_encodings_are_recognized_and_json_is_not_taken_for_one() {
        for head in ["\u{FEFF}{".as_bytes(), b"{\"a\":1}", b"[", b"", b"{", b"\x1f\x8b\x08", b"\n{", b"null"]
        {
            assert_eq!(foreign(head), None, "{head:?}");
        }
        for head in
            [&b"\xff\xfe{\0"[..], b"\xfe\xff\0{", b"{\0\"\0", b"\0{", b"\0\0\xfe\xff", b"\xff\xfe\0\0"]
        {
            assert_eq!(foreign(head), Some(UTF_16), "{head:?}");
        }
        assert!(foreign(b"\x28\xb5\x2f\xfd\x04").is_some());
        assert!(foreign(b"PK\x03\x04").is_some());
    }
}
