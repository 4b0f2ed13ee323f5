//! URLs in every form: what follows the landing page is cut, the text around it is kept.

use super::fold::Text;
use super::lists::{List, among, beginning, list};
use super::values::{self, is_random, skip_white, white};
use super::words::Words;
use super::{Action, Category, Span};
use alloc::vec::Vec;

/// How far a name or a host is followed backwards.
const BACK: usize = 512;
/// How far a user's name and password are followed backwards where there is no scheme.
const USER: usize = 128;
/// How much of what may be a query is read before it is known to be one.
const JUDGED: usize = 256;

/// What was found at one place of a text.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    pub(super) spans: Vec<Span>,
    /// Up to where the text has been judged.
    pub(super) end: usize,
    /// Where the host of a URL lies.
    pub(super) host: (usize, usize),
    /// The end of the page.
    pub(super) page: usize,
}

impl Cuts {
    fn one(span: Span) -> Self {
        Self { end: span.end, spans: vec![span], host: (0, 0), page: 0 }
    }
}

#[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
#[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
const fn is_slash(byte: u8) -> bool {
    byte == b'/' || byte == b'\\'
}

/// The URL that the slash at `slash` belongs to, if it is the first after a scheme or the first of two that
/// begin a protocol-relative URL.
pub(super) fn with_slash(text: Text<'_>, slash: usize, floor: usize) -> Option<Cuts> {
    let before = text.before(slash);
    // Only the first of a run.
    if is_slash(before) && before == text.at(slash) {
        return None;
    }
    let run = text.from(slash).iter().take(64).take_while(|byte| is_slash(**byte)).count();
    let after = slash + run;
    let start = if before == b':' {
        let colon = slash - 1;
        let least = floor.max(colon.saturating_sub(64));
        let mut start = colon;
        while start > least && is_scheme(text.before(start)) {
            start -= 1;
        }
        while start < colon && !text.at(start).is_ascii_alphabetic() {
            start += 1;
        }
        // `C:\` is no scheme.
        if colon - start < 2 {
            return None;
        }
        start
    } else if text.slice(slash, after).iter().filter(|byte| **byte == b'/').count() >= 2
        && !is_in_path(before)
    {
        slash
    } else {
        return None;
    };
    let first = text.at(after);
    if !is_host(first) && !matches!(first, b'[' | b'%' | b'?' | b'#' | b'@' | b':' | b'$' | b'{') {
        return None;
    }
    Some(cut(text, start, after, run >= 2))
}

const fn is_scheme(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// Whether two slashes after this byte are a slip in a path rather than a URL's beginning.
const fn is_in_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'\\' | b'.' | b'_' | b'-' | b':')
}

const fn is_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-' || byte >= 0xC0
}

/// A URL without a scheme, seen by its `?` or `#` at `mark`.
pub(super) fn with_mark(text: Text<'_>, mark: usize, floor: usize) -> Option<Cuts> {
    let level = text.level(mark);
    // Only the first of a run, and no character reference.
    if matches!(text.before(mark), b'?' | b'#' | b'&' | 0) {
        return None;
    }
    let least = floor.max(mark.saturating_sub(BACK));
    let mut start = mark;
    let mut closed = 0_usize;
    while start > least && !ends_url(text, start - 1, level) {
        match text.before(start) {
            b')' | b']' => closed += 1,
            // A bracket that was opened before the page is not the page's.
            b'(' | b'[' if closed == 0 => break,
            b'(' | b'[' => closed -= 1,
            b'=' | b',' => break,
            _ => {}
        }
        start -= 1;
    }
    // What is left of the character that ended the way back.
    while (0x80..0xC0).contains(&text.at(start)) {
        start += 1;
    }
    let page = text.slice(start, mark);
    let slash = page.iter().position(|byte| is_slash(*byte));
    let host = page.get(..slash.unwrap_or(page.len())).unwrap_or_default();
    let is_page = match slash {
        // `/callback?`
        Some(0) => page.len() > 1,
        Some(_) => is_host_name(host),
        None => is_host_name(host) || host.is_empty(),
    };
    let opaque = host.iter().position(|byte| *byte == b':').is_some_and(|colon| {
        colon > 1 && host.get(..colon).is_some_and(|scheme| scheme.iter().all(|byte| is_scheme(*byte)))
    });
    if !is_page && !opaque {
        return None;
    }
    // A page without a slash has parameters, or is none.
    if slash.is_none() && !text.slice(mark + 1, mark + 1 + JUDGED).contains(&b'=') {
        return None;
    }
    let tail = text.slice(mark + 1, query_end(text, mark, level, JUDGED));
    let assigns = tail.iter().take(256).position(|byte| *byte == b'=').is_some_and(|at| at > 0);
    let certain = slash.is_some_and(|at| at > 0) && text.at(mark) == b'?';
    if tail.is_empty()
        || !(assigns || certain && is_random(tail) || tail.len() > 3 && is_random(tail))
        || (slash.is_none() && !assigns)
    {
        return None;
    }
    let query = query_end(text, mark, level, usize::MAX);
    Some(Cuts::one(Span::new(mark, query, Category::AuthorizationUrl, Action::Truncated)))
}

/// `user:password@host` without a scheme. A name and a colon before an e-mail address are no user information.
pub(super) fn with_user(text: Text<'_>, at: usize, floor: usize) -> Option<Cuts> {
    let level = text.level(at);
    if matches!(text.before(at), b'@' | b' ' | 0) || !text.at(at + 1).is_ascii_alphanumeric() {
        return None;
    }
    let least = floor.max(at.saturating_sub(USER));
    let mut start = at;
    while start > least
        && !ends_url(text, start - 1, level)
        && !matches!(text.before(start), b'/' | b'\\' | b',' | b';' | b'(' | b'=')
    {
        start -= 1;
    }
    // What is left of the character that ended the way back, and the colon after a Chinese label.
    while (0x80..0xC0).contains(&text.at(start)) || text.at(start) == b':' {
        start += 1;
    }
    let user = text.slice(start, at);
    let colon = user.iter().position(|byte| *byte == b':')?;
    let password = user.get(colon + 1..)?;
    let host = text
        .from(at + 1)
        .iter()
        .take(256)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
        .count();
    let host = text.slice(at + 1, at + 1 + host);
    let name = user.get(..colon)?;
    let is_label = among(
        name,
        list![
            "mailto" "mail" "email" "e-mail" "contact" "to" "from" "cc" "bcc" "sip" "sips" "xmpp" "acct"
            "user" "username" "account"
        ],
    );
    // `widgets:v1.2.3@sha256:...` is an image.
    let is_digest = matches!(host, b"sha256" | b"sha512");
    if name.is_empty() || is_label || is_digest || password.len() < 3 || host.is_empty() {
        return None;
    }
    // `user:password@tcp(host)/name`, as Go writes it.
    let goes_on =
        matches!(text.at(at + 1 + host.len()), b'/' | b':') || text.slice(at + 1, at + 5) == b"tcp(";
    if !is_random(password) && !goes_on {
        return None;
    }
    Some(Cuts::one(Span::new(start, at + 1, Category::AuthorizationUrl, Action::Truncated)))
}

/// `example.com`, `localhost:8080`, `10.0.0.1`.
fn is_host_name(host: &[u8]) -> bool {
    let name = host.split(|byte| *byte == b':').next().unwrap_or_default();
    let labels = name.split(|byte| *byte == b'.').filter(|label| !label.is_empty()).count();
    !name.is_empty()
        && name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_') || *byte >= 0xC0)
        && (labels > 1 || name.eq_ignore_ascii_case(b"localhost") || host.contains(&b':'))
}

/// Whether a URL ends before this byte wherever it stands.
#[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
#[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
fn ends_url(text: Text<'_>, at: usize, level: u8) -> bool {
    let byte = text.at(at);
    if text.level(at) > level {
        return false;
    }
    match byte {
        0..=b' ' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'|' | b'{' | b'}' | b'^' | 0x7F => true,
        // Chinese text has no blanks around a URL.
        0xE2..=0xED | 0xEF => true,
        0xC2 => text.at(at + 1) == 0xA0,
        _ => false,
    }
}

/// Whether a URL ends before this byte when it is read forwards: browsers take these for parts of it.
#[inline]
fn stops(text: Text<'_>, at: usize, level: u8) -> bool {
    ends_url(text, at, level)
        && !(matches!(text.at(at), b'|' | b'{' | b'}' | b'^')
            && (text.at(at + 1).is_ascii_alphanumeric() || b"?/#@=&-_.%:".contains(&text.at(at + 1))))
}

/// The end of what follows a page: a blank, a quote, Chinese text, a bracket that was not opened, or the next
/// URL glued to it.
fn query_end(text: Text<'_>, mark: usize, level: u8, most: usize) -> usize {
    let mut at = mark + 1;
    let mut depth = 0_usize;
    // A blank after the mark does not save what follows, if that is a parameter.
    let blank = skip_white(text, at, 8);
    if blank > at && is_parameter(text, blank) {
        at = blank;
    } else if blank > at {
        return mark + 1;
    }
    let begin = at;
    while at < text.len() && at - mark <= most {
        if stops(text, at, level) {
            if white(text, at) > 0 {
                let next = skip_white(text, at, 8);
                // A line break or a tab inside a query is dropped by browsers, so it hides nothing.
                let dropped = !text.slice(at, next).contains(&b' ')
                    && (is_parameter(text, next) || text.at(next) == b'=');
                if dropped || text.at(next) == b'&' && is_parameter(text, next + 1) {
                    at = next + 1;
                    continue;
                }
            } else if matches!(text.at(at), b'"' | b'\'')
                && text.before(at) == b'='
                && is_word(text.at(at + 1))
            {
                // `?x='y'`: a quote that closes what was opened before the URL has no value behind it.
                at += 1;
                continue;
            } else if text.at(at) >= 0x80
                && let Some(next) = past_foreign(text, at)
            {
                at = next;
                continue;
            }
            break;
        }
        match text.at(at) {
            b'&' if text.level(at) < level => break,
            b'(' | b'[' => depth += 1,
            b')' | b']' if text.level(at) <= level => {
                if depth == 0 {
                    break;
                }
                depth -= 1;
            }
            // `...code=1https://`: the next URL; after `=` it is a parameter's value.
            b':' if at > begin + 6 && is_slash(text.at(at + 1)) && is_slash(text.at(at + 2)) => {
                let scheme = [&b"https"[..], b"http"].into_iter().find(|scheme| {
                    text.slice(at - scheme.len(), at).eq_ignore_ascii_case(scheme)
                        && text.before(at - scheme.len()).is_ascii_alphanumeric()
                });
                if let Some(scheme) = scheme {
                    at -= scheme.len();
                    break;
                }
            }
            _ => {}
        }
        at += 1;
    }
    trim(text, begin, at.min(text.len()))
}

/// Punctuation at the end is the sentence's.
fn trim(text: Text<'_>, begin: usize, mut end: usize) -> usize {
    while end > begin && matches!(text.before(end), b'.' | b',' | b';' | b'!' | b':' | b'*') {
        end -= 1;
    }
    end
}

/// A raw Chinese value inside a query: it goes on after it with the next parameter.
fn past_foreign(text: Text<'_>, start: usize) -> Option<usize> {
    let run = text.from(start).iter().take(96).take_while(|byte| **byte >= 0x80).count();
    let next = start + run;
    let amp = usize::from(matches!(text.at(next), b'&' | b';'));
    let glued = text.at(next) == b'=' || amp > 0 && is_parameter(text, next + 1);
    glued.then_some(next + 1)
}

/// `name=` at a place.
fn is_parameter(text: Text<'_>, at: usize) -> bool {
    let name = text
        .from(at)
        .iter()
        .take(64)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'[' | b']'))
        .count();
    name > 0 && text.at(at + name) == b'='
}

/// Cuts a URL whose host, or whose path where it has none, begins at `host`.
fn cut(text: Text<'_>, start: usize, host: usize, has_authority: bool) -> Cuts {
    let level = text.level(host.saturating_sub(1)).min(text.level(start));
    let mut cuts = Cuts::default();
    // To the end of the page.
    let mut end = host;
    let mut depth = 0_usize;
    let (mut last_at, mut first_slash, mut colon) = (None, None, None);
    while end < text.len() && !stops(text, end, level) {
        match text.at(end) {
            b'?' | b'#' => break,
            // The next URL begins here: it is judged by itself.
            b':' if end > host && is_slash(text.at(end + 1)) && is_slash(text.at(end + 2)) => {
                while end > host && is_scheme(text.before(end)) {
                    end -= 1;
                }
                break;
            }
            // The URL is the encoded value of a parameter, and here is the next one.
            b'&' if text.level(end) < level => break,
            b';' if is_word(text.at(end + 1)) => break,
            // Its parameters, or those of the form that it is a value in.
            b'&' if is_parameter(text, end + 1) => break,
            b'(' | b'[' => depth += 1,
            b')' | b']' if text.level(end) <= level => {
                if depth == 0 {
                    break;
                }
                depth -= 1;
            }
            b'@' => last_at = Some(end),
            b':' if first_slash.is_none() && last_at.is_none() => colon = Some(end),
            byte if is_slash(byte) && first_slash.is_none() => first_slash = Some(end),
            _ => {}
        }
        end += 1;
    }
    let authority = first_slash.unwrap_or(end);
    let mut page = host;
    if has_authority {
        if let Some(at) = last_at {
            // A slash in a password: what stands before it is no port, so it is no host either.
            let no_port =
                colon.is_some_and(|colon| !text.slice(colon + 1, authority).iter().all(u8::is_ascii_digit));
            if at < authority || no_port {
                cuts.spans.push(Span::new(host, at + 1, Category::AuthorizationUrl, Action::Truncated));
                page = at + 1;
            }
        } else if let Some(at) = hidden_user(text, end, level) {
            // `?` or `#` in a password: the same.
            let no_port = colon.is_some_and(|colon| {
                end == authority && !text.slice(colon + 1, end).iter().all(u8::is_ascii_digit)
            });
            if no_port {
                cuts.spans.push(Span::new(host, at + 1, Category::AuthorizationUrl, Action::Truncated));
                cuts.end = at + 1;
                return cuts;
            }
        }
    }
    if has_authority {
        cuts.host = (page, authority.max(page));
    }
    cuts.page = end;
    segments(text, page, end, &mut cuts.spans);
    // The path is looked at like other text, for what stands in it beside its segments.
    cuts.end = authority.max(page);
    // After an encoded URL the next parameter is another's.
    let parameters = matches!(text.at(end), b'?' | b'#' | b';')
        || text.at(end) == b'&' && text.level(end) >= text.level(host.saturating_sub(1));
    if parameters && text.level(end) != u8::MAX {
        let query = query_end(text, end, level, usize::MAX);
        if query > end + 1 || query == end + 1 && text.at(end + 1) == b'#' {
            cuts.spans.push(Span::new(end, query, Category::AuthorizationUrl, Action::Truncated));
            cuts.end = query;
        }
    }
    cuts.end = cuts.end.max(host);
    cuts
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// An `@` that follows a `?` or a `#` within the same URL.
fn hidden_user(text: Text<'_>, mark: usize, level: u8) -> Option<usize> {
    (mark..text.len().min(mark + BACK))
        .take_while(|at| !stops(text, *at, level))
        .find(|at| text.at(*at) == b'@')
}

/// Redacts the segments of a path that are secrets: after a label, or by their look.
fn segments(text: Text<'_>, from: usize, end: usize, spans: &mut Vec<Span>) {
    let mut start = from;
    let mut first = true;
    let mut after_label = None;
    let mut ordinary = false;
    let mut before: &[u8] = &[];
    // The hash of a commit is public.
    let mut after_revision = false;
    // The path of a webhook is its key.
    let hook = text.slice(from, from + 64).windows(4).any(|window| window.eq_ignore_ascii_case(b"hook"));
    for at in from..=end {
        if at < end && !is_slash(text.at(at)) {
            continue;
        }
        let segment = text.slice(start, at);
        if !first && !segment.is_empty() && values::mark(text, start).is_none() {
            let label = if segment.len() <= 64 { Words::of(segment).label() } else { None };
            let shape = super::shapes::token(text, start).map(|(_, category)| category);
            if let Some(category) = shape {
                spans.push(Span::new(start, at, category, Action::Redacted));
            } else if let Some(category) = after_label.filter(|_| {
                // A ticket or a session with a number may be anybody's to read.
                is_random(segment)
                    || is_code(segment) && !(ordinary && segment.iter().all(u8::is_ascii_digit))
            }) {
                spans.push(Span::new(start, at, category, Action::Redacted));
            } else if (segment.len() >= 8 && values::is_user_code(segment) || is_link(segment))
                && leads_to_link(before)
            {
                spans.push(Span::new(start, at, Category::OauthParameter, Action::Redacted));
            } else if !after_revision && is_magic(segment) || hook && segment.len() >= 8 && is_hook(segment) {
                spans.push(Span::new(start, at, Category::AccessCredential, Action::Redacted));
            }
            after_label = label.map(|label| label.category);
            ordinary = label
                .is_some_and(|it| it.is(super::words::ORDINARY) && it.category == Category::AccessCredential);
            before = segment;
            after_revision =
                beginning(segment, list!["blob" "commits" "commit" "tree" "raw"]) == Some(segment.len());
        }
        first = false;
        start = at + 1;
    }
}

/// Digits of a code, or capitals.
fn is_code(segment: &[u8]) -> bool {
    segment.len() >= 4 && segment.iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}

/// Capitals and digits only, or long and with both.
fn is_hook(segment: &[u8]) -> bool {
    is_code(segment) || segment.len() >= 16 && is_random(segment)
}

/// `/device/WDJB-MJHT`, `/reset/x`: the segment before a code or the key of a link.
fn leads_to_link(segment: &[u8]) -> bool {
    const PAGES: List = list![
        "device" "activate" "activation" "pair" "link" "verify" "confirm" "reset" "reset-password" "invite"
        "invitation" "magic" "magic-link" "unlock"
    ];
    among(segment, PAGES)
}

/// What the path of a link ends in that is sent to somebody: shorter than where nothing says that it is one.
fn is_link(segment: &[u8]) -> bool {
    let has = |kind: fn(&u8) -> bool| segment.iter().any(kind);
    segment.len() >= 10
        && has(u8::is_ascii_digit)
        && (has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && is_random(segment)
            || segment.len() >= 16 && segment.iter().all(u8::is_ascii_hexdigit))
}

/// Long and without words: a link that is itself the key.
fn is_magic(segment: &[u8]) -> bool {
    let digits = segment.iter().filter(|byte| byte.is_ascii_digit()).count();
    let upper = segment.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    let lower = segment.iter().filter(|byte| byte.is_ascii_lowercase()).count();
    let other = segment.len() - digits - upper - lower;
    let mixed = segment.len() >= 20 && digits > 1 && upper > 1 && lower > 1 && other * 8 <= segment.len();
    mixed || segment.len() >= 32 && segment.iter().all(u8::is_ascii_hexdigit)
}
