//! The WebAssembly inside the npm package `ackguard`.
//!
//! Nothing here decides anything: values come in by `host`, the core judges, and answers leave as `out`
//! writes them. What JavaScript's users see, the classes and the names, is in `js/`.
//!
//! JavaScript asks by `ask`: a number for the question, and what goes with it in the list of values that `host`
//! reads. One export for all of them takes less space than one for each, on both sides. What is asked most often has
//! an export of its own, with nothing but numbers.
#![cfg(target_family = "wasm")]
#![no_std]
#![allow(missing_docs)] // what is exported has no other reader than js/, which documents it
#![allow(unsafe_code)] // wasm-bindgen's own expansion, and the memory

#[macro_use]
extern crate alloc;

mod acp;
mod any;
mod asked;
mod heap;
mod host;
mod out;
mod questions;
pub mod scratch;
mod views;

use alloc::string::ToString;
use alloc::vec::Vec;
use core::convert::Infallible;

use ackguard::authorization::{self, Failure};
use ackguard::code;
use ackguard::handshake::{self, ProtocolVersion};
use ackguard::payload::{self, Classified, ErrorPayload, Kind};
use ackguard::rel_path::{self, Forbidden};
use ackguard::retry::Schedule;
use ackguard::scrub::{self, HintPolicy};
use ackguard::skill_name::{self, SkillName, SkillSource};
use ackguard::tally::Tally;
use ackguard::{Dialect, blob};
use wasm_bindgen::prelude::wasm_bindgen;

#[allow(clippy::wildcard_imports)] // the answers to the questions of ACP
use crate::acp::*;
use crate::any::AnyNode;
use crate::asked::Asked;
use crate::heap::Kept;
use crate::out::{Out, ToOut};
use crate::scratch::with_scratch;

/// Why there is no answer.
pub(crate) struct Fault(Out);

pub(crate) type Answer = Result<Out, Fault>;

macro_rules! answers {
    ($($question:ident)+) => {
        /// By the numbers of the questions.
        static ANSWERS: &[fn(&mut Asked) -> Answer] = &[$($question),+];
    };
}
questions::questions!(answers);

/// The answer to the question of this number, with `count` arguments from `first` on in the list of values: its length,
/// [`scratch::answer`] says where it is. It begins with one character: `=` a value, `!` a refusal, which becomes an exception.
#[wasm_bindgen]
pub fn ask(question: usize, first: u32, count: u32) -> usize {
    let Some(answer) = ANSWERS.get(question) else { return 0 };
    scratch::put_answer(match answer(&mut Asked::new(first, count)) {
        Ok(value) => value.answer('='),
        Err(Fault(refusal)) => refusal.answer('!'),
    })
}

pub(crate) fn value(value: impl Into<Out>) -> Answer {
    Ok(value.into())
}

pub(crate) fn refusal<T>(refusal: Out) -> Result<T, Fault> {
    Err(Fault(refusal))
}

fn refused(class: &str, message: &str) -> Fault {
    Fault(Out::object("class|message", [Some(class.into()), Some(message.into())]))
}

/// A mistake of the calling program.
pub(crate) fn misuse(message: &str) -> Fault {
    refused("TypeError", message)
}

/// The kinds, in the order in which [`classify`] numbers them.
fn kinds(_: &mut Asked) -> Answer {
    value(Out::array(Kind::ALL.iter().map(|kind| kind.as_str())))
}

/// 0 or 1 for a dialect.
fn dialect_index(asked: &mut Asked) -> Answer {
    match asked.text().parse() {
        Ok(Dialect::V0_2) => value(0_u32),
        Ok(Dialect::V0_3) => value(1_u32),
        Err(error) => Err(refused("RangeError", &error.to_string())),
    }
}

pub(crate) fn dialect(index: u32) -> Dialect {
    if index & 1 == 0 { Dialect::V0_2 } else { Dialect::V0_3 }
}

fn number(kind: Kind) -> u32 {
    Kind::ALL.iter().zip(0..).find(|(of, _)| **of == kind).map_or(u32::MAX, |(_, number)| number)
}

/// What `mode` says besides the dialect: the value is an ack callback's argument list.
const ARGUMENTS: u32 = 2;

fn classified(packed: u32, mode: u32) -> Classified<AnyNode<'static>> {
    let node = AnyNode::unpack(packed);
    let Ok(classified) = match node {
        Some(node) if mode & ARGUMENTS == 0 => payload::classify_node(node, dialect(mode)),
        // One more than a pair has: what is beyond changes nothing.
        Some(node) => payload::classify_ack_args(&node.first(3), dialect(mode)),
        None => payload::classify_ack_args(&[], dialect(mode)),
    };
    classified
}

/// The kind of a value as a number.
#[wasm_bindgen]
pub fn classify(packed: u32, mode: u32) -> u32 {
    number(classified(packed, mode).kind())
}

/// The kind of the JSON text of this length in the scratch space.
#[wasm_bindgen]
pub fn classify_text(len: usize, mode: u32) -> u32 {
    with_scratch(len, |text| number(payload::classify_json(text, dialect(mode)).kind()))
}

/// Runs `read` on what is classified: a value, or if the second argument says so the text of a length.
fn with_classified(asked: &mut Asked, read: &mut dyn FnMut(&Classified<AnyNode<'_>>) -> Out) -> Answer {
    let (subject, is_text, mode) = (asked.index(), asked.flag(), asked.index());
    if !is_text {
        return Ok(read(&classified(subject, mode)));
    }
    with_scratch(subject as usize, |text| {
        let (verdict, node) = payload::classify_json(text, dialect(mode)).into_parts();
        let Ok(classified) = verdict.about(node.map(AnyNode::Text));
        Ok(read(&classified))
    })
}

fn view(asked: &mut Asked) -> Answer {
    with_classified(asked, &mut views::view)
}

fn violations(asked: &mut Asked) -> Answer {
    with_classified(asked, &mut views::violations)
}

fn codes(_: &mut Asked) -> Answer {
    Ok(views::text(&ackguard::value::to_string(code::ALL).unwrap_or_default()))
}

/// The error payload that is asked about: the value, whether it is in parts, and the dialect.
#[inline(never)]
fn error(asked: &mut Asked) -> Result<(ErrorPayload, Dialect), Fault> {
    let (node, parts, dialect) = (asked.node(), asked.flag(), asked.dialect());
    let error = node.and_then(|node| views::read_error(node, parts, dialect));
    let error = error.ok_or_else(|| misuse("not a protocol error: a code that is an integer is needed"))?;
    Ok((error, dialect))
}

fn error_view(asked: &mut Asked) -> Answer {
    let (error, dialect) = error(asked)?;
    Ok(views::error(&error, views::Added::of(&error), dialect))
}

/// The view of an error that is built from its parts.
fn error_built(asked: &mut Asked) -> Answer {
    let (error, dialect) = error(asked)?;
    let error = error.without_nulls();
    Ok(views::error(&error, views::Added::of(&error), dialect))
}

fn error_summary(asked: &mut Asked) -> Answer {
    value(error(asked)?.0.to_string())
}

fn error_wire(asked: &mut Asked) -> Answer {
    let (error, dialect) = error(asked)?;
    Ok(views::wire(&error, dialect))
}

fn error_json(asked: &mut Asked) -> Answer {
    let (error, dialect) = error(asked)?;
    value(error.to_json(dialect))
}

fn public_message(asked: &mut Asked) -> Answer {
    let (error, _) = error(asked)?;
    value(error.public_message(asked.locale()))
}

fn log_fields(asked: &mut Asked) -> Answer {
    value(&error(asked)?.0.log_fields())
}

/// The message of a malformed error payload with these violations, its code and the answer to send.
fn malformed_error(asked: &mut Asked) -> Answer {
    let error = payload::MalformedErrorPayload::new(asked.texts());
    Ok(views::refusal("MalformedErrorPayload", error.to_string(), &error.to_payload()))
}

/// Runs `read` on a value, if there is one.
pub(crate) fn with_node(
    node: Option<AnyNode<'_>>,
    read: impl FnOnce(AnyNode<'_>) -> Result<Out, Infallible>,
) -> Answer {
    let Ok(read) = node.map(read).transpose();
    value(read)
}

/// The hint comes first; there may be none.
fn auth_error_result(asked: &mut Asked) -> Answer {
    let hint = asked.json();
    let (mcp_server, code, locale) = (asked.text(), asked.code(), asked.locale());
    match payload::auth_error_result(&mcp_server, code, hint.as_ref(), locale) {
        Ok(result) => value(&result.value),
        Err(error) => Err(misuse(&error.to_string())),
    }
}

fn cancelled_result(asked: &mut Asked) -> Answer {
    let locale = asked.locale();
    value(&payload::cancelled_result(asked.maybe_text().as_deref(), locale))
}

fn timeout_result(asked: &mut Asked) -> Answer {
    value(&payload::timeout_result(asked.locale()))
}

fn guard_tool_result(asked: &mut Asked) -> Answer {
    with_node(asked.node(), |node| payload::guard_tool_result(&node, &mut ToOut).map(views::scrubbed))
}

fn default_hint(asked: &mut Asked) -> Answer {
    let hint = authorization::default_hint(asked.code(), asked.locale());
    value(
        hint.map(|hint| Out::object("action|message", [Some(hint.action.into()), Some(hint.message.into())])),
    )
}

fn scrub_auth_hint(asked: &mut Asked) -> Answer {
    let node = asked.node();
    let policy = if asked.flag() { HintPolicy::Strict } else { HintPolicy::Standard };
    with_node(node, |node| scrub::auth_hint(&node, policy, &mut ToOut).map(views::scrubbed))
}

fn scrub_details(asked: &mut Asked) -> Answer {
    with_node(asked.node(), |node| scrub::details(&node, &mut ToOut).map(views::scrubbed))
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
fn skill_name_hint(_: &mut Asked) -> Answer {
    value(skill_name::SkillNameHint::McpPlugin.as_str())
}

fn skill_name_error(asked: &mut Asked) -> Answer {
    let name = asked.text();
    match SkillName::parse(&name, asked.dialect()) {
        Ok(_) => Ok(Out::null()),
        Err(error) => refusal(views::skill_name_error(&error, &name)),
    }
}

/// A name from its parts; the owner is the plugin or the server.
fn build_skill_name(asked: &mut Asked) -> Answer {
    let (source, owner, skill) = (asked.index(), asked.text(), asked.text());
    let (built, parts) = match source {
        1 => (skill_name::user(&skill), skill),
        2 => (skill_name::marketplace(&owner, &skill), format!("{owner}:{skill}")),
        _ => (skill_name::mcp(&owner, &skill, asked.dialect()), format!("mcp:{owner}:{skill}")),
    };
    built.map(Into::into).or_else(|error| refusal(views::skill_name_error(&error, &parts)))
}

fn suggest_skill_name(asked: &mut Asked) -> Answer {
    value(skill_name::suggest_for(&asked.text(), asked.dialect()))
}

/// The path of this length in the scratch space, which need not be UTF-8; then whether the names of credentials are
/// forbidden, and what else is.
fn check_rel_path(asked: &mut Asked) -> Answer {
    let (len, credentials) = (asked.index(), asked.flag());
    let mut forbidden = Forbidden::new();
    if credentials {
        forbidden = forbidden.with_credentials();
    }
    let names = asked.texts();
    if !names.is_empty() {
        forbidden = forbidden.with_names(names);
    }
    with_scratch(len as usize, |path| match rel_path::check_bytes(path, &forbidden) {
        Ok(path) => value(&*path),
        Err(error) => refusal(views::skill_resource_error(&error)),
    })
}

fn check_blob_range(asked: &mut Asked) -> Answer {
    let offset = asked.integer();
    let Some(total) = asked.parsed() else { return Err(misuse("totalSize is not within 0 to 2^64-1")) };
    match blob::check_range(offset, total) {
        Ok(range) => value(Out::object("eof", [Some(range.eof.into())])),
        Err(error) => refusal(views::blob_error(&error)),
    }
}

fn clamp_chunk(asked: &mut Asked) -> Answer {
    let offset = asked.integer();
    let (Some(total), Some(wanted), Some(cap)) = (asked.parsed(), asked.parsed(), asked.parsed()) else {
        return Err(misuse("a size is not within 0 to 2^64-1"));
    };
    match blob::clamp_chunk(offset, total, wanted, cap) {
        Ok(chunk) => value(Out::object("len|eof", [Some(chunk.len.into()), Some(chunk.eof.into())])),
        Err(error) => refusal(views::blob_error(&error)),
    }
}

/// A text that is none of the fixed words is the caller's mistake.
fn decide_authorization(asked: &mut Asked) -> Answer {
    #[allow(clippy::cast_possible_truncation)] // a status that is none of HTTP's stays none
    let http_status = asked.maybe_number().map(|status| status as i64);
    let (www_authenticate, oauth_error) = (asked.maybe_text(), asked.maybe_text());
    let failure = Failure {
        http_status,
        www_authenticate: www_authenticate.as_deref(),
        oauth_error: oauth_error.as_deref(),
        credential: asked.word()?,
        event: asked.word()?,
        provider_fault: asked.flag(),
    };
    value(authorization::decide(&failure).code())
}

fn decide_authorization_from_text(asked: &mut Asked) -> Answer {
    value(authorization::decide_from_text(&asked.text()).code())
}

fn version(asked: &mut Asked) -> Result<ProtocolVersion, Fault> {
    ProtocolVersion::parse(&asked.text()).or_else(|error| refusal(views::version_error(&error)))
}

fn parse_protocol_version(asked: &mut Asked) -> Answer {
    let version = version(asked)?;
    value(Out::array([version.major, version.minor, version.patch]))
}

fn is_compatible(asked: &mut Asked) -> Answer {
    let (client, server) = (version(asked)?, version(asked)?);
    value(client.is_compatible_with(server))
}

fn check_handshake(asked: &mut Asked) -> Answer {
    let (query, server) = (asked.text(), version(asked)?);
    match handshake::check_handshake(&query, server) {
        Ok(_) => Ok(Out::null()),
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

/// The status, the length of the body in the scratch space, and the headers' names and values in turn.
fn parse_handshake_failure(asked: &mut Asked) -> Answer {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates: no status is beyond 599
    let (parsed, status, len) = (asked.json(), asked.number() as u16, asked.index());
    let headers = asked.texts();
    let judge = |body: &[u8]| {
        let pairs = headers.as_chunks().0.iter().map(|[name, text]| (name, text));
        value(views::handshake(handshake::parse_handshake_failure(status, pairs, body)))
    };
    match parsed {
        // Written again, so that one rule judges both.
        Some(body) => judge(body.to_string().as_bytes()),
        None => with_scratch(len as usize, judge),
    }
}

fn parse_handshake_body(asked: &mut Asked) -> Answer {
    with_node(asked.node(), |node| Ok(views::handshake(handshake::parse_handshake_body(&node)?)))
}

fn parse_handshake_text(asked: &mut Asked) -> Answer {
    value(views::handshake(handshake::parse_handshake_text(&asked.text())))
}

fn classify_ws_close(asked: &mut Asked) -> Answer {
    let code = asked.number();
    // A number with a fraction is no close code, and no other may become one by being cut.
    #[allow(clippy::cast_possible_truncation)]
    let code = if (code as i64) as f64 == code { code as i64 } else { 0 };
    value(handshake::classify_ws_close(code).as_str())
}

/// The wait before this retry in seconds, null when there is none.
fn backoff(asked: &mut Asked) -> Answer {
    let (retry, max_retries, cap, random) = (asked.index(), asked.index(), asked.number(), asked.number());
    let cap = core::time::Duration::try_from_secs_f64(cap).unwrap_or(core::time::Duration::MAX);
    let mut waits = Schedule { max_retries, cap }.waits_with(|| random);
    value(waits.nth(retry as usize).map(|wait| Out::float(wait.as_secs_f64())))
}

fn backoff_defaults(_: &mut Asked) -> Answer {
    let schedule = Schedule::default();
    value(Out::array([f64::from(schedule.max_retries), schedule.cap.as_secs_f64()].map(Out::float)))
}

static TALLIES: Kept<Slots> = Kept::new(Slots::new());

/// The tallies that JavaScript objects stand for, by number. A `FinalizationRegistry` gives the numbers back.
#[derive(Clone)]
struct Slots {
    slots: Vec<Option<Tally>>,
    free: Vec<u32>,
}

impl Slots {
    const fn new() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }

    fn add(&mut self) -> u32 {
        let free = self.free.pop();
        if let Some((number, slot)) = free.and_then(|free| Some((free, self.slots.get_mut(free as usize)?))) {
            *slot = Some(Tally::new());
            return number;
        }
        self.slots.push(Some(Tally::new()));
        u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)
    }

    fn get(&mut self, number: u32) -> Option<&mut Tally> {
        self.slots.get_mut(number as usize)?.as_mut()
    }

    fn remove(&mut self, number: u32) {
        if self.slots.get_mut(number as usize).is_some_and(|slot| slot.take().is_some()) {
            self.free.push(number);
        }
    }
}

/// Forgets whatever the memory holds but for the tallies, if that may be much. JavaScript asks for this when no call is
/// under way and an exception has gone through the module, where nobody gives anything back.
#[wasm_bindgen]
pub fn forget() {
    if heap::is_full() {
        scratch::forget();
        TALLIES.with(heap::keep);
    }
}

/// Runs `work` on the tally of the number that comes next, if there is one.
#[inline(never)]
fn with_tally(asked: &mut Asked, work: &mut dyn FnMut(&mut Tally)) {
    let number = asked.index();
    TALLIES.with(|tallies| {
        if let Some(tally) = tallies.get(number) {
            work(tally);
        }
    });
}

/// What is read from the tally of the number that comes next.
fn of_tally(asked: &mut Asked, read: impl Fn(&Tally) -> Out) -> Answer {
    let mut out = Out::null();
    with_tally(asked, &mut |tally| out = read(tally));
    Ok(out)
}

fn tally_new(_: &mut Asked) -> Answer {
    value(TALLIES.with(Slots::add))
}

fn tally_free(asked: &mut Asked) -> Answer {
    let number = asked.index();
    TALLIES.with(|tallies| tallies.remove(number));
    Ok(Out::null())
}

/// What is to be classified, and the tally.
fn tally_add(asked: &mut Asked) -> Answer {
    // Counted apart and merged: a getter may come back here in the middle of it.
    let mut one = Tally::new();
    with_classified(asked, &mut |classified| {
        one.add(classified);
        Out::null()
    })?;
    with_tally(asked, &mut |tally| tally.merge(&one));
    Ok(Out::null())
}

fn tally_merge(asked: &mut Asked) -> Answer {
    let mut other = Tally::new();
    with_tally(asked, &mut |tally| other = tally.clone());
    with_tally(asked, &mut |tally| tally.merge(&other));
    Ok(Out::null())
}

fn tally_total(asked: &mut Asked) -> Answer {
    of_tally(asked, |tally| tally.total().into())
}

fn tally_json(asked: &mut Asked) -> Answer {
    of_tally(asked, |tally| tally.to_json().into())
}

/// The same as plain objects.
fn tally_value(asked: &mut Asked) -> Answer {
    of_tally(asked, |tally| views::text(&tally.to_json()))
}

/// The rows with their counts, each row as attributes.
fn tally_attributes(asked: &mut Asked) -> Answer {
    of_tally(asked, |tally| Out::array(tally.rows().map(views::counted)))
}

fn tally_prometheus(asked: &mut Asked) -> Answer {
    of_tally(asked, |tally| tally.to_prometheus().into())
}

fn tally_table(asked: &mut Asked) -> Answer {
    of_tally(asked, |tally| tally.to_string().into())
}
