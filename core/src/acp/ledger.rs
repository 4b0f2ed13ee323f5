//! What went wrong last, server by server.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::value::{Map, Value};
use serde::{Serialize, Serializer};

use super::code::AcpErrorCode;
use super::error::{AcpError, AcpErrorKind};
use super::rpc::integer_value;
use super::time::Timestamp;

/// The most bytes of an error's message that are remembered.
pub const MAX_MESSAGE_BYTES: usize = 2 * 1024;
/// The most bytes of an error's details that are remembered, names and texts together.
pub const MAX_DETAILS_BYTES: usize = 4 * 1024;
/// The most servers that are remembered. One more takes the place of the one whose error is the oldest.
pub const MAX_SERVERS: usize = 1024;
/// The most bytes of a server's name. No configuration declares a longer one, so nothing is recorded for it.
pub const MAX_SERVER_BYTES: usize = 1024;

/// The last error of a server, as it was when it was recorded.
///
/// It says only what went wrong most recently, not that anything is wrong now: see
/// [`readiness`](super::readiness()) for that.
#[derive(Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LastError {
    /// What sort of error it was.
    pub kind: AcpErrorKind,
    /// What went wrong.
    pub code: AcpErrorCode,
    /// The JSON-RPC integer of an RPC error.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_number")]
    pub rpc_code: Option<i128>,
    /// Its message, at most [`MAX_MESSAGE_BYTES`].
    pub message: String,
    /// Its details, at most [`MAX_DETAILS_BYTES`] of text; what did not fit is left out.
    pub details: Map<String, Value>,
    /// Whether the message or the details were cut.
    pub truncated: bool,
    /// When it was recorded, not when it was raised.
    pub at: Timestamp,
}

impl LastError {
    fn new(error: &AcpError, at: Timestamp) -> Self {
        let message = head(error.message(), MAX_MESSAGE_BYTES);
        let mut room = Room { bytes: MAX_DETAILS_BYTES, cut: message.len() < error.message().len() };
        let details = room.members(error.details(), 0);
        Self {
            kind: error.kind(),
            code: error.code(),
            rpc_code: error.rpc_code(),
            message: message.to_owned(),
            details,
            truncated: room.cut,
            at,
        }
    }
}

// As with the error itself: neither the message nor the values of the details.
impl fmt::Debug for LastError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LastError")
            .field("kind", &self.kind)
            .field("code", &self.code.as_str())
            .field("rpc_code", &self.rpc_code)
            .field("at", &format_args!("{}", self.at))
            .finish_non_exhaustive()
    }
}

// A serializer for JSON refuses integers beyond 64 bits.
#[expect(clippy::ref_option, reason = "serde gives the field as it is")]
fn as_number<S: Serializer>(code: &Option<i128>, serializer: S) -> Result<S::Ok, S::Error> {
    code.map(integer_value).serialize(serializer)
}

/// The start of a text that fits, up to the end of a character.
fn head(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

/// The end of a text that fits, from the start of a character.
fn tail(text: &str, bytes: usize) -> &str {
    let start = text.len().saturating_sub(bytes);
    let start = (start..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    text.get(start..).unwrap_or_default()
}

/// The room that is left for a copy.
struct Room {
    bytes: usize,
    cut: bool,
}

impl Room {
    /// What a value costs besides its text, so that many small ones are bounded too.
    const EACH: usize = 8;
    const MAX_DEPTH: usize = 8;

    fn take(&mut self, bytes: usize) -> bool {
        match self.bytes.checked_sub(bytes) {
            Some(left) => {
                self.bytes = left;
                true
            }
            None => {
                self.cut = true;
                false
            }
        }
    }

    fn members(&mut self, from: &Map<String, Value>, depth: usize) -> Map<String, Value> {
        let mut to = Map::new();
        // The short ones first: a long standard error must not push out the exit code.
        for long in [false, true] {
            for (key, value) in from.iter().filter(|(_, value)| is_long(value) == long) {
                if self.take(key.len())
                    && let Some(copy) = self.value(key, value, depth)
                {
                    to.insert(key.clone(), copy);
                }
            }
        }
        to
    }

    fn value(&mut self, key: &str, value: &Value, depth: usize) -> Option<Value> {
        if !self.take(Self::EACH) {
            return None;
        }
        Some(match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
            Value::String(text) => {
                // Of what a process printed the end matters.
                let kept = if key == "stderr" { tail(text, self.bytes) } else { head(text, self.bytes) };
                self.cut |= kept.len() < text.len();
                self.bytes -= kept.len();
                Value::from(kept)
            }
            Value::Array(_) | Value::Object(_) if depth >= Self::MAX_DEPTH => {
                self.cut = true;
                return None;
            }
            Value::Array(items) => {
                let mut copy = Vec::new();
                for item in items {
                    match self.value("", item, depth + 1) {
                        Some(item) => copy.push(item),
                        None => break,
                    }
                }
                Value::Array(copy)
            }
            Value::Object(members) => Value::Object(self.members(members, depth + 1)),
        })
    }
}

fn is_long(value: &Value) -> bool {
    match value {
        Value::String(text) => text.len() > 256,
        Value::Array(_) | Value::Object(_) => true,
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[derive(Debug)]
struct Entry {
    server: String,
    error: LastError,
}

/// What is remembered, in the order of its recording: the time may stand still or run backwards.
#[derive(Debug, Default)]
struct Entries(Vec<Entry>);

impl Entries {
    fn place(&self, server: &str) -> Option<usize> {
        self.0.iter().position(|entry| entry.server == server)
    }
}

#[cfg(feature = "std")]
type Lock = std::sync::Mutex<Entries>;
/// Without a standard library there are no threads.
#[cfg(not(feature = "std"))]
type Lock = core::cell::RefCell<Entries>;

/// The last error of each server, safe to use from many threads.
///
/// A success does not clear it, so that a host which looks once a minute still sees the last failure. A newer
/// error replaces it; [`ErrorLedger::reset`] clears it. `server_busy` and `server_not_found` are never recorded.
/// Its size is bounded: see the constants of this module.
///
/// ```
/// use ackguard::acp::{AcpError, ErrorLedger, Timestamp};
///
/// let ledger = ErrorLedger::new();
/// let now = Timestamp::from_unix_micros(0);
/// assert!(ledger.record("helper", &AcpError::transport_disconnect("helper", Some(9)), now));
/// assert!(!ledger.record("helper", &AcpError::server_busy("helper"), now));
/// let last = ledger.last_error("helper").unwrap();
/// assert_eq!(last.code.as_str(), "transport_disconnect");
/// assert_eq!(last.at.to_string(), "1970-01-01T00:00:00.000000Z");
/// ```
pub struct ErrorLedger {
    entries: Lock,
    clock: Option<Box<dyn Fn() -> Timestamp + Send + Sync>>,
}

impl Default for ErrorLedger {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for ErrorLedger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ErrorLedger").field("servers", &self.lock().0.len()).finish_non_exhaustive()
    }
}

impl ErrorLedger {
    /// An empty ledger. [`ErrorLedger::record_now`] uses the system's clock, where there is one.
    #[must_use]
    pub fn new() -> Self {
        Self { entries: Lock::default(), clock: None }
    }

    /// An empty ledger whose [`ErrorLedger::record_now`] asks this clock.
    #[must_use]
    pub fn with_clock(clock: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self { entries: Lock::default(), clock: Some(Box::new(clock)) }
    }

    // A thread that panicked elsewhere cannot have left an entry half written: each is moved in whole.
    #[cfg(feature = "std")]
    fn lock(&self) -> std::sync::MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    #[cfg(not(feature = "std"))]
    fn lock(&self) -> core::cell::RefMut<'_, Entries> {
        self.entries.borrow_mut()
    }

    /// Remembers an error as the last one of `server`, with the time `now`, and says whether it did.
    ///
    /// Of two threads that record at once, the one that comes later has the last word, whatever its `now`.
    pub fn record(&self, server: &str, error: &AcpError, now: impl Into<Timestamp>) -> bool {
        if !error.is_recorded() || server.len() > MAX_SERVER_BYTES {
            return false;
        }
        let error = LastError::new(error, now.into());
        let mut entries = self.lock();
        let gives_way = entries.place(server).or((entries.0.len() >= MAX_SERVERS).then_some(0));
        if let Some(place) = gives_way {
            entries.0.remove(place);
        }
        entries.0.push(Entry { server: server.to_owned(), error });
        true
    }

    /// As [`ErrorLedger::record`], with the time of the ledger's clock.
    ///
    /// On a platform without a system clock, and without a clock given, the time is the epoch.
    pub fn record_now(&self, server: &str, error: &AcpError) -> bool {
        // Outside the lock: a host's clock may call back.
        let now = match &self.clock {
            Some(clock) => clock(),
            None => system_time(),
        };
        self.record(server, error, now)
    }

    /// The last error of `server`, if there was one since the last reset.
    #[must_use]
    pub fn last_error(&self, server: &str) -> Option<LastError> {
        let entries = self.lock();
        entries.0.iter().find(|entry| entry.server == server).map(|entry| entry.error.clone())
    }

    /// Forgets the last error of `server`, and says whether there was one.
    pub fn reset(&self, server: &str) -> bool {
        let mut entries = self.lock();
        let place = entries.place(server);
        place.map(|place| entries.0.remove(place)).is_some()
    }
}

#[cfg(all(feature = "std", not(all(target_family = "wasm", target_os = "unknown"))))]
fn system_time() -> Timestamp {
    Timestamp::now()
}

#[cfg(not(all(feature = "std", not(all(target_family = "wasm", target_os = "unknown")))))]
fn system_time() -> Timestamp {
    Timestamp::from_unix_micros(0)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use serde_json::json;

    use super::*;

    fn at(n: i64) -> Timestamp {
        Timestamp::from_unix_micros(n)
    }

    fn error(n: i64) -> AcpError {
        AcpError::protocol_error(n.to_string())
    }

    #[test]
    fn sticky_replaced_and_reset() {
        let ledger = ErrorLedger::new();
        assert_eq!(ledger.last_error("a"), None);
        assert!(ledger.record("a", &error(1), at(1)));
        // Reading is no reset.
        assert_eq!(ledger.last_error("a").unwrap().message, "1");
        assert_eq!(ledger.last_error("a").unwrap().message, "1");
        // A clock that runs backwards does not bring the old error back.
        assert!(ledger.record("a", &error(2), at(0)));
        assert_eq!(ledger.last_error("a").unwrap().message, "2");
        assert_eq!(ledger.last_error("a").unwrap().at, at(0));
        assert_eq!(ledger.last_error("b"), None);
        assert!(ledger.reset("a"));
        assert!(!ledger.reset("a"));
        assert_eq!(ledger.last_error("a"), None);
    }

    #[test]
    fn two_codes_are_never_recorded_and_replace_nothing() {
        let ledger = ErrorLedger::new();
        for &code in AcpErrorCode::ALL {
            ledger.reset("a");
            ledger.record("a", &error(1), at(1));
            let recorded = ledger.record("a", &AcpError::client(code, "x"), at(2));
            let caller_side = matches!(code, AcpErrorCode::ServerBusy | AcpErrorCode::ServerNotFound);
            assert_eq!(recorded, !caller_side);
            assert_eq!(ledger.last_error("a").unwrap().message == "1", caller_side);
        }
        assert!(!ledger.record("a", &AcpError::server_not_found("a"), at(2)));
    }

    #[test]
    fn an_rpc_error_keeps_its_number() {
        let ledger = ErrorLedger::new();
        ledger.record("a", &AcpError::rpc(-32603, "x", None), at(1));
        let last = ledger.last_error("a").unwrap();
        assert_eq!((last.kind, last.rpc_code), (AcpErrorKind::Rpc, Some(-32603)));
        assert_eq!(
            serde_json::to_value(&last).unwrap(),
            json!({
                "kind": "rpc", "code": "protocol_error", "rpc_code": -32603,
                "message": "JSON-RPC error -32603: x", "details": {}, "truncated": false,
                "at": "1970-01-01T00:00:00.000001Z",
            })
        );
        ledger.record("a", &AcpError::rpc(1 << 70, "x", None), at(1));
        let last = serde_json::to_value(ledger.last_error("a").unwrap()).unwrap();
        assert_eq!(last["rpc_code"], 2_f64.powi(70));
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let ledger = ErrorLedger::new();
        let long = "é".repeat(100_000);
        let error = AcpError::process_start_fail("a", &long, vec![long.clone(); 50], &long)
            .with_message(format!("x{long}"))
            .with_detail("exit_code", 9)
            .with_detail("many", vec![0; 100_000])
            .with_detail("deep", (0..50).fold(json!("x"), |inner, _| json!([inner])));
        assert!(ledger.record("a", &error, at(1)));
        let last = ledger.last_error("a").unwrap();
        assert!(last.truncated);
        assert_eq!(last.message.len(), MAX_MESSAGE_BYTES - 1);
        assert!(serde_json::to_string(&last.details).unwrap().len() <= 2 * MAX_DETAILS_BYTES);
        // What is short is there, whatever its neighbours are.
        assert_eq!(last.details["server"], "a");
        assert_eq!(last.details["exit_code"], 9);

        assert!(!ledger.record(&"s".repeat(MAX_SERVER_BYTES + 1), &error, at(1)));
        let small = AcpError::server_busy("a").with_message("m");
        let small = AcpError::transport_disconnect("a", Some(1)).with_details(small.details().clone());
        ledger.record("a", &small, at(2));
        let last = ledger.last_error("a").unwrap();
        assert!(!last.truncated);
        assert_eq!(&last.details, small.details());
    }

    #[test]
    fn of_standard_error_the_end_is_kept() {
        let ledger = ErrorLedger::new();
        let stderr = format!("{}\nthe reason", "noise ".repeat(2000));
        ledger.record("a", &AcpError::process_start_fail("a", "c", [""; 0], &stderr), at(1));
        let last = ledger.last_error("a").unwrap();
        assert!(last.details["stderr"].as_str().unwrap().ends_with("the reason"));
    }

    #[test]
    fn the_oldest_makes_room() {
        let ledger = ErrorLedger::new();
        for n in 0..MAX_SERVERS {
            ledger.record(&n.to_string(), &error(1), at(1));
        }
        ledger.record("0", &error(2), at(1));
        ledger.record("new", &error(3), at(1));
        assert_eq!(ledger.last_error("1"), None);
        assert!(ledger.last_error("0").is_some() && ledger.last_error("2").is_some());
        assert_eq!(ledger.lock().0.len(), MAX_SERVERS);
    }

    #[test]
    fn the_clock_is_asked_when_it_is_recorded() {
        let time = std::sync::Arc::new(AtomicI64::new(5));
        let clock = std::sync::Arc::clone(&time);
        let ledger = ErrorLedger::with_clock(move || at(clock.load(Ordering::Relaxed)));
        let raised_before = error(1);
        time.store(7, Ordering::Relaxed);
        ledger.record_now("a", &raised_before);
        assert_eq!(ledger.last_error("a").unwrap().at, at(7));

        let before = Timestamp::now();
        let ledger = ErrorLedger::new();
        ledger.record_now("a", &raised_before);
        let recorded = ledger.last_error("a").unwrap().at;
        assert!(before <= recorded && recorded <= Timestamp::now());
    }

    #[test]
    fn a_panic_elsewhere_does_not_break_it() {
        let ledger = std::sync::Arc::new(ErrorLedger::new());
        let other = std::sync::Arc::clone(&ledger);
        let panicked = std::thread::spawn(move || {
            let _guard = other.lock();
            panic!("on purpose");
        })
        .join();
        assert!(panicked.is_err());
        assert!(ledger.record("a", &error(1), at(1)));
        assert!(ledger.last_error("a").is_some());
    }
}
