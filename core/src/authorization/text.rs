//! The decision from words, where a client library swallowed the status.
//!
//! The text becomes a list of words, numbers and marks; URLs and paths become one mark each, since what an address
//! is called decides nothing. A sign is a phrase of the trade among the words, or a number in a status position:
//! with the words around it that make it a status rather than a line, a count, an id or a port. There is no
//! pattern that could backtrack; each token is looked at with a few of its neighbours.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::iter;

use super::{Decision, Signs};
use crate::letters::is_alphanumeric;
use crate::search::{find, is_among, places, replace};

/// Decides from the words of a failure, by the same table as [`decide`](super::decide).
///
/// Understands what HTTP and OAuth libraries, gRPC, MCP SDKs and proxies write in English or Chinese:
/// `401 Unauthorized`, `HTTP/1.1 403`, `status code: 401`, `"status": 403`, `Forbidden`, `Auth required`,
/// `invalid_grant`, `insufficient scope`, `token ... revoked`, `状态码 401`, `权限不足`. Refuses what only looks
/// like that: a port, an id, a path or a URL, a line number, a count, `forbidden characters`, `no authentication
/// required`, and 407, which is between the client and its proxy.
///
/// Linear in the text; of one longer than 256 KiB the first and last 128 KiB are read.
///
/// ```
/// use ackguard::authorization::{Decision, decide_from_text};
/// assert_eq!(decide_from_text("HTTP 401: token expired"), Decision::Required);
/// assert_eq!(decide_from_text("order #401 shipped"), Decision::NotAuthorization);
/// ```
#[must_use]
pub fn decide_from_text(text: &str) -> Decision {
    let mut signs = Signs::default();
    let (head, tail) = ends(text);
    for part in iter::once(head).chain(tail) {
        let normalized: String = unescape(part).chars().map(normalize).collect();
        let tokens = tokens(&normalized);
        Reader { tokens: &tokens }.read(&mut signs);
        chinese(&normalized, &mut signs);
    }
    signs.decision()
}

const END: usize = 128 * 1024;

fn ends(text: &str) -> (&str, Option<&str>) {
    if text.len() <= 2 * END {
        return (text, None);
    }
    let head = (0..=END).rev().find_map(|at| text.get(..at));
    let tail = (text.len() - END..text.len()).find_map(|at| text.get(at..));
    (head.unwrap_or_default(), tail)
}

/// Undoes the escapes of a text that was printed as JSON or by a debugger, however often: `401\nretry`,
/// `\u672a\u6388\u6743`. A backslash that begins none stays, as in a path.
fn unescape(text: &str) -> Cow<'_, str> {
    if !text.as_bytes().contains(&b'\\') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let escaped = after.trim_start_matches('\\');
        let (character, length) = match escaped.as_bytes().first() {
            Some(b'n' | b'r' | b't') => (Some(' '), 1),
            Some(b'"') => (Some('"'), 1),
            Some(b'\'') => (Some('\''), 1),
            Some(b'u') => {
                let digits = escaped.get(1..5).filter(|it| it.bytes().all(|b| b.is_ascii_hexdigit()));
                (digits.and_then(|it| u32::from_str_radix(it, 16).ok()).and_then(char::from_u32), 5)
            }
            _ => (None, 0),
        };
        if let Some(character) = character {
            plain.push(character);
            rest = escaped.get(length..).unwrap_or_default();
        } else {
            plain.push('\\');
            rest = escaped;
        }
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// Full-width forms become ASCII, typographic quotes plain, traditional characters of the phrases simplified.
fn normalize(character: char) -> char {
    match character {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(character) - 0xfee0).unwrap_or(character),
        '\u{3000}' | '\u{a0}' => ' ',
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201c}' | '\u{201d}' => '"',
        '權' => '权',
        '銷' => '销',
        '狀' => '状',
        '態' => '态',
        '碼' => '码',
        '證' => '证',
        '認' => '认',
        '錄' => '录',
        '驗' => '验',
        '訪' => '访',
        '問' => '问',
        '請' => '请',
        '憑' => '凭',
        '過' => '过',
        '無' => '无',
        '沒' => '没',
        '經' => '经',
        '錯' => '错',
        '誤' => '误',
        '響' => '响',
        '應' => '应',
        '敗' => '败',
        '為' => '为',
        '條' => '条',
        '個' => '个',
        '須' => '须',
        '後' => '后',
        '試' => '试',
        '還' => '还',
        '從' => '从',
        '進' => '进',
        '據' => '据',
        '鑑' | '鑒' => '鉴',
        '繼' => '继',
        '續' => '续',
        other => other,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Number,
    Mark(char),
    /// One character of a script that writes no spaces.
    Ideograph(char),
    /// A URL or a path.
    Address,
}

#[derive(Debug)]
struct Token<'a> {
    kind: Kind,
    /// In lower case; empty for all but words and numbers.
    text: Cow<'a, str>,
    /// Nothing stands between this token and the one before.
    touching: bool,
    /// Part of the same identifier as the token before: `status_code`, `statusCode`.
    part: bool,
}

fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{2fff}' | '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn is_identifier(character: char) -> bool {
    character == '_' || (is_alphanumeric(character) && !is_ideograph(character))
}

fn ends_address(character: char) -> bool {
    character.is_whitespace() || is_ideograph(character) || is_among(character, "\"'`<>(),，。；、{}|")
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(character) = rest.chars().next() {
        let touching = !before.is_whitespace();
        let token = |kind| Token { kind, text: Cow::Borrowed(""), touching, part: false };
        let mut length = character.len_utf8();
        if is_identifier(character) {
            length = rest.find(|c| !is_identifier(c)).unwrap_or(rest.len());
            let (run, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
            if after.starts_with("://") {
                length = rest.find(ends_address).unwrap_or(rest.len());
                tokens.push(token(Kind::Address));
            } else if run == "t" && before == '\'' {
                // "isn't": the negation is a word of its own.
                tokens.push(Token { text: Cow::Borrowed("not"), ..token(Kind::Word) });
            } else {
                split_identifier(run, touching, &mut tokens);
            }
        } else if is_address(before, character, rest, &tokens) {
            length = rest.find(ends_address).unwrap_or(rest.len()).max(length);
            tokens.push(token(Kind::Address));
        } else if is_ideograph(character) {
            tokens.push(token(Kind::Ideograph(character)));
        } else if !character.is_whitespace() {
            tokens.push(token(Kind::Mark(character)));
        }
        let Some((done, after)) = rest.split_at_checked(length) else { break };
        before = done.chars().next_back().unwrap_or(' ');
        rest = after;
    }
    tokens
}

/// Whether `rest` goes on with a path, or with the path or query of a host.
fn is_address(before: char, character: char, rest: &str, tokens: &[Token<'_>]) -> bool {
    let mut following = rest.chars().skip(1);
    let next = following.next().unwrap_or(' ');
    match character {
        '/' if before.is_whitespace() || is_among(before, "\"'`([<,=.~") => {
            is_identifier(next) || is_among(next, ".~{:*-")
        }
        // `api.example.com/v4`, `localhost:8080/v4`
        '/' => match tokens {
            [.., mark, last] if last.touching => {
                (mark.kind == Kind::Mark('.') && last.kind == Kind::Word)
                    || (mark.kind == Kind::Mark(':') && last.kind == Kind::Number)
            }
            _ => false,
        },
        '?' if !before.is_whitespace() && is_identifier(next) => {
            // The parameter's name is short; looking no further keeps a row of `?` linear.
            following.take(64).take_while(|c| !ends_address(*c)).any(|c| c == '=')
        }
        _ => false,
    }
}

/// Splits at `_`, at case changes, and between `HTTP` and its number.
fn split_identifier<'a>(run: &'a str, touching: bool, tokens: &mut Vec<Token<'a>>) {
    let mut first = true;
    let mut push = |piece: &'a str| {
        if piece.is_empty() {
            return;
        }
        let kind = if piece.bytes().all(|b| b.is_ascii_digit()) { Kind::Number } else { Kind::Word };
        let text = if piece.bytes().any(|b| b.is_ascii_uppercase()) {
            Cow::Owned(piece.to_ascii_lowercase())
        } else {
            Cow::Borrowed(piece)
        };
        tokens.push(Token { kind, text, touching: touching || !first, part: !first });
        first = false;
    };
    for piece in run.split('_') {
        let mut start = 0;
        let bytes = piece.as_bytes();
        for (at, pair) in bytes.windows(2).enumerate() {
            let [a, b] = pair else { continue };
            let so_far = piece.get(start..=at).unwrap_or_default();
            let camel = (a.is_ascii_lowercase() && b.is_ascii_uppercase())
                // `HTTPError`, but not `OAuth`
                || (a.is_ascii_uppercase()
                    && b.is_ascii_uppercase()
                    && bytes.get(at + 2).is_some_and(u8::is_ascii_lowercase)
                    && so_far.len() > 1);
            let status = b.is_ascii_digit()
                && "http status code error e".split(' ').any(|word| so_far.eq_ignore_ascii_case(word));
            if camel || status {
                push(so_far);
                start = at + 1;
            }
        }
        push(piece.get(start..).unwrap_or_default());
    }
}

/// What may follow a status or its phrase, where the sentence goes on.
const FOLLOWING: &str = "after and as at bad because but by client due during error for forbidden from \
            gateway http instead internal is on or please received response returned \
            server service since status then to unauthorised unauthorized upstream url via \
            was when while with access request code";
/// What may also follow `forbidden` and `unauthorized`, which are adjectives too.
const FOLLOWING_PHRASE: &str = "action api call insufficient invalid missing no operation resource the this \
            token use user you your exception desc";
const NEGATIONS: &str = "not no never without nor neither non";
const CREDENTIALS: &str = "token tokens grant authorization authorisation consent credential credentials \
            access key oauth";
const FAILURES: &str = "failed fail fails failure failing unable cannot couldn error invalid expired \
            rejected denied refused unsuccessful";
const FIRST_STEPS: &str = "auth authentication authorization authorisation login consent interaction \
            reauthentication reauthorization";
/// How a process ends with a code or a status, which is none of HTTP's.
const PROCESS_ENDS: &str = "exit exits exited exiting terminated died crashed killed quit";
/// What there can be 401 of, behind a word that a status has too.
const COUNTED: &str = "row rows item items line lines record records result results file files byte bytes \
            entry entries document documents message messages user users time times ms second seconds";

/// How a sentence goes on after `log in`.
const AFTER_LOGIN: &str = "again first to at via with using before and then on through here from or as by \
            manually anew once if so for your please";
/// What may go on with such a phrase inside one identifier.
const PHRASE_PARTS: &str = "access client error exception request response";

/// Phrases of services and SDKs, each with what it is a sign of.
const SAID: &str = "forbidden not authorized to perform|forbidden not have authorization to perform|\
            forbidden not accessible by integration|forbidden not accessible by personal|forbidden access denied exception|\
            other not support dynamic client registration|other not read username for|other not logged in|other not signed in|other invalid client secret|\
            other invalid client credentials|other incorrect client credentials|other invalid login credentials|\
            other invalid authentication token|other invalid token provided|other expired access token|\
            other invalid access token|other invalid bearer token|other invalid oauth token|other invalid credentials|\
            other invalid authentication credential|other invalid authentication credentials|other bad credentials|\
            other unsupported grant type|other invalid username or password|other invalid or expired token|\
            other no credentials|other no valid credentials|other no usable credentials|\
            other no access token|other no oauth token|other no bearer token|other no valid access token|\
            other no authorization header|other no authorization token|other no auth header|\
            other no token provided|other no token found|\
            other no token supplied|other no token given|lost invalid refresh token|other no basic auth credentials|lost refresh token not found|lost refresh token reuse|\
            lost refresh token was already used|lost refresh error";
/// How the network fails.
const NETWORK: &str = "connection refused|connection reset|connection aborted|connection error|connection timeout|\
            timed out|timeout|unreachable|econnrefused|econnreset|etimedout|enotfound|network error|network failure|\
            name resolution|no such host|max retries exceeded|fetch failed|socket hang up";

/// What a status follows, where the sentence may go on.
const TELLING: &str = "got saw hit because gets received receives receive returned returns responded response \
            answered replied raised threw gave said rejected denied refused unauthorized unauthorised forbidden \
            upstream fails failure error err exception unacceptable";

struct Reader<'t, 'a> {
    tokens: &'t [Token<'a>],
}

/// The words near a place, one after the other.
struct Near<'r, 'a> {
    reader: &'r Reader<'r, 'a>,
    at: usize,
    forward: bool,
    /// How many places are still looked at, and how many words are still found.
    places: usize,
    words: usize,
}

impl Iterator for Near<'_, '_> {
    type Item = usize;

    #[inline(never)]
    fn next(&mut self) -> Option<usize> {
        loop {
            self.words.checked_sub(1)?;
            self.places = self.places.checked_sub(1)?;
            let at = if self.forward { self.at + 1 } else { self.at.checked_sub(1)? };
            if self.reader.ends_clause(at) {
                self.words = 0;
                return None;
            }
            self.at = at;
            if !self.reader.word(at).is_empty() {
                self.words -= 1;
                return Some(at);
            }
        }
    }
}

impl Reader<'_, '_> {
    fn get(&self, at: usize) -> Option<&Token<'_>> {
        self.tokens.get(at)
    }

    /// The token before; indexes wrap around to where nothing is.
    fn prev(&self, at: usize) -> Option<&Token<'_>> {
        self.get(at.wrapping_sub(1))
    }

    fn mark(&self, at: usize) -> Option<char> {
        match self.get(at)?.kind {
            Kind::Mark(mark) => Some(mark),
            _ => None,
        }
    }

    /// The word there, or nothing.
    fn word(&self, at: usize) -> &str {
        self.get(at).filter(|token| token.kind == Kind::Word).map_or("", |token| &token.text)
    }

    fn is(&self, at: usize, words: &str) -> bool {
        let word = self.word(at);
        !word.is_empty() && words.split(' ').any(|known| known == word)
    }

    /// Whether the words follow one another.
    fn phrase(&self, at: usize, words: &str) -> bool {
        words.split(' ').enumerate().all(|(offset, word)| self.word(at + offset) == word)
    }

    fn is_touching(&self, at: usize) -> bool {
        self.get(at).is_some_and(|token| token.touching)
    }

    fn is_part(&self, at: usize) -> bool {
        self.get(at).is_some_and(|token| token.part)
    }

    /// The positions of up to `most` words before, in the same clause.
    fn before(&self, at: usize, most: usize) -> Near<'_, '_> {
        Near { reader: self, at, forward: false, places: 2 * most, words: most }
    }

    /// The positions of up to `most` words after, in the same clause.
    fn after(&self, at: usize, most: usize) -> Near<'_, '_> {
        Near { reader: self, at, forward: true, places: 2 * most, words: most }
    }

    fn ends_clause(&self, at: usize) -> bool {
        match self.mark(at) {
            None => false,
            Some('\'' | '"' | '-' | '`' | '(' | ')') => false,
            Some('.') => self.get(at + 1).is_none_or(|next| !next.touching),
            Some(_) => true,
        }
    }

    fn any_before(&self, at: usize, most: usize, words: &str) -> bool {
        self.before(at, most).any(|at| self.is(at, words))
    }

    fn any_after(&self, at: usize, most: usize, words: &str) -> bool {
        self.after(at, most).any(|at| self.is(at, words))
    }

    /// The first of the words after that is none of these.
    fn first_after(&self, at: usize, most: usize, skipped: &str) -> Option<usize> {
        self.after(at, most).find(|at| !self.is(*at, skipped))
    }

    fn is_negated(&self, at: usize, reach: usize) -> bool {
        self.any_before(at, reach, NEGATIONS)
    }

    /// Whether a word that is a phrase by itself stands as one: no part of a name, no adjective of something
    /// else.
    fn stands_alone(&self, at: usize) -> bool {
        let Some(token) = self.get(at) else { return false };
        let number_before = self.get(at.wrapping_sub(2)).is_some_and(|token| token.kind == Kind::Number);
        let next = self.get(at + 1);
        if token.part {
            let owner = self.prev(at).is_some_and(|owner| owner.kind == Kind::Number)
                || self.is(at.wrapping_sub(1), "http status error err sc code reason access request");
            if !owner {
                return false;
            }
        } else if token.touching {
            match self.mark(at.wrapping_sub(1)) {
                Some('.') if next.is_none_or(|next| next.kind != Kind::Word || next.part) => {}
                Some('/' | '-') if number_before => {}
                Some('/') if self.is(at.wrapping_sub(2), "unauthorized unauthorised forbidden") => {}
                Some('/' | '\\' | '.' | '-' | '#' | '@' | '$' | '~' | '&') => return false,
                _ => {}
            }
        }
        let Some(next) = next else { return true };
        if self.is_unset_key(at) {
            return false;
        }
        match next.kind {
            Kind::Word if next.part => self.is(at + 1, PHRASE_PARTS),
            Kind::Word => self.is(at + 1, FOLLOWING) || self.is(at + 1, FOLLOWING_PHRASE),
            Kind::Mark(mark @ ('.' | '-' | '/' | '=' | '_' | '@')) if next.touching => {
                // A full stop before a closing quote ends a sentence.
                let glued = self.is_touching(at + 2) && !(mark == '.' && self.mark(at + 2).is_some());
                !glued
                    || (mark == '/'
                        && (self.is(at + 2, FOLLOWING)
                            || self.get(at + 2).is_some_and(|t| t.kind == Kind::Number)))
            }
            _ => true,
        }
    }

    /// `"forbidden": false`, `unauthorized=0`, `"forbidden": [...]`: the name of a setting or of a count.
    fn is_unset_key(&self, at: usize) -> bool {
        let mut value = at + 1;
        let mut separated = false;
        while let Some(mark) = self.mark(value).filter(|mark| is_among(*mark, "\"':=")) {
            separated |= matches!(mark, ':' | '=');
            value += 1;
            if value > at + 4 {
                break;
            }
        }
        let counted =
            self.get(value).is_some_and(|token| token.kind == Kind::Number && token.text.len() != 3);
        // "Forbidden: no access" is a sentence.
        let ends = self.get(value + 1).is_none_or(|next| matches!(next.kind, Kind::Mark(_)));
        separated
            && (matches!(self.mark(value), Some('[' | '{'))
                || (ends && (counted || self.is(value, "false none null nil no"))))
    }

    fn read(&self, signs: &mut Signs) {
        // An OAuth provider's step failed; where the network was the cause, it is the provider's fault.
        let mut step_failed = false;
        for (at, token) in self.tokens.iter().enumerate() {
            match token.kind {
                Kind::Number => self.number(at, signs),
                Kind::Word => {
                    self.phrase_of_refusal(at, signs);
                    self.phrase_of_oauth(at, signs);
                    step_failed |= self.failed_step(at, signs);
                    if self.is(at, "not no invalid incorrect bad expired refresh access unsupported") {
                        self.said(at, signs);
                    }
                }
                _ => {}
            }
        }
        signs.fault |= step_failed && self.is_offline();
    }

    /// Phrases without gaps in them.
    fn said(&self, at: usize, signs: &mut Signs) {
        for phrase in SAID.split('|') {
            let Some((sign, words)) = phrase.split_once(' ') else { continue };
            if self.phrase(at, words) {
                match sign {
                    "lost" => signs.lost = true,
                    "forbidden" => signs.forbidden |= self.word(at.wrapping_sub(2)) != "file",
                    _ => signs.other = true,
                }
            }
        }
    }

    fn is_offline(&self) -> bool {
        (0..self.tokens.len()).any(|at| NETWORK.split('|').any(|phrase| self.phrase(at, phrase)))
    }

    /// `not have the required permissions`, `missing permission`: those of a user, not of a file.
    fn lacks_permission(&self, at: usize) -> bool {
        let mut name = at + 1;
        while !self.is(name, "permission permissions") {
            name += 1;
            if name > at + 4 || self.ends_clause(name) {
                return false;
            }
        }
        !self.is(name + 1, "field fields prompt bits model were")
            && !self.any_after(name, 5, "file files directory folder disk device socket path")
            && !(name..name + 8).any(|at| self.get(at).is_some_and(|token| token.kind == Kind::Address))
    }

    /// What servers and their libraries say.
    fn phrase_of_refusal(&self, at: usize, signs: &mut Signs) {
        let next = at + 1;
        match self.word(at) {
            "forbidden" if self.stands_alone(at) && !self.is_negated(at, 2) => signs.forbidden = true,
            "unauthorized" | "unauthorised" => {
                if self.word(next) == "client" && self.is_part(next) {
                    signs.other = true;
                } else if self.stands_alone(at)
                    && !self.is_negated(at, 2)
                    // .NET's `UnauthorizedAccessException` is about a file.
                    && !(self.is_part(next) && self.phrase(next, "access exception"))
                {
                    signs.unauthorized = true;
                }
            }
            "unauthenticated" if self.stands_alone(at) && !self.is_negated(at, 2) => signs.other = true,
            "permission" if self.word(next) == "denied" && self.is_part(next) => signs.forbidden = true,
            // `java.nio.file.AccessDeniedException` is about a file.
            "access" if self.word(next) == "denied" && self.is_part(next) => {
                signs.other |= self.word(at.wrapping_sub(2)) != "file";
            }
            "internal" if self.phrase(next, "server error") => signs.fault |= !self.is_negated(at, 2),
            "bad" if self.word(next) == "gateway" && self.may_follow(at + 2) => signs.fault = true,
            "service" => {
                let at = if self.word(next) == "temporarily" { at + 2 } else { next };
                signs.fault |= self.word(at) == "unavailable" && self.may_follow(at + 1);
            }
            "gateway" if self.is(next, "timeout time") => signs.fault = true,
            "not" => {
                // `does not have the required scopes`
                signs.lost |= self.is(next, "have contain been") && self.any_after(next, 5, "scope scopes");
                signs.forbidden |= self.word(next) == "have" && self.lacks_permission(next);
                signs.other |=
                    self.is(next, "authorized authorised authenticated authed") && !self.is_negated(at, 1);
            }
            "requires" | "require" | "required" | "needs" => {
                let what = self.first_after(at, 3, "user re oauth an a valid");
                signs.other |= what
                    .is_some_and(|what| self.is(what, FIRST_STEPS) && !self.is_unset_key(what))
                    && !self.is_negated(at, 2)
                    && self.word(at) != "required";
                // RFC 6750 says so of `insufficient_scope`.
                signs.lost |= self.phrase(next, "higher privileges");
                self.demand(at, signs);
            }
            // The header with its value; that there was none says nothing.
            "authenticate"
                if self.word(at.wrapping_sub(2)) == "www" || self.word(at.wrapping_sub(1)) == "www" =>
            {
                let mark = if self.mark(next) == Some('"') { at + 2 } else { next };
                signs.other |= matches!(self.mark(mark), Some(':' | '='))
                    && self.get(mark + 1).is_some()
                    && !self.is(mark + 1, "none null undefined missing");
            }
            "please" | "must" | "need" => self.demand(at, signs),
            // `To refresh this session run aws sso login`
            "run" if !self.is(next, "a an the") && !self.is_negated(at, 2) => {
                signs.other |= (at + 2..at + 6).any(|at| self.word(at) == "login" && self.may_end(at + 1));
            }
            // What a server should do is said in manuals.
            "should" if self.is(at.wrapping_sub(1), "you user users") => self.demand(at, signs),
            // It was there once.
            "no" if self.word(next) == "longer" => {
                let ended = match self.word(at + 2) {
                    "authorized" | "authorised" => true,
                    "valid" | "active" => self.any_before(at, 4, CREDENTIALS),
                    "has" | "have" => self.is(at + 3, "access permission permissions"),
                    _ => false,
                };
                signs.lost |= ended;
            }
            "have" | "has" if self.word(next) == "to" => self.demand(at, signs),
            // `sign in required`, `Sign-in required`
            "log" | "sign" => {
                let word = if self.mark(next) == Some('-') { at + 2 } else { next };
                if self.word(word) == "in" && !self.is_negated(at, 3) {
                    signs.other |= self.phrase(word + 1, "to continue");
                    self.required(word, signs);
                }
            }
            "oauth" | "auth" | "authentication" | "authorization" | "authorisation" | "reauthentication"
            | "reauthorization" | "login" | "signin" | "consent" | "interaction" => {
                self.first_step(at, signs);
            }
            _ => {}
        }
    }

    /// `please log in`, `must be authenticated`, `you need to authorize first`.
    fn demand(&self, at: usize, signs: &mut Signs) {
        let what = self.first_after(at, 4, "re first to be you user");
        signs.other |= what.is_some_and(|what| {
            // Please run `gh auth login`
            let run = if self.mark(what + 1) == Some(':') { what + 1 } else { what };
            (self.word(what) == "run" && self.any_after(run, 4, "login"))
                || self.is(
                    what,
                    "authenticate authorize authorise reauthenticate reauthorize login authenticated \
            authorized authorised",
                )
                || (self.is(what, "log sign logged signed")
                && self.word(what + 1) == "in"
                // One can also log in JSON, or in UTC.
                && self.may_end(what + 2))
        }) && !self.is_negated(at, 2);
    }

    /// What the name of a step is followed by, in a sentence.
    fn may_end(&self, at: usize) -> bool {
        self.get(at).is_none_or(|next| next.kind != Kind::Word) || self.is(at, AFTER_LOGIN)
    }

    /// `Auth required`, `authentication failed`, `login_required`, `authorization_pending`, `OAuth flow ... not
    /// completed`.
    fn first_step(&self, at: usize, signs: &mut Signs) {
        // Between the client and its proxy, or the tool and its own database or mailbox.
        let elsewhere = self.any_before(
            at,
            1,
            "proxy password peer ident sasl smtp ssh database db md5 scram host noauth cookie",
        );
        // Alone, "interaction required" may be about anything.
        let vague = self.word(at) == "interaction" && !self.is_part(at + 1);
        if elsewhere || vague || self.is_negated(at, 3) {
            return;
        }
        if let Some(verb) = self.required(at, signs) {
            signs.other |= !self.is(at, "login signin consent interaction")
                && self.is(verb, "failed failure error exception missing rejected problem problems");
            signs.never |= self.word(verb) == "pending" || self.phrase(verb, "not been completed");
            // It was there once.
            signs.lost |= self.is(at, "authorization authorisation consent") && self.word(verb) == "expired";
        }
    }

    /// Notes that what ends at this word is required, and gives the verb that says what became of it.
    fn required(&self, at: usize, signs: &mut Signs) -> Option<usize> {
        let verb = self.first_after(at, 3, "is are was still has been header");
        // `auth_required: false` is a setting.
        let verb = verb.filter(|verb| !self.is_unset_key(*verb))?;
        signs.other |= self.is(verb, "required needed");
        Some(verb)
    }

    /// The errors of RFC 6749, RFC 6750, OpenID Connect and their kin, and what is said of tokens.
    fn phrase_of_oauth(&self, at: usize, signs: &mut Signs) {
        let next = at + 1;
        match self.word(at) {
            "invalid" if self.mark(next) == Some('-') && self.word(at + 2) == "grant" => signs.lost = true,
            "invalid" => match self.word(next) {
                "grant" => signs.lost |= !self.is_negated(at, 2),
                "token" | "client" | "scope" | "auth" | "dpop" => signs.other |= self.is_part(next),
                _ => {}
            },
            "insufficient" if !self.is_negated(at, 2) => {
                let mut near = self.after(at, 4).take_while(|at| !self.is(*at, "in of for on within"));
                signs.lost |= self.is(next, "permission permissions privilege privileges")
                    || near.any(|at| self.is(at, "scope scopes"));
            }
            "scope" | "scopes" => {
                let what = self.first_after(at, 2, "is are");
                // Of a variable it may be said as well that its scope is missing.
                let required = self.word(at.wrapping_sub(1)) == "required";
                signs.lost |= what.is_some_and(|what| {
                    self.word(what) == "insufficient" || required && self.word(what) == "missing"
                });
            }
            "lacks" | "lack" | "lacking" => signs.lost |= self.any_after(at, 4, "scope scopes"),
            "missing" => {
                signs.lost |= self.any_after(at, 3, "scope scopes");
                signs.forbidden |= self.lacks_permission(at);
                let what = self.first_after(at, 4, "required valid a an the");
                signs.other |= what.is_some_and(|what| {
                    self.is(what, "credentials")
                        || (self.is(what, "access bearer oauth authentication auth authorization")
                            && self.is(what + 1, "token header credential credentials"))
                        || (self.is(what, "authentication authorization")
                            && self.after(what, 1).next().is_none())
                });
            }
            "api" if self.after(at, 1).any(|key| self.word(key) == "key") => {
                let key = if self.word(next) == "key" { next } else { next + 1 };
                let what = self.first_after(key, 3, "is was header");
                let wanted = what.is_some_and(|what| self.is(what, "required needed necessary"));
                // "No API key provided", but not "no API key required".
                let negated = self.is_negated(at, 4);
                signs.other |= wanted != negated
                    && (wanted
                        || self.any_before(at, 4, "no provide provided supply supplied set")
                            && what.is_none_or(|what| !self.is(what, "rotation")))
                    || what.is_some_and(|what| {
                        self.is(what, "invalid missing expired revoked")
                            || (self.word(what) == "not" && self.is(what + 1, "valid provided found"))
                    })
                    || self.any_before(at, 3, "invalid incorrect missing wrong");
            }
            "no" => {
                signs.forbidden |= self.is(next, "permission permissions") && self.lacks_permission(at);
            }
            "never" if self.is(next, "authorized authorised configured") => {
                signs.never |= self.word(next) != "configured" || self.any_before(at, 4, CREDENTIALS);
            }
            "credentials" => {
                let what = self.first_after(at, 3, "are is were was have");
                // "Could not validate credentials", "Unable to locate credentials"
                let sought = self.any_before(at, 3, "validate verify locate find load determine");
                let unfound = sought && (self.is_negated(at, 4) || self.any_before(at, 4, FAILURES));
                signs.other |= unfound
                    || what.is_some_and(|what| {
                        self.is(what, "required missing expired invalid incorrect")
                            || (self.word(what) == "not" && self.is(what + 1, "provided found configured"))
                    });
            }
            "expired" => signs.other |= self.is(next, "token signature") && self.is_part(next),
            "server" if self.word(next) == "error" && self.is_part(next) => {
                // `server_error` of RFC 6749 is one identifier between quotes or an equals sign.
                let quoted = matches!(self.mark(at.wrapping_sub(1)), Some('"' | '\'' | '='));
                signs.fault |= quoted && !self.is_part(at);
            }
            "temporarily" if self.word(next) == "unavailable" && self.is_part(next) => signs.fault = true,
            "revoked" if self.is_revocation(at) => signs.lost = true,
            "token" | "jwt" | "signature" => {
                let other_kind = self.is(
                    at.wrapping_sub(1),
                    "csrf xsrf page pagination continuation cursor resume delta sync lock next cancellation push \
            design refresh unexpected",
                );
                let verb = self.first_after(at, 4, "has is was have already been");
                signs.other |= !other_kind && verb.is_some_and(|verb| self.word(verb) == "expired");
                // Of another kind of token that may be said by a parser.
                let of_access = self.is(
                    at.wrapping_sub(1),
                    "access oauth bearer auth authentication authorization api security",
                );
                signs.other |= verb.is_some_and(|verb| {
                    (of_access && self.is(verb, "invalid missing malformed empty required"))
                        || (!other_kind
                            && (self.phrase(verb, "invalid or expired")
                                || self.word(verb) == "not"
                                    && (self.phrase(verb + 1, "valid for")
                                        || self.word(verb + 1) == "provided" && self.word(verb + 2) != "by")))
                });
            }
            _ => {}
        }
    }

    /// `token ... revoked`, `revoked token`, and neither `certificate revoked` nor `not revoked`.
    fn is_revocation(&self, at: usize) -> bool {
        if self.is_negated(at, 3) {
            return false;
        }
        let ends_sentence = |at: usize| {
            let omission = self.mark(at) == Some('.') && self.mark(at.wrapping_sub(1)) == Some('.');
            matches!(self.mark(at), Some('.' | ';' | '!' | '?'))
                && !omission
                && self.get(at + 1).is_none_or(|next| !next.touching)
        };
        let mut before = (at.saturating_sub(16)..at).rev().take_while(|at| !ends_sentence(*at));
        let mut after = self
            .after(at, 4)
            .skip_while(|at| self.is(*at, "the a an its your their this user app s or expired"));
        before.any(|at| self.is(at, CREDENTIALS)) || after.next().is_some_and(|at| self.is(at, CREDENTIALS))
    }

    /// A step between client and provider that failed: refresh (4007), registration or the flow (4006).
    fn failed_step(&self, at: usize, signs: &mut Signs) -> bool {
        match self.word(at) {
            "refresh" | "refreshing" => {
                let subject = "token tokens credential credentials oauth authorization access auth";
                let about = self.any_before(at, 5, subject) || self.any_after(at, 4, subject);
                let event = self.word(at + 1) == "failed" && self.is_part(at + 1);
                let failed = self.any_before(at, 4, FAILURES)
                    || self.any_after(at, 6, FAILURES)
                    || self
                        .before(at, 3)
                        .any(|at| self.word(at) == "not" && self.is(at.wrapping_sub(1), "could can did"));
                let lost = event || (about && failed);
                signs.lost |= lost;
                lost
            }
            "registration" if self.is(at + 1, "failed failure error rejected") => {
                let about = self.any_before(at, 3, "client dynamic oauth")
                    // The MCP SDK says "Registration failed: 400 ..."
                    || (self.mark(at + 2) == Some(':') && self.status(at + 3).is_some());
                signs.never |= about;
                about
            }
            "flow"
                if self.any_before(
                    at,
                    3,
                    "authorization authorisation oauth auth authentication consent login",
                ) =>
            {
                let not = self.after(at, 4).any(|at| {
                    self.is(at, NEGATIONS) && self.any_after(at, 2, "complete completed finished done")
                });
                let not =
                    not || (self.any_before(at, 6, "complete completed finished") && self.is_negated(at, 6));
                let broken = "incomplete pending unfinished aborted cancelled canceled interrupted timed \
            failed error abandoned";
                signs.never |= not || self.any_after(at, 4, broken);
                false
            }
            _ => false,
        }
    }

    fn status(&self, at: usize) -> Option<u16> {
        let token = self.get(at).filter(|token| token.kind == Kind::Number && token.text.len() == 3)?;
        token.text.parse().ok().filter(|status| (100..=599).contains(status))
    }

    fn number(&self, at: usize, signs: &mut Signs) {
        let sign = match self.status(at) {
            Some(401) => &mut signs.unauthorized,
            Some(403) => &mut signs.forbidden,
            Some(500..) => &mut signs.fault,
            _ => return,
        };
        *sign |= self.is_status(at);
    }

    /// Whether a number of three digits stands where a status does.
    fn is_status(&self, at: usize) -> bool {
        // `401ms` is no number to begin with; `401%`, `401.5`, `401,000`, `401-402`, `401_rows` end here.
        if let Some(next) = self.get(at + 1).filter(|next| next.touching) {
            let glued = self.is_touching(at + 2);
            let digits = self.get(at + 2).is_some_and(|after| after.kind == Kind::Number);
            match next.kind {
                Kind::Mark('%' | '$' | '#' | '@' | '€' | '£' | '¥' | '°' | '\\') => return false,
                Kind::Mark('.' | ',' | '-' | ':' | '/' | '+') if glued && digits => return false,
                Kind::Mark('/' | '.' | '=') if glued => return false,
                Kind::Word | Kind::Number => return false,
                _ => {}
            }
        }
        self.has_status_noun(at) || self.has_status_owner(at)
    }

    /// What may come after a number that is a status only by a word such as "got".
    fn may_follow(&self, at: usize) -> bool {
        let Some(next) = self.get(at) else { return true };
        match next.kind {
            Kind::Word => self.is(at, FOLLOWING),
            Kind::Number => false,
            Kind::Address => true,
            // What is counted may be any noun; what a status is called is not.
            Kind::Ideograph(character) => is_among(character, "错响状未禁权拒无需请令"),
            Kind::Mark(mark) => !is_among(mark, "%$#"),
        }
    }

    /// `a 401 error`, `401 Client Error`, `503 response`.
    fn has_status_noun(&self, at: usize) -> bool {
        let noun = if self.is(at + 1, "client server") { at + 2 } else { at + 1 };
        let chinese = [['错', '误'], ['响', '应'], ['状', '态']].iter().any(|pair| {
            pair.iter().enumerate().all(|(offset, c)| self.ideograph(at + 1 + offset) == Some(*c))
        });
        if !(self.is(noun, "error response status") && self.may_follow(noun + 1) || chinese) {
            return false;
        }
        match self.prev(at) {
            None => true,
            Some(before) => match before.kind {
                Kind::Word => self.is(
                    at.wrapping_sub(1),
                    "a an the with this because another and by to on upstream is was as http or",
                ),
                Kind::Ideograph(character) => !is_among(character, "第共有约近达"),
                Kind::Mark(mark) => is_among(mark, "\"'([,-:;") && !(mark == ':' && self.is_touching(at)),
                Kind::Number | Kind::Address => false,
            },
        }
    }

    fn ideograph(&self, at: usize) -> Option<char> {
        match self.get(at)?.kind {
            Kind::Ideograph(character) => Some(character),
            _ => None,
        }
    }

    /// Looks for the word that makes the number a status, over marks and small words.
    fn has_status_owner(&self, at: usize) -> bool {
        let (mut marks, mut fillers) = (0, 0);
        let mut owner = at;
        loop {
            let Some(before) = owner.checked_sub(1) else { return self.begins_text(at, marks) };
            owner = before;
            let Some(token) = self.get(owner) else { return false };
            match token.kind {
                Kind::Mark(mark) => {
                    marks += 1;
                    // A port, an id, a price, a path, a list.
                    if !is_among(mark, ":='\"`([{>-→") || marks > 4 {
                        return false;
                    }
                    let touches_next = self.is_touching(owner + 1);
                    match mark {
                        '→' => return self.may_follow(at + 1),
                        // `-> 401`, `=> 401`; otherwise the end of `<status>`, and no comparison.
                        '>' if matches!(self.mark(owner.wrapping_sub(1)), Some('-' | '=')) => {
                            return self.may_follow(at + 1);
                        }
                        // `if status == 401` asks, it does not say.
                        '=' if touches_next && self.mark(owner + 1) == Some('=') => return false,
                        '>' if !(token.touching && touches_next && owner + 1 == at) => return false,
                        // A negative number, unless as in `HTTP-401`.
                        '-' if touches_next && !token.touching => return false,
                        _ => {}
                    }
                }
                Kind::Number => return self.is_http_version(owner) && marks <= 2,
                Kind::Address => {
                    return marks <= 2
                        && self.may_follow(at + 1)
                        && self.get(owner + 1).is_some_and(|t| !t.touching || marks > 0)
                        && !self.is_port(owner, at);
                }
                Kind::Ideograph(_) => return self.chinese_owner(owner, at),
                Kind::Word => {
                    if fillers < 3 && self.is(owner, "a an the is was of an by its") && !token.part {
                        fillers += 1;
                        continue;
                    }
                    return self.owns_status(owner, at);
                }
            }
        }
    }

    /// `https://host:401`: the address ends before the colon only where a mark cut it.
    fn is_port(&self, address: usize, at: usize) -> bool {
        self.mark(address + 1) == Some(':') && self.is_touching(address + 1) && self.is_touching(at)
    }

    fn owns_status(&self, owner: usize, at: usize) -> bool {
        let before = owner.wrapping_sub(1);
        // `not a status code 401`, `never due to 401`; but `not found: HTTP 401` is another clause, and in
        // `non-200 status code (401)` another number is meant.
        let denied = "expected expecting expects except not non unlike never no without";
        let small = "a an the http https response error status code due because of";
        let said_of =
            (owner.saturating_sub(8)..owner).rev().take_while(|at| !self.ends_clause(*at)).find(|at| {
                match self.get(*at).map(|token| token.kind) {
                    Some(Kind::Word) => !self.is(*at, small),
                    Some(Kind::Number) => true,
                    _ => false,
                }
            });
        if said_of.is_some_and(|at| self.is(at, denied)) {
            return false;
        }
        // `KeyError: 403` has a key, `AssertionError: 401 != 200` an expectation.
        let of_program = "key index value type syntax assertion name attribute range lookup overflow import \
            parse bounds element format argument state cast";
        if self.is_part(owner) && self.is(before, of_program) {
            return false;
        }
        let is_named = self.is(owner, "status code");
        let of_process = self.any_before(owner, 3, PROCESS_ENDS)
            || (self.word(before) == "returned" && self.is(before.wrapping_sub(1), "process subprocess"));
        if is_named && (of_process || self.is(at + 1, COUNTED)) {
            return false;
        }
        match self.word(owner) {
            "http" | "https" | "statuscode" | "httpstatus" | "httpcode" => true,
            // npm: `code E401`
            "e" => self.word(before) == "code",
            "status" => !self.is(before, "exit order job process termination return"),
            "code" => match self.get(before) {
                Some(token) if token.kind == Kind::Word => self.is(
                    before,
                    "status error err response http https with got returned the a and result server \
            api reply return unexpected",
                ),
                _ => true,
            },
            "with" => {
                !self.any_before(before, 1, "not never without")
                    && self.may_follow(at + 1)
                    && self.is(
                        before,
                        "failed fails responded replied response answered rejected refused returned \
            aborted closed error responds answers",
                    )
            }
            // "Tests failed: 401", "failed: 401, passed: 3": a count.
            "failed" => {
                let several =
                    self.word(before).ends_with('s') && !self.is(before, "access process status this");
                let summary =
                    (at + 1..at + 4).any(|at| self.is(at, "passed succeeded skipped ok successful total"));
                !several && !summary && self.may_follow(at + 1)
            }
            "to" => self.word(before) == "due" && self.may_follow(at + 1),
            _ => self.is(owner, TELLING) && self.may_follow(at + 1),
        }
    }

    /// The number of `HTTP/2` or the last of `HTTP/1.1`.
    fn is_http_version(&self, at: usize) -> bool {
        let slash = match self.mark(at.wrapping_sub(1)) {
            Some('/') => at.wrapping_sub(1),
            Some('.') => at.wrapping_sub(3),
            _ => return false,
        };
        self.mark(slash) == Some('/') && self.word(slash.wrapping_sub(1)) == "http"
    }

    /// `401: ...`, `(403) ...`, `401, message='Unauthorized'`, or nothing but the number.
    fn begins_text(&self, at: usize, marks: usize) -> bool {
        let Some(next) = self.get(at + 1) else { return true };
        match next.kind {
            Kind::Word => self.word(at + 1) == "from",
            // `401 {"type": "error"}`
            Kind::Mark(':' | '{') => true,
            Kind::Mark(')' | ']' | '\'' | '"') => marks > 0,
            Kind::Mark('-') => !next.touching,
            Kind::Mark(',') => self.word(at + 2) == "message",
            _ => false,
        }
    }

    /// `状态码`, `状态码为`, `返回了`, `错误：` and their kin, ending at this character.
    fn chinese_owner(&self, end: usize, number: usize) -> bool {
        let mut run: Vec<char> = Vec::new();
        let mut at = end;
        while let Some(character) = self.ideograph(at) {
            run.push(character);
            let Some(before) = at.checked_sub(1).filter(|_| run.len() < 8) else { break };
            at = before;
        }
        run.reverse();
        let run: String = run.into_iter().collect();
        let run = run.trim_end_matches(['为', '是', '了']);
        let ends = |owners: &str| owners.split(' ').any(|owner| run.ends_with(owner));
        // `未返回 401`, but not `未知错误 401`: only what is done can be left undone.
        let undone = ["返回", "收到", "响应", "报错"].iter().any(|verb| {
            run.strip_suffix(verb).is_some_and(|before| {
                ["未", "没", "没有", "不", "不会", "不再", "未曾"].iter().any(|no| before.ends_with(no))
            })
        });
        ends("状态码 状态 响应码 返回码 错误码 错误代码 状态代码")
            || (ends("返回 收到 报错 错误 响应 失败 拒绝") && !undone && self.may_follow(number + 1))
    }
}

/// The Chinese phrases, which stand without spaces.
fn chinese(text: &str, signs: &mut Signs) {
    if !text.contains(is_ideograph) {
        return;
    }
    let mut compact = String::with_capacity(text.len());
    for piece in text.split_whitespace() {
        compact.push_str(piece);
    }
    compact.make_ascii_lowercase();
    // The trade's English words stand among the Chinese ones, and Taiwan has words of its own.
    for (word, is) in [
        ("oauth2.0", ""),
        ("oauth", ""),
        ("token", "令牌"),
        ("权杖", "令牌"),
        ("refresh_", "刷新"),
        ("refresh", "刷新"),
        ("access_", "访问"),
        ("revoked", "撤销"),
        ("revoke", "撤销"),
        ("访问令牌", "令牌"),
        ("登入", "登录"),
        ("登陆", "登录"),
        ("凭据", "凭证"),
    ] {
        if find(&compact, word).is_some() {
            compact = replace(&compact, word, is);
        }
    }
    const OFFLINE: &str = "超时 无法连接 连接失败 网络错误 网络异常 econn";
    const LOST: &str = "权限不足 权限不够 权限范围不足 授权范围不足 刷新令牌失败 令牌刷新失败 刷新令牌无效 \
        刷新令牌已过期 刷新失败:令牌 授权已过期 授权已到期 scope不足";
    const NEVER: &str = "客户端注册失败 授权流程未完成 授权未完成";
    const FORBIDDEN: &str = "禁止访问 无权访问 无权存取 没有访问权限 没有权限 没有操作权限 没有足够的权限 没有足够权限 没有相应权限 \
        无权限 无访问权限 无操作权限 缺少所需的权限 缺少所需权限";
    const OTHER: &str = "未授权 未经授权 需要授权 未认证 需要认证 未登录 需要登录 认证失败 身份验证失败 \
        授权失败 令牌已过期 令牌过期 令牌已到期 凭证已过期 凭证过期 登录已过期 登录过期 登录已失效 缺少凭证 凭证缺失 缺少令牌 未提供凭证 未提供令牌 需要身份验证 令牌无效 凭证无效 \
        认证已过期 认证信息无效 未携带令牌 未配置凭证 未配置令牌 鉴权不通过 认证不通过 \
        登录状态已失效 登录态已失效 登录状态已过期 登录态已过期 鉴权失败 鉴权未通过 未通过身份验证 身份验证未通过 未通过认证 \
        无效的令牌 无效令牌 无效的凭证 无效凭证 无效的api密钥 无效的apikey api密钥无效 apikey无效";
    let any = |phrases: &str| phrases.split(' ').any(|phrase| says(&compact, phrase));
    signs.lost |= any(LOST) || is_taken_back(&compact);
    signs.never |= any(NEVER) || was_never_done(&compact);
    signs.forbidden |= any(FORBIDDEN);
    signs.fault |= any("刷新令牌失败 令牌刷新失败") && any(OFFLINE);
    signs.other |= any(OTHER) || is_demanded(&compact);
}

/// What a user does to authorize.
const STEPS: [&str; 5] = ["授权", "登录", "认证", "鉴权", "身份验证"];

/// `text` without the words of `fillers` at its end, of which there are only a few.
fn without<'t>(mut text: &'t str, fillers: &str) -> &'t str {
    for _ in 0..6 {
        let Some(shorter) = fillers.split(' ').find_map(|filler| text.strip_suffix(filler)) else { break };
        text = shorter;
    }
    text
}

fn ends_with_any(text: &str, words: &str) -> bool {
    words.split(' ').any(|word| text.ends_with(word))
}

fn starts_with_any(text: &str, words: &str) -> bool {
    words.split(' ').any(|word| text.starts_with(word))
}

/// `令牌已被撤销`, `授权失效`, `用户已主动撤销授权`; neither `授权未被撤销` nor `点击撤销授权`.
fn is_taken_back(text: &str) -> bool {
    const WHAT: [&str; 4] = ["授权", "令牌", "凭证", "访问权限"];
    ["撤销", "吊销", "撤回", "收回", "失效", "作废"].iter().any(|verb| {
        places(text, verb).any(|at| {
            let before = text.get(..at).unwrap_or_default();
            let after = text.get(at + verb.len()..).unwrap_or_default();
            let subject = without(before, "已经 已 被 均 都 用户 管理员 主动 由 经");
            if WHAT.iter().any(|what| subject.ends_with(what))
                && !starts_with_any(after, "失败 时间 时长 日期 策略 机制 前")
            {
                return true;
            }
            let done = after.starts_with('了') || ends_with_any(without(before, "主动 手动"), "已 已经 被");
            let object = after.trim_start_matches(['了', '其', '该', '此', '的', '对']);
            done && !matches!(*verb, "失效" | "作废") && WHAT.iter().any(|what| object.starts_with(what))
        })
    })
}

/// `从未为该服务配置授权`, `尚未完成登录`; not `尚未撤销授权`.
fn was_never_done(text: &str) -> bool {
    STEPS.iter().any(|step| {
        places(text, step).any(|at| {
            let before = text.get(..at).unwrap_or_default();
            let after = text.get(at + step.len()..).unwrap_or_default();
            if starts_with_any(after, "失败 出错 过期") {
                return false;
            }
            let near = before.char_indices().rev().take(24).last().map_or(0, |(start, _)| start);
            let near = before.get(near..).unwrap_or_default();
            let clause = near.rsplit(['，', '。', '；', ',', ';', '！', '!', '、', ':', '：']).next();
            let clause = clause.unwrap_or_default();
            ["从未", "尚未", "还未", "还没", "未完成"].iter().any(|no| {
                places(clause, no).last().is_some_and(|at| {
                    let between = clause.get(at + no.len()..).unwrap_or_default();
                    !["撤", "吊销", "收回", "失", "过期", "取消", "支持", "实现", "上线", "开放"]
                        .iter()
                        .any(|verb| find(between, verb).is_some())
                })
            })
        })
    })
}

/// `请登录`, `请先完成授权`, `需要重新登录`, `登录后重试`; neither `无需登录`, `请求登录`, nor `请登录控制台查看`.
fn is_demanded(text: &str) -> bool {
    STEPS.iter().any(|step| {
        places(text, step).any(|at| {
            let before = text.get(..at).unwrap_or_default();
            let after = text.get(at + step.len()..).unwrap_or_default();
            let negated =
                |before: &str| before.chars().rev().take(2).any(|c| is_among(c, "不非无没勿毋免按"));
            if starts_with_any(after, "后重试 后再试 后再重试 后继续 后使用 后方可") && !negated(before)
            {
                return true;
            }
            // `请先完成 GitHub 授权`: a name among the Chinese words.
            let before = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric());
            let demand = without(without_place(before), "先 重新 再次 再 首次 前往 去 完成 进行 用户 您 你");
            let Some(before) =
                ["请", "需要", "需", "必须", "须"].iter().find_map(|it| demand.strip_suffix(it))
            else {
                return false;
            };
            // What is logged into to look at something is no condition of the call.
            let ends = after.chars().next().is_none_or(|c| !is_ideograph(c))
                || (starts_with_any(after, "后 以 并 再 才 方可 账 帐 该 此 您 你")
                    && !starts_with_any(after, "后台 后端"));
            ends && !negated(before) && !ends_with_any(before, "申 邀 敬")
        })
    })
}

/// Without where it is to be done: `请先在浏览器中完成`, `请打开浏览器`, `请前往设置页`.
fn without_place(text: &str) -> &str {
    let done = without(text, "完成 进行 重新 再次");
    let clause = done.char_indices().rev().take(12).take_while(|(_, c)| is_ideograph(*c)).last();
    let near = clause.and_then(|(start, _)| done.get(start..)).unwrap_or_default();
    // The place is not a thing that is done to something else.
    let is_place = ends_with_any(near, "中 里 上 内 页 页面 控制台 浏览器 客户端 网页 链接");
    ["在", "打开", "前往", "到", "点击"]
        .iter()
        .find_map(|verb| places(near, verb).last())
        .filter(|_| is_place)
        .and_then(|at| done.get(..done.len() - near.len() + at))
        .unwrap_or(text)
}

/// Whether the text holds the phrase without a negation right before it.
fn says(text: &str, phrase: &str) -> bool {
    places(text, phrase).any(|at| {
        let before = text.get(..at).unwrap_or_default();
        !before.chars().rev().take(2).any(|c| is_among(c, "不非无没勿毋"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expected: Decision, texts: &[&str]) {
        let wrong: Vec<_> = texts
            .iter()
            .map(|text| (decide_from_text(text), *text))
            .filter(|(decision, _)| *decision != expected)
            .collect();
        assert!(wrong.is_empty(), "not {expected:?}: {wrong:#?}");
    }

    #[test]
    fn required() {
        check(
            Decision::Required,
            &[
                "401 Unauthorized",
                "401: Unauthorized",
                "401 (Unauthorized)",
                "Unauthorized (401)",
                "Unauthorized",
                "UNAUTHORIZED",
                "unauthorised",
                "HTTP 401",
                "HTTP/2 401",
                "HTTP/1.1 401",
                "HTTP401",
                "http_401",
                "HTTP-401",
                "HTTP Error 401: Unauthorized",
                "HTTP Error 401.2 - Unauthorized",
                "status code 401",
                "status code: 401",
                "status code was 401",
                "status code of 401",
                "statusCode=401",
                "status_code=401",
                "Status: 401",
                "{\"status\": 401}",
                "{\"status\":401,\"title\":\"x\"}",
                "{'code': 401, 'detail': 'x'}",
                "code 401",
                "(code=401)",
                "Error code: 401 - {'error': {'message': 'x'}}",
                "error 401",
                "Error: 401",
                "got 401 from upstream",
                "got a 401",
                "received 401",
                "server returned 401",
                "returned a 401 error",
                "a 401 response was received",
                "responded with 401",
                "Request failed with status code 401",
                "failed with 401",
                "request failed (401)",
                "Request failed: 401",
                "GET https://api.example.com/v4/403/items 401",
                "\"GET /v1/items HTTP/1.1\" 401 -",
                "POST /token -> 401",
                "POST /token → 401",
                "Client error '401 Unauthorized' for url 'https://h:40123/v4/403'",
                "401, message='Unauthorized', url='https://h/x'",
                "401, message='x', url='https://h/x'",
                "401 Client Error: Unauthorized for url: https://h/x",
                "401 Client Error: for url: https://h/x",
                "HTTP status client error (401 Unauthorized) for url (https://h/x)",
                "The remote server returned an error: (401) Unauthorized.",
                "The remote server returned an error: (401).",
                "[401] no token",
                "Bad credentials",
                "no token provided",
                "Access token is missing or invalid",
                "The OAuth token is invalid",
                "you need to authorize first",
                "You must be logged in",
                "reauthorization required",
                "401",
                "werkzeug.exceptions.Unauthorized: 401 Unauthorized: x",
                "UnauthorizedError: no session",
                "rpc error: code = Unauthenticated desc = x",
                "StatusCode.UNAUTHENTICATED",
                "Auth required",
                "Authentication required",
                "authentication is required",
                "Authorization required.",
                "login_required",
                "interaction_required",
                "This server requires authentication",
                "requires OAuth authorization",
                "Not authorized",
                "You aren't authorized to do that",
                "not logged in",
                "Please log in",
                "please re-authenticate",
                "error=access_denied",
                "{\"error\":\"invalid_client\"}",
                "unauthorized_client",
                "invalid_token",
                "The access token expired",
                "Token has expired. Please sign in again.",
                "Invalid access token",
                "missing bearer token",
                "No valid credentials found",
                "credentials were not provided",
                "Registration failed: 400 {\"error\":\"x\"}",
                "Registration failed: 403",
                "OAuth dynamic client registration failed",
                "Call tool error: OAuth authorization problem",
                "Authentication problem",
                "authorization_pending",
                "OAuth flow was not completed",
                "the authorization flow timed out",
                "never authorized",
                "未授权",
                "错误：未授权",
                "需要授权",
                "請先登錄",
                "状态码 401",
                "状态码：401",
                "狀態碼為401",
                "状态码为401，请重试",
                "返回401错误",
                "上游返回了 401",
                "ＨＴＴＰ　４０１",
                "令牌已过期",
                "令牌 已过期",
                "从未授权",
                "尚未完成授权",
                "访问令牌无效",
                "凭证无效",
                "该工具需要 OAuth 授权",
                "请登录后重试",
                "unauthorized: please log in",
                "{\"error\": \"unauthorized\"}",
                "{\"error\":{\"code\":401,\"message\":\"m\"}}",
                "got 401, expected 200",
                "expected 200 but got 401",
                "<status>401</status>",
                "Unexpected status code 401",
                "a 401 from upstream",
                "because of 401",
                "Error POSTing to endpoint (HTTP 401): x",
                "SSE error: Non-200 status code (401)",
                "the server responded with a status of 401 ()",
                "Server returned HTTP response code: 401 for URL: https://h/x",
                "java.io.IOException: 401",
                "\"unauthorized\": true",
                "curl: (22) The requested URL returned error: 401",
            ],
        );
    }

    #[test]
    fn failed() {
        check(
            Decision::Failed,
            &[
                "403 Forbidden",
                "Forbidden",
                "403: Forbidden",
                "HTTP 403",
                "Forbidden: no access",
                "HTTP/1.1 403",
                "response status 403",
                "status=403",
                "Request failed with status code 403",
                "Client error (403 Forbidden) for url",
                "google.api_core.exceptions.Forbidden: 403 GET https://h/x: no",
                "HttpStatus.FORBIDDEN",
                "HTTP_403_FORBIDDEN",
                "ForbiddenException",
                "access forbidden",
                "pods is forbidden: User \"x\" cannot list",
                "Forbidden by policy",
                "\"reason\": \"forbidden\"",
                "code = PermissionDenied desc = x",
                "PERMISSION_DENIED: no",
                "invalid_grant",
                "Invalid grant",
                "oauth2: cannot fetch token: 400 Bad Request\nResponse: {\"error\":\"invalid_grant\"}",
                "Token exchange failed (400): {\"error\":\"invalid_grant\"}",
                "insufficient_scope",
                "insufficient scope for this request",
                "insufficient OAuth scopes",
                "Request had insufficient authentication scopes.",
                "InsufficientScopeError",
                "insufficient permissions",
                "missing_scope",
                "missing required scope: repo",
                "token has been revoked",
                "access token ... revoked",
                "the scopes are insufficient",
                "the token lacks the scope repo",
                "your token does not have the required scopes",
                "authorization has expired",
                "授权已过期",
                "用户已撤销授权",
                "权限/scope 不足",
                "刷新 Token 无效",
                "The token was revoked by the user",
                "Token has been expired or revoked.",
                "revoked token",
                "revoked or expired token",
                "token_revoked",
                "The user revoked the app's access",
                "authorization was revoked",
                "401 Unauthorized: token revoked",
                "Token refresh failed: 400",
                "Failed to refresh token",
                "Failed to refresh access token",
                "could not refresh the access token",
                "Unable to refresh OAuth credentials",
                "Refresh token expired",
                "refresh token is invalid",
                "refresh_failed",
                "invalid refresh token",
                "403 insufficient_scope",
                "状态码 403",
                "错误码：403",
                "权限不足",
                "權限不足",
                "令牌已失效",
                "Token 已失效",
                "令牌已被撤销",
                "授权已被撤销",
                "刷新令牌失败",
                "没有权限访问该资源",
                "禁止访问",
                "HTTP 401: 令牌已被撤销",
                "401 and 403 were seen: HTTP 401, HTTP 403",
            ],
        );
    }

    #[test]
    fn execution_failed() {
        check(
            Decision::ExecutionFailed,
            &[
                "503 Service Unavailable for url (https://idp.example.com/oauth/token)",
                "Server error '502 Bad Gateway' for url 'https://h/x'",
                "500 Server Error: Internal Server Error for url: https://h/x",
                "HTTP 500",
                "HTTP 500: invalid_grant",
                "status code: 503, token revoked",
                "Token refresh failed: 503",
                "Token refresh failed: connection refused",
                "Failed to refresh token: request timed out",
                "Registration failed: 502",
                "504 Gateway Time-out",
                "Service Unavailable",
                "Internal Server Error",
                "{\"error\":\"temporarily_unavailable\"}",
                "{\"error\": \"server_error\"}",
                "状态码 502",
                "HTTP 599",
            ],
        );
    }

    #[test]
    fn not_authorization() {
        check(
            Decision::NotAuthorization,
            &[
                "",
                " ",
                "timeout",
                "404 Not Found",
                "HTTP 404",
                "HTTP 429",
                "status code 400",
                "HTTP 407",
                "407 Proxy Authentication Required",
                "Proxy authentication required",
                "error at line 401",
                "line 401: syntax error",
                "  File \"x.py\", line 403, in f\nValueError: x",
                "x.py:401: warning",
                "at f (x.js:403:12)",
                "GET /v4/403/items timed out",
                "GET /v4/401 timed out",
                "v4/403/items missing",
                "https://h/403/forbidden timed out",
                "https://h/x?status=403&code=401 timed out",
                "see api.example.com/forbidden/401",
                "cannot open ./forbidden.txt",
                "cannot open /srv/unauthorized/x",
                "localhost:401 refused the connection",
                "connect to 10.0.0.1:401",
                "connect to host:40123",
                "https://host:401",
                "order #401 shipped",
                "id=401",
                "user_id: 403",
                "room 403",
                "page 401 of 500",
                "401 rows",
                "returned 401 rows",
                "got 403 items from upstream",
                "got 401 errors",
                "received 500 messages",
                "401 items, 403 skipped",
                "error count: 401",
                "500 error messages found",
                "$401",
                "401%",
                "401 ms",
                "took 401ms",
                "response took 403 ms",
                "response 401 ms",
                "4.0.1",
                "1.401",
                "401.5",
                "401,000",
                "401-402",
                "version 4.0.3",
                "403rd",
                "40123",
                "14010",
                "exit code 401",
                "exited with status 401",
                "the container exited with status code 403",
                "terminated with code 403",
                "child process returned code 401",
                "status: 401 items",
                "code 401 lines changed",
                "insufficient data in scope",
                "auth required: false",
                "auth_required=false",
                "\"requires_auth\": false",
                "you don't need to log in",
                "exit status 403",
                "country_code=401",
                "area code 403",
                "zip code: 401",
                "httpx 0.401",
                "telescope offline",
                "insufficient telescopes",
                "unbearable latency",
                "reauthorize",
                "forbidden fruit",
                "forbidden characters in name",
                "forbidden_words list is empty",
                "the forbidden-city tool",
                "not forbidden",
                "no authentication required",
                "authentication is not required",
                "does not require authorization",
                "无需授权",
                "不需要授权",
                "token was not revoked",
                "the token has never been revoked",
                "certificate revoked",
                "dashboard refresh failed",
                "Failed to refresh the page",
                "Token refresh succeeded",
                "event registration failed",
                "Unexpected token } in JSON at position 401",
                "Invalid token at position 3",
                "page token expired",
                "connection refused",
                "error sending request for url (https://oauth.example.com/): connection refused",
                "author not found",
                "authorship",
                "bearer of news",
                "共 401 行",
                "返回 401 条",
                "第401行",
                "共401个错误",
                "代码401行",
                "limit 500",
                "HTTP 4010",
                "HTTP 40",
                "error code 4006",
                "pid 401 exited",
                "Permission denied (os error 13)",
                "Access is denied",
                "max_tokens 401",
                "返回401积分",
                "收到403封邮件",
                "获得401分",
                "Tests failed: 401",
                "failed: 401, passed: 3",
                "code: -401",
                "error -403",
                "retry while status >= 500",
                "status > 401",
                "expected status 401, got 200",
                "unauthorized_user_count: 3",
                "is_unauthorized=false",
                "\"forbidden\": false",
                "{\"forbidden\": [\".env\"]}",
                "unauthorized: 0",
                "Login failed for user 'sa'",
                "password authentication failed for user \"x\"",
                "error 403 of 500 processed",
                "error: 401 files not found",
            ],
        );
    }

    #[test]
    fn long_and_hostile_texts() {
        let filler = "lorem 版 ".repeat(100_000);
        assert_eq!(decide_from_text(&format!("HTTP 401 {filler}")), Decision::Required);
        assert_eq!(decide_from_text(&format!("{filler} HTTP 403")), Decision::Failed);
        for unit in [
            "a?",
            "/",
            "_",
            "aB",
            "401 ",
            "token ",
            "revoked ",
            "=(\"",
            "refresh ",
            "a://",
            "未",
            "..",
            "not ",
            "授权",
            "请先",
            "撤销了",
            "从未",
            "status code 401 ",
            "log in ",
            "\\",
            "\\u",
            "\\u6388",
        ] {
            // Quadratic work would take minutes here.
            let _ = decide_from_text(&unit.repeat(100_000 / unit.len()));
        }
    }
}
