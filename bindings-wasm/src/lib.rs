//! The WebAssembly inside the npm package `ackguard`.
//!
//! Nothing here decides anything: values come in by `host`, the core judges, and answers leave as `out`
//! writes them. What JavaScript's users see, the classes and the names, is in `js/`.
//!
//! Every function that answers with text begins it with one character: `=` a value, `!` a refusal, which
//! becomes an exception, `?` the host's own code has thrown while it was read.
#![cfg(target_family = "wasm")]
#![no_std]
#![allow(missing_docs)] // what is exported has no other reader than js/api.js, which documents it
#![allow(unsafe_code)] // wasm-bindgen's own expansion, and the memory

#[macro_use]
extern crate alloc;

pub mod acp;
mod any;
mod heap;
mod host;
mod out;
pub mod scratch;
mod views;

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use ackguard::authorization::{self, Failure};
use ackguard::code::{self, ErrorCode};
use ackguard::handshake::{self, ProtocolVersion};
use ackguard::host::copy;
use ackguard::payload::{self, Classified, ErrorPayload, Kind};
use ackguard::rel_path::{self, Forbidden};
use ackguard::retry::Schedule;
use ackguard::scrub::{self, HintPolicy};
use ackguard::skill_name::{self, SkillName, SkillNameError, SkillSource};
use ackguard::tally::Tally;
use ackguard::{Dialect, Locale, blob};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::any::AnyNode;
use crate::heap::Kept;
use crate::host::Thrown;
use crate::out::{Out, ToOut};
use crate::scratch::with_scratch;

/// What a function that answers with text answers.
pub(crate) enum Answer {
    Value(Out),
    Refusal(Out),
    Thrown,
}

impl From<Answer> for String {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Value(value) => value.answer('='),
            Answer::Refusal(refusal) => refusal.answer('!'),
            Answer::Thrown => "?".to_owned(),
        }
    }
}

impl From<Result<Out, Thrown>> for Answer {
    fn from(result: Result<Out, Thrown>) -> Self {
        result.map_or(Self::Thrown, Self::Value)
    }
}

pub(crate) fn value(value: impl Into<Out>) -> String {
    Answer::Value(value.into()).into()
}

pub(crate) fn refusal(refusal: Out) -> String {
    Answer::Refusal(refusal).into()
}

fn dialect(index: u32) -> Dialect {
    if index & 1 == 0 { Dialect::V0_2 } else { Dialect::V0_3 }
}

/// A mistake of the calling program.
pub(crate) fn misuse(message: impl ToString) -> String {
    refusal(Out::object("class|message", [Some("TypeError".into()), Some(message.to_string().into())]))
}

#[wasm_bindgen]
pub fn version() -> String {
    ackguard::VERSION.to_owned()
}

#[wasm_bindgen]
pub fn protocol_version() -> String {
    ackguard::PROTOCOL_VERSION.to_owned()
}

/// The kinds, one a line, in the order in which [`classify`] numbers them.
#[wasm_bindgen]
pub fn kinds() -> String {
    Kind::ALL.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join("\n")
}

/// 0 or 1 for a dialect, 2 for a text that names none.
#[wasm_bindgen]
pub fn dialect_index(name: &str) -> u32 {
    match name.parse() {
        Ok(Dialect::V0_2) => 0,
        Ok(Dialect::V0_3) => 1,
        Err(_) => 2,
    }
}

#[wasm_bindgen]
pub fn unknown_dialect() -> String {
    "".parse::<Dialect>().map_or_else(|error| error.to_string(), |_| String::new())
}

fn number(kind: Kind) -> u32 {
    Kind::ALL.iter().zip(0..).find(|(of, _)| **of == kind).map_or(u32::MAX, |(_, number)| number)
}

/// What `mode` says besides the dialect: the value is an ack callback's argument list.
const ARGUMENTS: u32 = 2;

fn classified(packed: u32, mode: u32) -> Result<Classified<AnyNode<'static>>, Thrown> {
    let Some(node) = AnyNode::unpack(packed)? else { return payload::classify_ack_args(&[], dialect(mode)) };
    if mode & ARGUMENTS == 0 {
        payload::classify_node(node, dialect(mode))
    } else {
        // One more than a pair has: what is beyond changes nothing.
        payload::classify_ack_args(&node.first(3)?, dialect(mode))
    }
}

/// The kind of a value as a number; `u32::MAX` if its own code threw.
#[wasm_bindgen]
pub fn classify(packed: u32, mode: u32) -> u32 {
    classified(packed, mode).map_or(u32::MAX, |classified| number(classified.kind()))
}

#[wasm_bindgen]
pub fn view(packed: u32, mode: u32) -> String {
    Answer::from(classified(packed, mode).and_then(|it| views::view(&it))).into()
}

#[wasm_bindgen]
pub fn violations(packed: u32, mode: u32) -> String {
    Answer::from(classified(packed, mode).and_then(|it| views::violations(&it))).into()
}

/// The kind of the JSON text of this length in the scratch space.
#[wasm_bindgen]
pub fn classify_text(len: usize, mode: u32) -> u32 {
    with_scratch(len, |text| number(payload::classify_json(text, dialect(mode)).kind()))
}

fn classified_text(text: &[u8], mode: u32) -> Result<Classified<AnyNode<'_>>, Thrown> {
    let (verdict, node) = payload::classify_json(text, dialect(mode)).into_parts();
    verdict.about(node.map(AnyNode::Text))
}

#[wasm_bindgen]
pub fn view_text(len: usize, mode: u32) -> String {
    with_scratch(len, |text| Answer::from(classified_text(text, mode).and_then(|it| views::view(&it))).into())
}

#[wasm_bindgen]
pub fn violations_text(len: usize, mode: u32) -> String {
    with_scratch(len, |text| {
        Answer::from(classified_text(text, mode).and_then(|it| views::violations(&it))).into()
    })
}

#[wasm_bindgen]
pub fn codes() -> String {
    let Ok(json) = ackguard::value::to_string(code::ALL) else { return value(Out::null()) };
    value(views::text(&json))
}

/// What is asked about an error payload.
fn about(packed: u32, parts: bool, mode: u32, answer: impl FnOnce(&ErrorPayload) -> Out) -> String {
    let read = match AnyNode::unpack(packed) {
        Ok(Some(node)) => views::read_error(node, parts, dialect(mode)),
        Ok(None) => Ok(None),
        Err(thrown) => Err(thrown),
    };
    match read {
        Ok(Some(error)) => value(answer(&error)),
        Ok(None) => misuse("not a protocol error: a code that is an integer is needed"),
        Err(Thrown) => Answer::Thrown.into(),
    }
}

#[wasm_bindgen]
pub fn error_view(packed: u32, parts: bool, mode: u32) -> String {
    about(packed, parts, mode, |error| views::error(error, views::Added::of(error), dialect(mode)))
}

/// The view of an error that is built from its parts.
#[wasm_bindgen]
pub fn error_built(packed: u32, mode: u32) -> String {
    about(packed, true, mode, |error| {
        let error = error.clone().without_nulls();
        views::error(&error, views::Added::of(&error), dialect(mode))
    })
}

#[wasm_bindgen]
pub fn error_summary(packed: u32, parts: bool, mode: u32) -> String {
    about(packed, parts, mode, |error| error.to_string().into())
}

#[wasm_bindgen]
pub fn error_wire(packed: u32, parts: bool, mode: u32) -> String {
    about(packed, parts, mode, |error| views::wire(error, dialect(mode)))
}

#[wasm_bindgen]
pub fn error_json(packed: u32, parts: bool, mode: u32) -> String {
    about(packed, parts, mode, |error| error.to_json(dialect(mode)).into())
}

#[wasm_bindgen]
pub fn public_message(packed: u32, parts: bool, mode: u32, locale: &str) -> String {
    about(packed, parts, mode, |error| views::public_message(error, locale))
}

#[wasm_bindgen]
pub fn log_fields(packed: u32, parts: bool, mode: u32) -> String {
    about(packed, parts, mode, |error| (&error.log_fields()).into())
}

/// The message of a malformed error payload with these violations, its code and the answer to send.
#[wasm_bindgen]
pub fn malformed_error(violations: Vec<String>) -> String {
    let error = payload::MalformedErrorPayload::new(violations);
    value(views::refusal("MalformedErrorPayload", error.to_string(), &error.to_payload()))
}

/// Runs `read` on a value, if there is one.
pub(crate) fn with_node(packed: u32, read: impl FnOnce(AnyNode<'_>) -> Result<Out, Thrown>) -> String {
    let result = match AnyNode::unpack(packed) {
        Ok(Some(node)) => read(node),
        Ok(None) => Ok(Out::null()),
        Err(thrown) => Err(thrown),
    };
    Answer::from(result).into()
}

#[wasm_bindgen]
pub fn auth_error_result(mcp_server: &str, code: f64, hint: u32, locale: &str) -> String {
    let hint = match AnyNode::unpack(hint) {
        Ok(None) => None,
        Ok(Some(hint)) => match copy(&hint, &mut ackguard::host::ToJson, payload::MAX_DEPTH) {
            Ok((hint, _)) => Some(hint),
            Err(Thrown) => return Answer::Thrown.into(),
        },
        Err(Thrown) => return Answer::Thrown.into(),
    };
    #[allow(clippy::cast_possible_truncation)] // a number that is no code becomes another that is none
    let code = ErrorCode::new(code as i64);
    match payload::auth_error_result(mcp_server, code, hint.as_ref(), Locale::from_tag(locale)) {
        Ok(result) => value(&result.value),
        Err(error) => misuse(error),
    }
}

#[wasm_bindgen]
pub fn cancelled_result(reason: Option<String>, locale: &str) -> String {
    value(&payload::cancelled_result(reason.as_deref(), Locale::from_tag(locale)))
}

#[wasm_bindgen]
pub fn timeout_result(locale: &str) -> String {
    value(&payload::timeout_result(Locale::from_tag(locale)))
}

#[wasm_bindgen]
pub fn guard_tool_result(packed: u32) -> String {
    with_node(packed, |node| payload::guard_tool_result(&node, &mut ToOut).map(views::scrubbed))
}

#[wasm_bindgen]
pub fn default_hint(code: f64, locale: &str) -> String {
    #[allow(clippy::cast_possible_truncation)] // as above
    let hint = authorization::default_hint(ErrorCode::new(code as i64), Locale::from_tag(locale));
    value(
        hint.map(|hint| Out::object("action|message", [Some(hint.action.into()), Some(hint.message.into())])),
    )
}

#[wasm_bindgen]
pub fn scrub_auth_hint(packed: u32, strict: bool) -> String {
    let policy = if strict { HintPolicy::Strict } else { HintPolicy::Standard };
    with_node(packed, |node| scrub::auth_hint(&node, policy, &mut ToOut).map(views::scrubbed))
}

#[wasm_bindgen]
pub fn scrub_details(packed: u32) -> String {
    with_node(packed, |node| scrub::details(&node, &mut ToOut).map(views::scrubbed))
}

/// A legal name as a number: 1 user, 2 marketplace, 3 mcp, and from bit 2 on where its last segment begins;
/// 0 for what is none. A legal name is ASCII, so the place is the same in every unit.
#[wasm_bindgen]
pub fn lex_skill_name(len: usize, mode: u32) -> usize {
    with_scratch(len, |text| match SkillName::parse_bytes(text, dialect(mode)) {
        Ok(name) => {
            let source = match name.source() {
                SkillSource::User => 1,
                SkillSource::Marketplace => 2,
                SkillSource::Mcp => 3,
            };
            source | (text.len() - name.skill().len()) << 3 | usize::from(name.hint().is_some()) << 2
        }
        Err(_) => 0,
    })
}

/// The name of the one hint there is about a legal name.
#[wasm_bindgen]
pub fn skill_name_hint() -> String {
    skill_name::SkillNameHint::McpPlugin.as_str().to_owned()
}

#[wasm_bindgen]
pub fn skill_name_error(name: &str, mode: u32) -> String {
    match SkillName::parse(name, dialect(mode)) {
        Ok(_) => value(Out::null()),
        Err(error) => {
            let span = error.utf16_span(name);
            refusal(views::skill_name_error(&error, span))
        }
    }
}

/// A name from its parts; `owner` is the plugin or the server.
#[wasm_bindgen]
pub fn build_skill_name(source: u32, owner: &str, skill: &str, mode: u32) -> String {
    let (built, parts): (Result<String, SkillNameError>, _) = match source {
        1 => (skill_name::user(skill), skill.to_owned()),
        2 => (skill_name::marketplace(owner, skill), format!("{owner}:{skill}")),
        _ => (skill_name::mcp(owner, skill, dialect(mode)), format!("mcp:{owner}:{skill}")),
    };
    match built {
        Ok(name) => value(name),
        Err(error) => {
            let span = error.utf16_span(&parts);
            refusal(views::skill_name_error(&error, span))
        }
    }
}

#[wasm_bindgen]
pub fn suggest_skill_name(text: &str, mode: u32) -> String {
    value(skill_name::suggest_for(text, dialect(mode)))
}

/// The path of this length in the scratch space, which need not be UTF-8; the forbidden names one a NUL.
#[wasm_bindgen]
pub fn check_rel_path(len: usize, forbid: &str, credentials: bool) -> String {
    let mut forbidden = Forbidden::new();
    if credentials {
        forbidden = forbidden.with_credentials();
    }
    if !forbid.is_empty() {
        forbidden = forbidden.with_names(forbid.split('\0'));
    }
    with_scratch(len, |path| match rel_path::check_bytes(path, &forbidden) {
        Ok(path) => value(path.into_owned()),
        Err(error) => refusal(views::skill_resource_error(&error)),
    })
}

/// An integer of JavaScript, written in decimal; one that is too large is as good as the largest.
fn integer(digits: &str) -> i128 {
    digits.parse().unwrap_or(if digits.starts_with('-') { i128::MIN } else { i128::MAX })
}

#[wasm_bindgen]
pub fn check_blob_range(chunk_offset: &str, total_size: &str) -> String {
    let Ok(total) = total_size.parse() else { return misuse("totalSize is not within 0 to 2^64-1") };
    match blob::check_range(integer(chunk_offset), total) {
        Ok(range) => value(Out::object("eof", [Some(range.eof.into())])),
        Err(error) => refusal(views::blob_error(&error)),
    }
}

#[wasm_bindgen]
pub fn clamp_chunk(offset: &str, total: &str, wanted: &str, cap: &str) -> String {
    let (Ok(total), Ok(wanted), Ok(cap)) = (total.parse(), wanted.parse(), cap.parse()) else {
        return misuse("a size is not within 0 to 2^64-1");
    };
    match blob::clamp_chunk(integer(offset), total, wanted, cap) {
        Ok(chunk) => value(Out::object("len|eof", [Some(chunk.len.into()), Some(chunk.eof.into())])),
        Err(error) => refusal(views::blob_error(&error)),
    }
}

/// 0 for what is not about authorization; a text that is none of the fixed words is the caller's mistake.
#[wasm_bindgen]
pub fn decide_authorization(
    http_status: Option<f64>,
    www_authenticate: Option<String>,
    oauth_error: Option<String>,
    credential: Option<String>,
    event: Option<String>,
    provider_fault: bool,
) -> String {
    let failure = Failure {
        #[allow(clippy::cast_possible_truncation)] // a status that is none of HTTP's stays none
        http_status: http_status.map(|status| status as i64),
        www_authenticate: www_authenticate.as_deref(),
        oauth_error: oauth_error.as_deref(),
        credential: match credential.map(|word| word.parse()).transpose() {
            Ok(credential) => credential,
            Err(error) => return misuse(error),
        },
        event: match event.map(|word| word.parse()).transpose() {
            Ok(event) => event,
            Err(error) => return misuse(error),
        },
        provider_fault,
    };
    value(authorization::decide(&failure).code())
}

#[wasm_bindgen]
pub fn decide_authorization_from_text(text: &str) -> String {
    value(authorization::decide_from_text(text).code())
}

#[wasm_bindgen]
pub fn parse_protocol_version(text: &str) -> String {
    match ProtocolVersion::parse(text) {
        Ok(version) => value(Out::array([version.major, version.minor, version.patch])),
        Err(error) => refusal(views::version_error(&error)),
    }
}

#[wasm_bindgen]
pub fn is_compatible(client: &[u32], server: &[u32]) -> bool {
    let version = |parts: &[u32]| match *parts {
        [major, minor, patch] => Some(ProtocolVersion::new(major, minor, patch)),
        _ => None,
    };
    matches!((version(client), version(server)), (Some(client), Some(server)) if client.is_compatible_with(server))
}

#[wasm_bindgen]
pub fn check_handshake(query: &str, server_version: &str) -> String {
    let server = match ProtocolVersion::parse(server_version) {
        Ok(server) => server,
        Err(error) => return refusal(views::version_error(&error)),
    };
    match handshake::check_handshake(query, server) {
        Ok(_) => value(Out::null()),
        Err(answer) => {
            let mut headers = Out::object("", []);
            for (name, text) in &answer.headers {
                headers.add(name, &text.into());
            }
            value(Out::object(
                "status|headers|body",
                [Some(answer.status.into()), Some(headers), Some(answer.body.into())],
            ))
        }
    }
}

/// The body of this length in the scratch space; the headers as lines of names and values in turn.
#[wasm_bindgen]
pub fn parse_handshake_failure(status: f64, headers: Vec<String>, len: usize, mode: u32) -> String {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates: no status is beyond 599
    let status = status as u16;
    let pairs = headers.as_chunks().0.iter().map(|[name, text]| (name, text));
    with_scratch(len, |body| {
        value(views::handshake(handshake::parse_handshake_failure(status, pairs, body), dialect(mode)))
    })
}

#[wasm_bindgen]
pub fn parse_handshake_body(packed: u32, mode: u32) -> String {
    with_node(packed, |node| Ok(views::handshake(handshake::parse_handshake_body(&node)?, dialect(mode))))
}

#[wasm_bindgen]
pub fn parse_handshake_text(text: &str, mode: u32) -> String {
    value(views::handshake(handshake::parse_handshake_text(text), dialect(mode)))
}

#[wasm_bindgen]
pub fn classify_ws_close(code: f64) -> String {
    // A number with a fraction is no close code, and no other may become one by being cut.
    #[allow(clippy::cast_possible_truncation)]
    let code = if (code as i64) as f64 == code { code as i64 } else { 0 };
    handshake::classify_ws_close(code).as_str().to_owned()
}

/// The wait before this retry in seconds, negative when there is none.
#[wasm_bindgen]
pub fn backoff(retry: u32, max_retries: u32, cap: f64, random: f64) -> f64 {
    let cap = core::time::Duration::try_from_secs_f64(cap).unwrap_or(core::time::Duration::MAX);
    let mut waits = Schedule { max_retries, cap }.waits_with(|| random);
    waits.nth(retry as usize).map_or(-1.0, |wait| wait.as_secs_f64())
}

#[wasm_bindgen]
pub fn backoff_defaults() -> Vec<f64> {
    let schedule = Schedule::default();
    vec![f64::from(schedule.max_retries), schedule.cap.as_secs_f64()]
}

static TALLIES: Kept<Slots<Tally>> = Kept::new(Slots::new());

/// Things that JavaScript objects stand for, by number. A `FinalizationRegistry` gives the numbers back.
pub(crate) struct Slots<T> {
    slots: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T: Default> Slots<T> {
    pub(crate) const fn new() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }

    pub(crate) fn add(&mut self) -> u32 {
        let free = self.free.pop();
        if let Some((number, slot)) = free.and_then(|free| Some((free, self.slots.get_mut(free as usize)?))) {
            *slot = Some(T::default());
            return number;
        }
        self.slots.push(Some(T::default()));
        u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)
    }

    pub(crate) fn get(&mut self, number: u32) -> Option<&mut T> {
        self.slots.get_mut(number as usize)?.as_mut()
    }

    pub(crate) fn remove(&mut self, number: u32) {
        if self.slots.get_mut(number as usize).is_some_and(|slot| slot.take().is_some()) {
            self.free.push(number);
        }
    }
}

fn tally<T>(number: u32, change: impl FnOnce(&mut Tally) -> T) -> Option<T> {
    TALLIES.with(|tallies| tallies.get(number).map(change))
}

#[wasm_bindgen]
pub fn tally_new() -> u32 {
    TALLIES.with(Slots::add)
}

#[wasm_bindgen]
pub fn tally_free(number: u32) {
    TALLIES.with(|tallies| tallies.remove(number));
}

/// Whether the value's own code did not throw. It runs before the tally is touched.
#[wasm_bindgen]
pub fn tally_add(number: u32, packed: u32, mode: u32) -> bool {
    // Counted apart and merged: a getter may come back here in the middle of it.
    let mut one = Tally::new();
    match classified(packed, mode).and_then(|classified| one.try_add(&classified)) {
        Ok(()) => {
            tally(number, |tally| tally.merge(&one));
            true
        }
        Err(Thrown) => false,
    }
}

#[wasm_bindgen]
pub fn tally_add_text(number: u32, len: usize, mode: u32) {
    with_scratch(len, |text| {
        if let Ok(classified) = classified_text(text, mode) {
            tally(number, |tally| tally.try_add(&classified).is_ok());
        }
    });
}

#[wasm_bindgen]
pub fn tally_merge(number: u32, other: u32) {
    let Some(other) = tally(other, |other| other.clone()) else { return };
    tally(number, |tally| tally.merge(&other));
}

#[wasm_bindgen]
pub fn tally_total(number: u32) -> String {
    value(tally(number, |tally| tally.total()).unwrap_or_default())
}

#[wasm_bindgen]
pub fn tally_json(number: u32) -> String {
    tally(number, |tally| tally.to_json()).unwrap_or_default()
}

#[wasm_bindgen]
pub fn tally_value(number: u32) -> String {
    value(views::text(&tally_json(number)))
}

#[wasm_bindgen]
pub fn tally_prometheus(number: u32) -> String {
    tally(number, |tally| tally.to_prometheus()).unwrap_or_default()
}

#[wasm_bindgen]
pub fn tally_table(number: u32) -> String {
    tally(number, |tally| tally.to_string()).unwrap_or_default()
}
