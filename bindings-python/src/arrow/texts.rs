//! A column of texts, whatever Arrow calls it.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;

/// Where the texts are.
pub(super) struct Column {
    /// The place in a table, and what it has there.
    index: Option<usize>,
    data_type: DataType,
}

impl Column {
    /// The column of this name, or the only one there is. The error says what was wrong.
    pub(super) fn find(data_type: &DataType, name: Option<&str>) -> Result<Self, String> {
        let DataType::Struct(fields) = data_type else {
            if name.is_some() {
                return Err("argument 'column': the values are no table".to_owned());
            }
            return Self::of(None, data_type);
        };
        let names =
            || fields.iter().map(|field| format!("'{}'", field.name())).collect::<Vec<_>>().join(", ");
        let index = match name {
            Some(name) => fields.iter().position(|field| field.name() == name),
            None if fields.len() == 1 => Some(0),
            None => return Err(format!("argument 'column': the table has {}; name one", names())),
        };
        match index.and_then(|index| Some((index, fields.get(index)?))) {
            Some((index, field)) => Self::of(Some(index), field.data_type()),
            None => Err(format!("argument 'column': the table has only {}", names())),
        }
    }

    fn of(index: Option<usize>, data_type: &DataType) -> Result<Self, String> {
        match data_type {
            DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::Null => Ok(Self { index, data_type: data_type.clone() }),
            other => Err(format!("argument 'values': expected a column of strings or binary, not {other}")),
        }
    }

    /// Whether more than 2 GiB may be in one array of it.
    pub(super) fn is_large(&self) -> bool {
        !matches!(self.data_type, DataType::Utf8 | DataType::Binary | DataType::Null)
    }
}

/// The texts of one array, as bytes: that a text is UTF-8 is the producer's word, and what reads it looks for itself.
pub(super) struct Texts {
    bytes: Bytes,
    /// Rows of a table that are null as a whole.
    rows: Option<NullBuffer>,
}

enum Bytes {
    Small(BinaryArray),
    Large(LargeBinaryArray),
    View(BinaryViewArray),
    /// Of a type that has nothing but nulls.
    Nothing(usize),
}

impl Texts {
    pub(super) fn of(array: &ArrayRef, column: &Column) -> Self {
        let (inner, rows) = match (column.index, array.as_struct_opt()) {
            (Some(index), Some(table)) => {
                (table.columns().get(index).unwrap_or(array), table.nulls().cloned())
            }
            _ => (array, None),
        };
        let bytes = match inner.data_type() {
            DataType::Utf8 => Bytes::Small(inner.as_string::<i32>().clone().into()),
            DataType::LargeUtf8 => Bytes::Large(inner.as_string::<i64>().clone().into()),
            DataType::Utf8View => Bytes::View(inner.as_string_view().clone().to_binary_view()),
            DataType::Binary => Bytes::Small(inner.as_binary::<i32>().clone()),
            DataType::LargeBinary => Bytes::Large(inner.as_binary::<i64>().clone()),
            DataType::BinaryView => Bytes::View(inner.as_binary_view().clone()),
            _ => Bytes::Nothing(inner.len()),
        };
        Self { bytes, rows }
    }

    pub(super) fn len(&self) -> usize {
        match &self.bytes {
            Bytes::Small(array) => array.len(),
            Bytes::Large(array) => array.len(),
            Bytes::View(array) => array.len(),
            Bytes::Nothing(len) => *len,
        }
    }

    /// The text of a row; `None` for null.
    pub(super) fn get(&self, row: usize) -> Option<&[u8]> {
        if self.rows.as_ref().is_some_and(|rows| rows.is_null(row)) {
            return None;
        }
        match &self.bytes {
            Bytes::Small(array) => (!array.is_null(row)).then(|| array.value(row)),
            Bytes::Large(array) => (!array.is_null(row)).then(|| array.value(row)),
            Bytes::View(array) => (!array.is_null(row)).then(|| array.value(row)),
            Bytes::Nothing(_) => None,
        }
    }
}
