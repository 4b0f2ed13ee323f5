//! What `details` must not hold besides secrets: addresses of the inside, connection strings, stack traces.

use super::fold::Text;
use super::lists::{List, among, ends_in, list};
use super::words::{self, Words};
use super::{Action, Category, Span, trace, v6, values};
use crate::host::View;

/// The word that was asked for a host last, and is none.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NoHost {
    end: usize,
    floor: usize,
}

impl NoHost {
    /// The internal host that a place lies in. Each word is asked once, however many of its places could be a host's.
    fn or_around(&mut self, text: Text<'_>, place: usize, floor: usize) -> Option<Span> {
        if place < self.end && floor == self.floor {
            return None;
        }
        let (start, end) = word_around(text, place, floor);
        *self = Self { end, floor };
        host(text, start, end)
    }
}

/// The span that begins at or around `start` and belongs to `details` alone: not before the first of the floors, a stack
/// trace not before the second.
pub(super) fn at(
    text: Text<'_>,
    start: usize,
    (floor, ended): (usize, usize),
    no: &mut NoHost,
) -> Option<Span> {
    let first = text.at(start);
    match first {
        b':' => return v6_around(text, start, floor),
        b'.' => {
            let host = no.or_around(text, start, floor);
            return host.or_else(|| trace::around(text, start, ended));
        }
        b'0'..=b'9' => {
            return v6_around(text, start, floor).or_else(|| no.or_around(text, start, floor));
        }
        _ => {}
    }
    // What a trace begins with is one in the middle of a word as well: texts are put together without a space.
    if let Some(span) = trace::around(text, start, ended) {
        return Some(span);
    }
    if text.before(start).is_ascii_alphanumeric() {
        return None;
    }
    match first.to_ascii_lowercase() {
        b'l' => no.or_around(text, start, floor),
        b'f' => v6_around(text, start, floor),
        b'j' => jdbc(text, start),
        b't' | b'g' => None,
        _ => pairs(text, start),
    }
}

/// The category of a member of `details` that goes with its key although nothing in it is a secret.
pub(super) fn key(key: &str, view: &View<'_>, internal: bool) -> Option<Category> {
    if key.len() > 64 {
        return None;
    }
    let mut lower = key.to_ascii_lowercase();
    lower.retain(|char| char.is_ascii_alphanumeric());
    let tail = |names: &[&str]| names.iter().any(|name| lower.ends_with(name));
    let holds = !matches!(view, View::Null | View::Bool(_));
    if holds && tail(&["stacktrace", "traceback", "backtrace", "excinfo", "callstack"]) {
        return Some(Category::StackTrace);
    }
    if holds
        && tail(&[
            "connectionstring",
            "connstr",
            "connstring",
            "dsn",
            "databaseurl",
            "dburl",
            "jdbcurl",
            "redisurl",
            "mongouri",
            "mongourl",
            "brokerurl",
            "amqpurl",
            "databaseuri",
            "dburi",
        ])
    {
        return Some(Category::ConnectionString);
    }
    // Not a variable: that would be put together with every call.
    const NAMES: &[&str] = &[
        "internalip",
        "privateip",
        "internalhost",
        "internaladdress",
        "internalport",
        "internalurl",
        "dbhost",
        "dbport",
        "databasehost",
        "databaseport",
        "localport",
        "localaddress",
        "localip",
        "redishost",
        "redisport",
    ];
    if holds && NAMES.contains(&lower.as_str()) {
        return Some(Category::InternalAddress);
    }
    (internal && holds && lower.ends_with("port") && Words::of(key.as_bytes()).seen() <= 3)
        .then_some(Category::InternalAddress)
}

/// Whether a text is nothing but an internal host, with or without a port.
pub(super) fn is_internal_host(text: &str) -> bool {
    let text = Text::plain(text.trim().as_bytes());
    let whole = |span: Span| span.start == 0 && span.end == text.len();
    let (start, end) = word_around(text, 0, 0);
    host(text, start, end).is_some_and(whole)
        || v6_around(text, usize::from(text.at(0) == b'['), 0).is_some_and(whole)
}

const fn in_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_')
}

/// The longest name of a host.
const HOST: usize = 253;

/// The word that a place lies in. All of it, since a part of a word is no host, though its length may be one's.
fn word_around(text: Text<'_>, place: usize, floor: usize) -> (usize, usize) {
    let mut start = place;
    while start > floor && in_host(text.before(start)) {
        start -= 1;
    }
    let length = text.from(place).iter().take_while(|byte| in_host(**byte)).count();
    (start, place + length)
}

/// The internal host that lies between two places.
pub(super) fn host(text: Text<'_>, mut start: usize, mut end: usize) -> Option<Span> {
    if text.at(start) == b'[' || text.slice(start, end).iter().filter(|byte| **byte == b':').count() > 1 {
        let inner = start + usize::from(text.at(start) == b'[');
        return v6(text, inner).map(|end| address(text, inner, end));
    }
    if let Some(colon) = text.slice(start, end).iter().position(|byte| *byte == b':') {
        end = start + colon;
    }
    while start < end && !text.at(start).is_ascii_alphanumeric() {
        start += 1;
    }
    while end > start && !text.before(end).is_ascii_alphanumeric() {
        end -= 1;
    }
    if end - start > HOST {
        return None;
    }
    let name = text.slice(start, end);
    (is_internal_v4(name) || is_internal_name(name)).then(|| address(text, start, end))
}

/// The internal IPv6 address that a place lies in.
fn v6_around(text: Text<'_>, place: usize, floor: usize) -> Option<Span> {
    let least = floor.max(place.saturating_sub(48));
    let mut start = place;
    while start > least && (text.before(start).is_ascii_hexdigit() || text.before(start) == b':') {
        start -= 1;
    }
    if start > 0 && in_host(text.before(start)) {
        return None;
    }
    // `host:::1` and a sentence's own colon.
    if text.at(start) == b':' && text.at(start + 1) != b':' {
        start += 1;
    }
    v6(text, start).map(|end| address(text, start, end))
}

/// With the port that follows.
fn address(text: Text<'_>, mut start: usize, mut end: usize) -> Span {
    if text.before(start) == b'[' && text.at(end) == b']' {
        start -= 1;
        end += 1;
    }
    if text.at(end) == b':' {
        let digits = text.from(end + 1).iter().take(6).take_while(|byte| byte.is_ascii_digit()).count();
        if (1..=5).contains(&digits) {
            end += 1 + digits;
        }
    } else if text.at(end) == b'/' {
        // 10.0.0.0/8
        let digits = text.from(end + 1).iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
        if (1..=3).contains(&digits) && !in_host(text.at(end + 1 + digits)) {
            end += 1 + digits;
        }
    }
    Span::new(start, end, Category::InternalAddress, Action::Redacted)
}

/// Private, loopback, link-local, shared (RFC 6598) and unspecified IPv4.
fn is_internal_v4(name: &[u8]) -> bool {
    if name.len() > 15 || !name.first().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let mut parts = [0_u16; 4];
    let mut count = 0;
    for part in name.split(|byte| *byte == b'.') {
        let Some(slot) = parts.get_mut(count) else { return false };
        if part.is_empty() || part.len() > 3 || !part.iter().all(u8::is_ascii_digit) {
            return false;
        }
        *slot = part.iter().fold(0, |value, digit| value * 10 + u16::from(digit - b'0'));
        if *slot > 255 {
            return false;
        }
        count += 1;
    }
    count == 4 && is_internal(parts)
}

fn is_internal(parts: [u16; 4]) -> bool {
    match parts {
        [10 | 127, ..] | [192, 168, ..] | [169, 254, ..] | [0, 0, 0, 0] => true,
        [172, second, ..] => (16..32).contains(&second),
        [100, second, ..] => (64..128).contains(&second),
        _ => false,
    }
}

/// The internal host of a URL. There, fewer parts than four, octal and hexadecimal ones make an address as well:
/// `127.1`, `0x7f.1`, `2130706433`.
pub(super) fn url_host(text: Text<'_>, start: usize, end: usize) -> Option<Span> {
    host(text, start, end).or_else(|| {
        let name = text.slice(start, end).split(|byte| *byte == b':').next()?;
        let internal = is_internal(number(name)?.to_be_bytes().map(u16::from));
        internal.then(|| address(text, start, start + name.len()))
    })
}

/// The address that a browser makes of numbers.
fn number(name: &[u8]) -> Option<u32> {
    let (mut address, mut bits) = (0, 32_u32);
    let mut parts = core::str::from_utf8(name).ok()?.split('.').peekable();
    while let Some(part) = parts.next() {
        let (digits, radix) = match part.as_bytes() {
            [b'0', b'x' | b'X', ..] => (part.get(2..)?, 16),
            [b'0', _, ..] => (part, 8),
            _ => (part, 10),
        };
        let value = u64::from(u32::from_str_radix(digits, radix).ok()?);
        // The last part fills what the others leave.
        let room = if parts.peek().is_some() { 8 } else { bits };
        bits = bits.checked_sub(room).filter(|_| value >> room == 0)?;
        address |= value << bits;
    }
    u32::try_from(address).ok()
}

/// `localhost`, `*.local`, `*.internal`, `*.svc.cluster.local` and their like.
fn is_internal_name(name: &[u8]) -> bool {
    const TAILS: List = list![
        ".local" ".internal" ".localhost" ".localdomain" ".lan" ".intranet" ".corp" ".home.arpa" ".svc"
    ];
    among(name, list!["localhost" "host.docker.internal"])
        || !name.starts_with(b".") && name.contains(&b'.') && ends_in(&name.to_ascii_lowercase(), TAILS)
}

/// Loopback, link-local and unique local IPv6, also with an IPv4 address in it.
fn v6(text: Text<'_>, start: usize) -> Option<usize> {
    let length = text
        .from(start)
        .iter()
        .take(64)
        .take_while(|byte| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.'))
        .count();
    let mut length = length;
    // A port or a full stop after it.
    while length > 2
        && matches!(text.at(start + length - 1), b'.' | b':')
        && text.slice(start + length - 2, start + length) != b"::"
    {
        length -= 1;
    }
    let name = text.slice(start, start + length);
    if name.iter().filter(|byte| **byte == b':').count() < 2 || in_host(text.at(start + length)) {
        return None;
    }
    // `::1:5432` and `:::3000`, as Node writes a port.
    let port = [&b"::1:"[..], b":::"].iter().find_map(|host| name.strip_prefix(*host));
    if port.is_some_and(|port| (2..=5).contains(&port.len()) && port.iter().all(u8::is_ascii_digit)) {
        return Some(start + length);
    }
    let internal = match v6::groups(name)? {
        [0, 0, 0, 0, 0, 0, 0, 1] => true,
        [0, 0, 0, 0, 0, 0xFFFF, high, low] => is_internal([high >> 8, high & 0xFF, low >> 8, low & 0xFF]),
        [first, ..] => first & 0xFFC0 == 0xFE80 || first & 0xFE00 == 0xFC00,
    };
    if !internal {
        return None;
    }
    let mut end = start + length;
    if text.at(end) == b'%' {
        end += 1 + text.from(end + 1).iter().take(16).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    }
    Some(end)
}

const SCHEMES: List = list![
    "postgres" "postgresql" "mysql" "mariadb" "mongodb" "mongodb+srv" "redis" "rediss" "amqp" "amqps" "kafka"
    "nats" "mqtt" "mqtts" "mssql" "sqlserver" "oracle" "jdbc" "cassandra" "clickhouse" "couchbase" "couchdb"
    "neo4j" "bolt" "etcd" "memcached" "sqlite" "ldap" "ldaps" "snowflake" "cockroachdb" "influxdb"
    "zookeeper" "pulsar" "stomp" "elasticsearch" "duckdb" "odbc" "smb" "zmq" "tcp"
];

/// The database or broker URL whose scheme ends before the slash.
pub(super) fn connection(text: Text<'_>, slash: usize, floor: usize) -> Option<Span> {
    if text.before(slash) != b':' || text.at(slash + 1) != b'/' {
        return None;
    }
    let colon = slash - 1;
    let least = floor.max(colon.saturating_sub(40));
    let mut start = colon;
    while start > least
        && (text.before(start).is_ascii_alphanumeric() || matches!(text.before(start), b'+' | b':'))
    {
        start -= 1;
    }
    let name = text.slice(start, colon);
    let scheme = name.rsplit(|byte| *byte == b':').next().unwrap_or_default();
    let base = scheme.split(|byte| *byte == b'+').next().unwrap_or_default();
    let known = |word: &[u8]| among(word, SCHEMES);
    if !known(scheme) && !known(base) {
        return None;
    }
    // `url:postgres://`: only a `jdbc:` before it belongs to it.
    let jdbc = name.len() > 5 && name.get(..5).is_some_and(|head| head.eq_ignore_ascii_case(b"jdbc:"));
    if !jdbc {
        start = colon - scheme.len();
    }
    Some(Span::new(start, url_end(text, start), Category::ConnectionString, Action::Redacted))
}

/// `jdbc:oracle:thin:@host:1521/x`
fn jdbc(text: Text<'_>, start: usize) -> Option<Span> {
    let rest = text.from(start);
    let is = rest.get(..5).is_some_and(|head| head.eq_ignore_ascii_case(b"jdbc:"));
    (is && text.at(start + 5).is_ascii_alphanumeric())
        .then(|| Span::new(start, url_end(text, start), Category::ConnectionString, Action::Redacted))
}

fn url_end(text: Text<'_>, start: usize) -> usize {
    let mut end = start;
    while end < text.len()
        && !(text.level(end) <= text.level(start)
            && (values::ends_value(text.at(end)) || text.at(end) >= 0xE2 || text.at(end) == b')'))
    {
        end += 1;
    }
    while end > start && matches!(text.before(end), b'.' | b',' | b';') {
        end -= 1;
    }
    end
}

/// How much is read of what may be pairs before two of them have told what they are.
const PAIRS: usize = 4096;

/// `Server=x;Database=y`: at least two pairs, the first of which names a server, a database or a user.
fn pairs(text: Text<'_>, start: usize) -> Option<Span> {
    const FIRST: List = list![
        "server" "data source" "datasource" "host" "hostname" "database" "initial catalog" "user id" "uid"
        "dbname" "defaultendpointsprotocol" "accountname" "endpoint" "accountendpoint" "driver" "provider"
        "addr" "address" "port" "user" "username"
    ];
    let known = |name: &[u8]| among(name.trim_ascii(), FIRST);
    let mark = pair_name(text, start)?;
    let name = text.slice(start, mark);
    if !known(name) {
        return None;
    }
    let mut end = mark;
    let mut count = 0;
    let mut telling = 0;
    let mut read = 0;
    let mut key = (mark - name.len(), mark);
    loop {
        count += 1;
        let words = text.slice(key.0, key.1);
        telling +=
            usize::from(known(words) || Words::of(words).has(words::USER | words::KEY | words::ACCESS));
        let value = end + 1;
        let length = text
            .from(value)
            .iter()
            .take(512)
            .take_while(|byte| !matches!(byte, b';' | b'\n' | b'\r' | b'"' | b'\'' | b'<') && **byte < 0x80)
            .count();
        // What is none is not read to its end: the next one may begin with its second name.
        read += length;
        if telling < 2 && read > PAIRS {
            return None;
        }
        // The last value ends with its word, the others with their semicolon; in a libpq string with a blank.
        let run = text.slice(value, value + length);
        let next_semicolon = text.at(value + length) == b';';
        let first_blank = run.iter().position(|byte| *byte == b' ').unwrap_or(length);
        let after_blank = value + first_blank + 1;
        let libpq = first_blank < length && pair_name(text, after_blank).is_some();
        if next_semicolon && !libpq {
            end = value + length;
            let Some(mark) = pair_name(text, end + 1) else { break };
            key = (end + 1, mark);
            end = mark;
        } else if libpq {
            let mark = pair_name(text, after_blank).unwrap_or(after_blank);
            key = (after_blank, mark);
            end = mark;
        } else {
            end = value + first_blank;
            break;
        }
    }
    (count >= 2 && telling >= 2)
        .then(|| Span::new(start, end.min(text.len()), Category::ConnectionString, Action::Redacted))
}

/// The `=` after a name of a few words.
fn pair_name(text: Text<'_>, start: usize) -> Option<usize> {
    let length = text
        .from(start)
        .iter()
        .take(32)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'_'))
        .count();
    let name = text.slice(start, start + length);
    (!name.trim_ascii().is_empty() && text.at(start + length) == b'=').then_some(start + length)
}
