//! SKILL names, paths inside a package, the package's files, ranges of bytes.

use std::path::PathBuf;
use std::sync::{Arc, RwLock};

use ackguard::Dialect;
use ackguard::blob;
use ackguard::rel_path::{self, Forbidden};
use ackguard::sandbox::{self, Options, RootError};
use ackguard::skill_name::{self, SkillName as Core, SkillNameError, SkillSource};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyString};

use crate::arguments::{self, caught};
use crate::{errors, named};

/// A SKILL name that the lexer let pass.
#[pyclass(frozen, module = "ackguard")]
pub(crate) struct SkillName {
    raw: Py<PyString>,
    source: SkillSource,
    /// Where the last segment begins; a name that passed is ASCII.
    skill: usize,
}

impl SkillName {
    fn text<'a>(&'a self, py: Python<'a>) -> PyResult<&'a str> {
        self.raw.bind(py).to_str()
    }

    fn owner(&self, py: Python<'_>, source: SkillSource, from: usize) -> PyResult<Option<String>> {
        if self.source != source {
            return Ok(None);
        }
        Ok(self.text(py)?.get(from..self.skill - 1).map(str::to_owned))
    }
}

#[pymethods]
impl SkillName {
    /// The name as it was given.
    #[getter]
    fn raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.raw.bind(py).clone()
    }

    /// `"user"`, `"marketplace"` or `"mcp"`.
    #[getter]
    fn source(&self) -> &'static str {
        self.source.as_str()
    }

    /// The last segment.
    #[getter]
    fn skill<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        Ok(PyString::new(py, self.text(py)?.get(self.skill..).unwrap_or_default()))
    }

    /// The plugin of a marketplace name.
    #[getter]
    fn plugin(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.owner(py, SkillSource::Marketplace, 0)
    }

    /// The server of an mcp name.
    #[getter]
    fn server(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.owner(py, SkillSource::Mcp, "mcp:".len())
    }

    /// Something worth telling whoever wrote the name, such as `"mcp_plugin"`.
    #[getter]
    fn hint(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        // The wider of the two lexers: what it read once it reads again.
        let core = Core::parse(self.text(py)?, Dialect::V0_3)
            .or_else(|_| Core::parse(self.text(py).unwrap_or_default(), Dialect::V0_2));
        Ok(core.ok().and_then(|name| name.hint()).map(|hint| hint.as_str()))
    }

    fn __str__<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.raw(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("SkillName({})", self.raw.bind(py).repr()?))
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.raw.bind(py).hash()
    }

    fn __richcmp__(&self, py: Python<'_>, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let raw = self.raw.bind(py);
        if let Ok(other) = other.cast::<Self>() {
            return raw.rich_compare(other.get().raw.bind(py), op).map(Bound::unbind);
        }
        if other.is_instance_of::<PyString>() {
            return raw.rich_compare(other, op).map(Bound::unbind);
        }
        Ok(py.NotImplemented())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Py<PyString>,))> {
        let rebuild = py.import("ackguard._native")?.getattr("_skill_name")?;
        Ok((rebuild, (self.raw.clone_ref(py),)))
    }
}

/// Makes a `SkillName` from what its `__reduce__` gave: one that either dialect lets pass.
#[pyfunction]
pub(crate) fn _skill_name(name: &Bound<'_, PyAny>) -> PyResult<SkillName> {
    lexed(name, Dialect::V0_3).or_else(|_| lexed(name, Dialect::V0_2))
}

fn lexed(name: &Bound<'_, PyAny>, dialect: Dialect) -> PyResult<SkillName> {
    let Ok(text) = name.cast::<PyString>() else {
        return Err(arguments::wrong_type("name", "str", name));
    };
    let parsed = match text.to_str() {
        Ok(raw) => match Core::parse(raw, dialect) {
            Ok(parsed) => Ok((parsed.source(), raw.len() - parsed.skill().len())),
            Err(error) => Err(errors::skill_name(&error, raw)),
        },
        // A lone surrogate belongs to no name.
        Err(_) => {
            let raw = crate::text::lossy(text);
            Err(Core::parse(&raw, dialect).err().map_or_else(
                || PyValueError::new_err("invalid SKILL name"),
                |it| errors::skill_name(&it, &raw),
            ))
        }
    };
    let (source, skill) = parsed?;
    Ok(SkillName { raw: text.clone().unbind(), source, skill })
}

/// Reads a SKILL name; nothing is trimmed, folded or normalized first.
#[pyfunction]
#[pyo3(signature = (name, *, dialect=None), text_signature = "(name, *, dialect='0.2')")]
pub(crate) fn parse_skill_name(
    name: &Bound<'_, PyAny>,
    dialect: Option<&Bound<'_, PyAny>>,
) -> PyResult<SkillName> {
    caught(|| lexed(name, arguments::dialect(dialect)?))
}

/// Whether the lexer lets a name pass.
#[pyfunction]
#[pyo3(signature = (name, *, dialect=None), text_signature = "(name, *, dialect='0.2')")]
pub(crate) fn is_valid_skill_name(
    name: &Bound<'_, PyAny>,
    dialect: Option<&Bound<'_, PyAny>>,
) -> PyResult<bool> {
    caught(|| {
        let dialect = arguments::dialect(dialect)?;
        let Ok(text) = name.cast::<PyString>() else {
            return Err(arguments::wrong_type("name", "str", name));
        };
        Ok(text.to_str().is_ok_and(|raw| Core::parse(raw, dialect).is_ok()))
    })
}

/// A built name, or the error, whose span lies in the name that was to be built.
fn built(name: Result<String, SkillNameError>, given: &[&str]) -> PyResult<String> {
    name.map_err(|error| errors::skill_name(&error, &given.join(":")))
}

/// The name of a SKILL of the user's own.
#[pyfunction]
pub(crate) fn user_skill_name(skill: &Bound<'_, PyAny>) -> PyResult<String> {
    caught(|| {
        let skill = arguments::text(skill, "skill")?;
        built(skill_name::user(&skill), &[&skill])
    })
}

/// The name of a SKILL of a marketplace plugin.
#[pyfunction]
pub(crate) fn marketplace_skill_name(
    plugin: &Bound<'_, PyAny>,
    skill: &Bound<'_, PyAny>,
) -> PyResult<String> {
    caught(|| {
        let (plugin, skill) = (arguments::text(plugin, "plugin")?, arguments::text(skill, "skill")?);
        built(skill_name::marketplace(&plugin, &skill), &[&plugin, &skill])
    })
}

/// The name of a SKILL of an MCP server.
#[pyfunction]
#[pyo3(signature = (server, skill, *, dialect=None), text_signature = "(server, skill, *, dialect='0.2')")]
pub(crate) fn mcp_skill_name(
    server: &Bound<'_, PyAny>,
    skill: &Bound<'_, PyAny>,
    dialect: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    caught(|| {
        let (server, skill) = (arguments::text(server, "server")?, arguments::text(skill, "skill")?);
        built(skill_name::mcp(&server, &skill, arguments::dialect(dialect)?), &["mcp", &server, &skill])
    })
}

/// The nearest legal name for a near miss, or None.
#[pyfunction]
#[pyo3(signature = (text, *, dialect=None), text_signature = "(text, *, dialect='0.2')")]
pub(crate) fn suggest_skill_name(
    text: &Bound<'_, PyAny>,
    dialect: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<String>> {
    caught(|| Ok(skill_name::suggest_for(&arguments::text(text, "text")?, arguments::dialect(dialect)?)))
}

fn forbidden(names: Option<&Bound<'_, PyAny>>, credentials: bool) -> PyResult<Forbidden> {
    let mut forbidden = Forbidden::new();
    if let Some(names) = names {
        // One str is an iterable of letters, and never what was meant.
        if names.is_instance_of::<PyString>() {
            return Err(arguments::wrong_type("forbid", "an iterable of str", names));
        }
        let mut list = Vec::new();
        for name in
            names.try_iter().map_err(|_| arguments::wrong_type("forbid", "an iterable of str", names))?
        {
            list.push(arguments::text(&name?, "forbid")?);
        }
        forbidden = forbidden.with_names(list);
    }
    Ok(if credentials { forbidden.with_credentials() } else { forbidden })
}

/// A `rel_path` argument: a str or None. A lone surrogate is read as U+FFFD, which no rule is about.
fn rel(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<String>> {
    arguments::optional_text(value, "rel_path")
}

/// Checks the text of a `rel_path` and gives it back without its `.` and empty components.
#[pyfunction]
#[pyo3(signature = (rel_path=None, *, forbid=None, credentials=false), text_signature = "(rel_path=None, *, forbid=(), credentials=False)")]
pub(crate) fn check_rel_path(
    rel_path: Option<&Bound<'_, PyAny>>,
    forbid: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = named::flag::credentials)] credentials: bool,
) -> PyResult<String> {
    caught(|| {
        let rel_path = rel(rel_path)?;
        let checked = rel_path::check(rel_path.as_deref(), &forbidden(forbid, credentials)?);
        checked.map(std::borrow::Cow::into_owned).map_err(|error| errors::resource(&error))
    })
}

/// The directory of a SKILL package, held open.
#[pyclass(frozen, module = "ackguard")]
pub(crate) struct SkillRoot {
    root: RwLock<Option<Arc<sandbox::SkillRoot>>>,
    path: PathBuf,
    max_size: u64,
}

impl SkillRoot {
    fn held(&self) -> PyResult<Arc<sandbox::SkillRoot>> {
        let root = self.root.read().ok().and_then(|root| root.clone());
        root.ok_or_else(|| PyValueError::new_err("the SKILL package is closed"))
    }
}

/// The path of a package: a str, or an object that has one. What its own code raises passes through.
fn folder(given: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    let py = given.py();
    let class = given.get_type();
    let path = if class.hasattr("__fspath__")? {
        py.import("os")?.call_method1("fspath", (given,))?
    } else {
        given.clone()
    };
    // A str only: elsewhere than on Unix bytes are no path.
    path.extract::<PathBuf>().map_err(|_| arguments::wrong_type("path", "str or os.PathLike[str]", given))
}

/// As the system's own refusals are: with `errno` and `filename`, and of the class that goes with the number.
fn refused(error: &RootError) -> PyErr {
    let (errno, reason) = match error {
        RootError::Missing { .. } => (Some(2), "no such SKILL package"),
        RootError::NotADirectory { .. } => (Some(20), "the SKILL package is no directory"),
        RootError::NotReadable { .. } => (Some(13), "the SKILL package cannot be read by this process"),
        // Windows numbers its errors in another way.
        RootError::Io { source, .. } if cfg!(unix) => {
            (source.raw_os_error(), "the SKILL package cannot be opened")
        }
        _ => (None, ""),
    };
    match errno {
        Some(errno) => PyOSError::new_err((errno, reason, error.path().as_os_str().to_owned())),
        None => PyOSError::new_err(error.to_string()),
    }
}

#[pymethods]
impl SkillRoot {
    #[new]
    #[pyo3(
        signature = (path, *, max_size=sandbox::DEFAULT_MAX_SIZE, forbid=None, credentials=false),
        text_signature = "(path, *, max_size=104857600, forbid=(), credentials=False)"
    )]
    fn new(
        py: Python<'_>,
        path: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = named::size::max_size)] max_size: u64,
        forbid: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = named::flag::credentials)] credentials: bool,
    ) -> PyResult<Self> {
        caught(|| {
            let path = folder(path)?;
            let options =
                Options::default().with_max_size(max_size).with_forbidden(forbidden(forbid, credentials)?);
            let root =
                py.detach(|| sandbox::SkillRoot::open(&path, options)).map_err(|error| refused(&error))?;
            let path = root.path().to_path_buf();
            Ok(Self { root: RwLock::new(Some(Arc::new(root))), path, max_size })
        })
    }

    /// The real path of the package's directory when it was opened.
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// Whether the directory is held no more.
    #[getter]
    fn closed(&self) -> bool {
        self.root.read().map_or(true, |root| root.is_none())
    }

    /// Opens a file: a binary file object over the descriptor that was checked. It outlives the root, and gives no
    /// byte beyond the first `max_size`.
    #[pyo3(signature = (rel_path=None))]
    fn open<'py>(
        &self,
        py: Python<'py>,
        rel_path: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        caught(|| {
            let (root, rel) = (self.held()?, rel(rel_path)?);
            let file =
                py.detach(|| root.open_file(rel.as_deref())).map_err(|error| errors::resource(&error))?;
            file_object(py, file.into_file(), self.max_size)
        })
    }

    /// The bytes of a file.
    #[pyo3(signature = (rel_path=None))]
    fn read<'py>(
        &self,
        py: Python<'py>,
        rel_path: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        caught(|| {
            let (root, rel) = (self.held()?, rel(rel_path)?);
            let bytes = py.detach(|| root.read(rel.as_deref())).map_err(|error| errors::resource(&error))?;
            Ok(PyBytes::new(py, &bytes))
        })
    }

    /// The real path of a file. What is behind a path can change: prefer `open` and `read`.
    #[pyo3(signature = (rel_path=None))]
    fn resolve(&self, py: Python<'_>, rel_path: Option<&Bound<'_, PyAny>>) -> PyResult<PathBuf> {
        caught(|| {
            let (root, rel) = (self.held()?, rel(rel_path)?);
            py.detach(|| root.resolve(rel.as_deref())).map_err(|error| errors::resource(&error))
        })
    }

    /// The size of a file in bytes.
    #[pyo3(signature = (rel_path=None))]
    fn size(&self, py: Python<'_>, rel_path: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
        caught(|| {
            let (root, rel) = (self.held()?, rel(rel_path)?);
            py.detach(|| root.stat(rel.as_deref())).map_err(|error| errors::resource(&error))
        })
    }

    /// Lets go of the directory. Files that are open stay open.
    fn close(&self) {
        if let Ok(mut root) = self.root.write() {
            *root = None;
        }
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyResult<PyRef<'_, Self>> {
        this.held()?;
        Ok(this)
    }

    #[pyo3(signature = (*_exc))]
    fn __exit__(&self, _exc: &Bound<'_, PyAny>) {
        self.close();
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let path = self.path.as_os_str().into_pyobject(py)?.repr()?;
        Ok(format!("SkillRoot({path}{})", if self.closed() { ", closed" } else { "" }))
    }
}

/// The maker of file objects, `ackguard._files.bounded`.
fn file_maker(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static MAKER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let maker = MAKER
        .get_or_try_init(py, || Ok::<_, PyErr>(py.import("ackguard._files")?.getattr("bounded")?.unbind()))?;
    Ok(maker.bind(py))
}

#[cfg(unix)]
fn file_object(py: Python<'_>, file: std::fs::File, bound: u64) -> PyResult<Bound<'_, PyAny>> {
    use std::os::fd::{AsRawFd, IntoRawFd};
    let opened = file_maker(py)?.call1((file.as_raw_fd(), bound))?;
    // From here on the file object closes it.
    let _ = file.into_raw_fd();
    Ok(opened)
}

#[cfg(windows)]
fn file_object(py: Python<'_>, file: std::fs::File, bound: u64) -> PyResult<Bound<'_, PyAny>> {
    use std::os::windows::io::{AsRawHandle, IntoRawHandle};
    let handle = file.as_raw_handle().addr();
    let flags = py.import("os")?.getattr("O_RDONLY")?;
    let descriptor = py.import("msvcrt")?.call_method1("open_osfhandle", (handle, flags))?;
    let _ = file.into_raw_handle();
    file_maker(py)?.call1((descriptor, bound))
}

/// Checks an offset against a size; raises `BlobError` with the reason `range`. Equal is the empty last chunk:
/// the answer says whether the offset is at the end.
#[pyfunction]
pub(crate) fn check_blob_range(
    chunk_offset: &Bound<'_, PyAny>,
    total_size: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    caught(|| {
        let (offset, total) =
            (arguments::whole(chunk_offset, "chunk_offset")?, arguments::size(total_size, "total_size")?);
        blob::check_range(offset, total).map(|it| it.eof).map_err(|error| errors::blob(&error))
    })
}

/// How many bytes to send, and whether they end the resource.
#[pyfunction]
pub(crate) fn clamp_chunk(
    offset: &Bound<'_, PyAny>,
    total: &Bound<'_, PyAny>,
    wanted: &Bound<'_, PyAny>,
    cap: &Bound<'_, PyAny>,
) -> PyResult<(u64, bool)> {
    caught(|| {
        let (offset, total) = (arguments::whole(offset, "offset")?, arguments::size(total, "total")?);
        let (wanted, cap) = (arguments::size(wanted, "wanted")?, arguments::size(cap, "cap")?);
        let chunk = blob::clamp_chunk(offset, total, wanted, cap).map_err(|error| errors::blob(&error))?;
        Ok((chunk.len, chunk.eof))
    })
}
