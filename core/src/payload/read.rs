//! Reading a flat error: its standard fields, what breaks the contract in them, what is handed out.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::value::Value;

use super::error::{SERVER_KEYS, is_field};
use super::violation::{Violation, ViolationKind};
use super::{
    Classified, ErrorPayload, Kind, MAX_DEPTH, P_CAPABILITY, P_CLIENT_VERSION, P_DETAILS, P_MAX_SUPPORTED,
    P_MESSAGE, P_MIN_SUPPORTED, P_SERVER_0_2, P_SERVER_0_3, P_SERVER_VERSION,
};
use crate::code::{CodeInfo, ErrorCode, Field, FieldType};
use crate::host::{self, Build, Members, Node, Shape, ToJson, View, keys};
use crate::{Dialect, scrub};

keys!(
    /// The standard keys of `details`.
    pub(crate) DETAILS = 3 {
        "reason" => D_REASON,
        "rel_path" => D_REL_PATH,
        "total_size" => D_TOTAL_SIZE,
        "name" => D_NAME,
        "computer_name" => D_COMPUTER_NAME,
        "upload_id" => D_UPLOAD_ID,
        "trace_id" => D_TRACE_ID,
    }
);

/// The integer that a float is, `Some(None)` for one that no `i64` holds; `None` for a fraction.
pub(crate) fn integral(float: f64) -> Option<Option<i64>> {
    host::is_integral(float).then(|| truncated(float))
}

/// The integer part, if it is an `i64`.
pub(super) fn truncated(float: f64) -> Option<i64> {
    // 2^63 is the first double that i64 does not hold; NaN fails the comparison.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    #[allow(clippy::cast_possible_truncation)] // that is the point, and the range has been checked
    (float.abs() < LIMIT).then_some(float as i64)
}

fn top_index(name: &str) -> usize {
    match name {
        "mcp_server" => P_SERVER_0_3,
        "capability" => P_CAPABILITY,
        "server_version" => P_SERVER_VERSION,
        "client_version" => P_CLIENT_VERSION,
        "min_supported" => P_MIN_SUPPORTED,
        "max_supported" => P_MAX_SUPPORTED,
        _ => P_SERVER_0_2,
    }
}

/// What a peer added to an error beyond its code's standard fields, as the host's own values.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorParts<V> {
    /// `details`, where it is an object.
    pub details: Option<V>,
    /// What stood in the place of `details` although it is no object.
    pub raw_details: Option<V>,
    /// Top-level fields that are not the code's standard ones, in the host's order.
    pub extra: Vec<(String, V)>,
}

/// A member that should be a text.
enum Str {
    Absent,
    Text(String),
    WrongType,
}

fn read_str<N: Node>(node: Option<N>) -> Result<Str, N::Error> {
    let Some(node) = node else { return Ok(Str::Absent) };
    let view = node.view()?;
    Ok(match view {
        View::String(text) => Str::Text(text.into_owned()),
        _ => Str::WrongType,
    })
}

fn text_of<N: Node>(node: Option<N>) -> Result<Option<String>, N::Error> {
    Ok(match read_str(node)? {
        Str::Text(text) => Some(text),
        Str::Absent | Str::WrongType => None,
    })
}

/// A size in bytes.
pub(super) fn size(view: &View<'_>) -> Option<u64> {
    view.integer().and_then(|size| u64::try_from(size).ok())
}

/// The server's name, with what is wrong about the keys that should hold it.
struct Server {
    name: Option<String>,
    /// The standard key that is there with a wrong type.
    wrong: Option<&'static str>,
    conflict: bool,
}

fn read_server<N: Node>(members: &N::Members, dialect: Dialect) -> Result<Server, N::Error> {
    let mut server = Server { name: None, wrong: None, conflict: false };
    let own = dialect.server_key();
    let other = if own == SERVER_KEYS[0] { SERVER_KEYS[1] } else { SERVER_KEYS[0] };
    for key in [own, other] {
        match read_str(members.get(top_index(key))?)? {
            Str::Absent => {}
            Str::WrongType => server.wrong = server.wrong.or(Some(key)),
            Str::Text(text) => match &server.name {
                None => server.name = Some(text),
                Some(name) => server.conflict |= *name != text,
            },
        }
    }
    Ok(server)
}

/// The standard fields of a code, as one dialect knows them: none for a code that it does not register.
fn standard(code: ErrorCode, dialect: Dialect) -> Option<&'static CodeInfo> {
    code.info().filter(|info| info.since <= dialect)
}

impl<N: Node> Classified<N> {
    /// The `details` of an `error` as the host has it, where it is an object.
    ///
    /// # Errors
    ///
    /// The host's own error.
    pub fn try_details_node(&self) -> Result<Option<N>, N::Error> {
        if self.verdict.kind != Kind::Error {
            return Ok(None);
        }
        let Some(members) = self.members() else { return Ok(None) };
        Ok(match members.get(P_DETAILS)? {
            Some(details) if details.shape()? == Shape::Object => Some(details),
            _ => None,
        })
    }

    /// `details.reason` of an `error`, known or not, where it is a text.
    ///
    /// # Errors
    ///
    /// The host's own error.
    pub fn try_reason(&self) -> Result<Option<String>, N::Error> {
        match self.try_details_node()? {
            Some(details) => text_of(details.members(&DETAILS)?.get(D_REASON)?),
            None => Ok(None),
        }
    }

    /// `details.trace_id` of an `error`, where it is a text.
    ///
    /// # Errors
    ///
    /// The host's own error.
    pub fn try_trace_id(&self) -> Result<Option<String>, N::Error> {
        match self.try_details_node()? {
            Some(details) => text_of(details.members(&DETAILS)?.get(D_TRACE_ID)?),
            None => Ok(None),
        }
    }

    /// `details.total_size` in bytes. `7.0` is 7, since there are hosts that cannot tell them apart.
    ///
    /// # Errors
    ///
    /// The host's own error.
    pub fn try_total_size(&self) -> Result<Option<u64>, N::Error> {
        let Some(details) = self.try_details_node()? else { return Ok(None) };
        let Some(size) = details.members(&DETAILS)?.get(D_TOTAL_SIZE)? else { return Ok(None) };
        Ok(self::size(&size.view()?))
    }

    /// The typed error of kind `error`, owned; `None` for every other kind.
    ///
    /// # Errors
    ///
    /// The host's own error.
    pub fn try_error(&self) -> Result<Option<ErrorPayload>, N::Error> {
        let Some((mut error, parts)) = self.try_error_with(&mut ToJson)? else { return Ok(None) };
        error.raw_details = parts.raw_details;
        if let Some(Value::Object(map)) = parts.details {
            error.details = Some(map);
        }
        error.extra = parts.extra.into_iter().collect();
        Ok(Some(error))
    }

    /// The typed error, and apart from it what the peer added, made with a builder of the host's own: so a
    /// host's numbers and texts stay what they are.
    ///
    /// # Errors
    ///
    /// The host's own error.
    #[allow(clippy::type_complexity)] // a pair, once
    pub fn try_error_with<B: Build<N>>(
        &self,
        build: &mut B,
    ) -> Result<Option<(ErrorPayload, ErrorParts<B::Value>)>, N::Error> {
        let (Kind::Error, Some(code), Some((node, members))) =
            (self.verdict.kind, self.verdict.code, &self.object)
        else {
            return Ok(None);
        };
        let info = code.info();
        let message = match text_of(members.get(P_MESSAGE)?)? {
            Some(text) => text,
            None => info.map_or("", |info| info.title.en).to_owned(),
        };
        let mut error = ErrorPayload::new(code, message);
        for field in info.map_or(&[][..], |info| info.fields) {
            let value = if SERVER_KEYS.contains(&field.name) {
                read_server::<N>(members, self.verdict.dialect)?.name
            } else {
                text_of(members.get(top_index(field.name))?)?
            };
            if let Some(slot) = error.field_mut(field.name) {
                *slot = value;
            }
        }
        let mut parts = ErrorParts { details: None, raw_details: None, extra: Vec::new() };
        if let Some(details) = members.get(P_DETAILS)? {
            let is_object = details.shape()? == Shape::Object;
            let copy = host::copy(&details, build, MAX_DEPTH)?.0;
            *(if is_object { &mut parts.details } else { &mut parts.raw_details }) = Some(copy);
        }
        node.entries(&mut |key, value| {
            let typed = matches!(key, "code" | "message" | "details")
                || info.is_some_and(|info| {
                    info.fields.iter().any(|field| is_field(field, key))
                        // A standard field of the wrong type is read as absent, and kept as it came.
                        && error.field_mut(key).is_some_and(|slot| slot.is_some())
                });
            if !typed {
                parts.extra.push((key.to_owned(), host::copy(&value, build, MAX_DEPTH)?.0));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(Some((error, parts)))
    }

    pub(super) fn error_violations(&self, found: &mut Vec<Violation>) -> Result<(), N::Error> {
        use ViolationKind as V;
        let (Some(code), Some((node, members))) = (self.verdict.code, &self.object) else { return Ok(()) };
        if self.verdict.code_float {
            found.push(Violation::new(V::CodeFloat));
        }
        let mut stack_trace = false;
        match members.get(P_MESSAGE)? {
            None => found.push(Violation::new(V::MessageMissing)),
            Some(message) => match message.view()? {
                View::String(text) => stack_trace = scrub::has_stack_trace(&text),
                _ => found.push(Violation::new(V::MessageType)),
            },
        }
        let raw_details = members.get(P_DETAILS)?;
        let details = match &raw_details {
            Some(details) if details.shape()? == Shape::Object => Some(details),
            Some(_) => {
                found.push(Violation::new(V::DetailsType));
                None
            }
            None => None,
        };
        let keys = match details {
            Some(details) => Some(details.members(&DETAILS)?),
            None => None,
        };

        if let Some(info) = standard(code, self.verdict.dialect) {
            for field in info.fields {
                self.top_field_violations(members, keys.as_ref(), field, found)?;
            }
            for field in info.details {
                let node = match (&keys, (DETAILS.find)(field.name.as_bytes())) {
                    (Some(keys), Some(index)) => keys.get(index)?,
                    _ => None,
                };
                let Some(node) = node else {
                    if field.required {
                        found.push(Violation::field(V::FieldMissing, field.name));
                    }
                    continue;
                };
                let view = node.view()?;
                let right = match field.kind {
                    FieldType::String => matches!(view, View::String(_)),
                    FieldType::Size => size(&view).is_some(),
                };
                if !right {
                    found.push(Violation::field(V::FieldType, field.name));
                } else if let (View::String(reason), "reason") = (&view, field.name)
                    && info.reason(reason).is_none()
                {
                    found.push(Violation::new(V::ReasonUnknown));
                }
            }
        }

        if let Some(details) = details {
            let findings = scrub::check_details(details)?;
            // What is merely too deep is reported as that.
            if findings.iter().any(|finding| finding.category != scrub::Category::OutOfBounds) {
                found.push(Violation::new(V::DetailsSensitive));
            }
            stack_trace |= findings.iter().any(|finding| finding.category == scrub::Category::StackTrace);
        }
        if stack_trace {
            found.push(Violation::new(V::StackTrace));
        }
        if self.hands_out_too_deep(node)? {
            found.push(Violation::new(V::TooDeep));
        }
        Ok(())
    }

    fn top_field_violations(
        &self,
        members: &N::Members,
        details: Option<&N::Members>,
        field: &Field,
        found: &mut Vec<Violation>,
    ) -> Result<(), N::Error> {
        use ViolationKind as V;
        if !SERVER_KEYS.contains(&field.name) {
            match read_str(members.get(top_index(field.name))?)? {
                Str::Absent if field.required => found.push(Violation::field(V::FieldMissing, field.name)),
                Str::WrongType => found.push(Violation::field(V::FieldType, field.name)),
                Str::Absent | Str::Text(_) => {}
            }
            return Ok(());
        }
        let server = read_server::<N>(members, self.verdict.dialect)?;
        if let Some(key) = server.wrong {
            found.push(Violation::field(V::FieldType, key));
        }
        if server.conflict {
            found.push(Violation::new(V::ServerConflict));
        }
        if server.name.is_none() && server.wrong.is_none() && field.required {
            // 4014 stands for an uninstalled SKILL too, which `details.name` names.
            let names_skill = self.verdict.code == Some(ErrorCode::MCP_SERVER_NOT_FOUND)
                && match details {
                    Some(details) => matches!(read_str(details.get(D_NAME)?)?, Str::Text(_)),
                    None => false,
                };
            if !names_skill {
                found.push(Violation::field(V::FieldMissing, field.key(self.verdict.dialect)));
            }
        }
        Ok(())
    }

    /// Whether `details` or a field that is kept as it came is nested too deeply: one that is not standard, or
    /// is of the wrong type.
    fn hands_out_too_deep(&self, node: &N) -> Result<bool, N::Error> {
        let mut too_deep = false;
        node.entries(&mut |key, value| {
            if !matches!(key, "code" | "message") {
                too_deep |= host::is_too_deep(&value, MAX_DEPTH)?;
            }
            Ok(if too_deep { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(too_deep)
    }
}
