//! Readers of arguments, one for each name: a wrong type is a `TypeError` that says which argument it was.
//!
//! What PyO3 reads by itself says so in a note, which neither `str()` nor Python 3.10 shows.

use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::arguments;

macro_rules! named {
    ($($(#[$doc:meta])* $kind:ident -> $type:ty { $($name:ident)+ })+) => {
        $($(#[$doc])* pub(crate) mod $kind {
            use super::*;
            $(
                pub(crate) fn $name(value: &Bound<'_, PyAny>) -> PyResult<$type> {
                    arguments::$kind(value, stringify!($name))
                }
            )+
        })+
    };
}

named! {
    /// A bool.
    flag -> bool { credentials has_active_turn ok provider_fault records strict }
    /// A str.
    text -> String {
        action automatic capability category client_version max_supported message min_supported name outcome path reason
        server server_version
    }
    /// A str or None.
    maybe_text -> Option<String> { cancel_reason computer_name mcp_server message upload_id }
    /// An int from 0 on.
    size -> u64 { max_size }
    /// The same, or None.
    maybe_size -> Option<u64> { total_size }
    /// An int or None.
    maybe_integer -> Option<i64> { error_code }
    /// An int from 0 on that counts something.
    count -> u32 { max_retries }
    /// A number of seconds.
    seconds -> f64 { cap }
    /// The same, or None.
    maybe_seconds -> Option<f64> { timeout }
    /// A list.
    list -> Py<PyList> { findings }
    /// The same, or None.
    maybe_list -> Option<Py<PyList>> { findings }
}
