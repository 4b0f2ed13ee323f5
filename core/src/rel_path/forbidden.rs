//! The set of names that are never served, whatever they are called by.

use super::fold::{fold_into, is_ignored_anywhere, is_ignored_by_hfs};
use super::is_idle;
use super::short_name::{ShortName, ShortRule};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

/// The file that holds a SKILL's secrets.
const SKILLENV: &str = ".skillenv";

/// The files that hold credentials by convention.
const CREDENTIALS: &[&str] = &[
    ".env",
    ".env.*",
    ".envrc",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".yarnrc.yml",
    ".pypirc",
    ".pgpass",
    ".git-credentials",
    ".htpasswd",
    ".dockercfg",
    ".docker/config.json",
    ".kube/config",
    ".aws/credentials",
    "application_default_credentials.json",
    "credentials.json",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ecdsa_sk",
    "id_ed25519",
    "id_ed25519_sk",
    "id_xmss",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.ppk",
    "*.jks",
    "*.keystore",
    "*.kdbx",
];

/// How much a name may be disguised and still be recognized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sight {
    /// As the text of a `rel_path` is seen, the same on every platform.
    Lexical,
    /// As the file systems that a kernel may have mounted see a name, and what a link may have in it.
    #[cfg_attr(
        not(all(feature = "fs", not(target_family = "wasm"))),
        expect(dead_code, reason = "native only")
    )]
    Native,
}

/// The set of files that are never served: `.skillenv` always, and what the host adds (spec: rel_path).
///
/// Names are compared as a careless file system would: without regard to case, without the code points that
/// HFS+ ignores, without trailing dots and spaces, and by the short names that NTFS would give. Nothing can
/// take `.skillenv` out of the set.
///
/// ```
/// use ackguard::rel_path::Forbidden;
///
/// let forbidden = Forbidden::default().with_names([".skillenv*", "*.sqlite", ".aws/config"]);
/// assert!(forbidden.matches("data/users.SQLite"));
/// assert!(forbidden.matches("home/.aws/config"));
/// assert!(forbidden.matches("SKILLE~2"));
/// assert!(!forbidden.matches("config"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Forbidden {
    extra: Names,
}

impl Forbidden {
    /// The default set: `.skillenv`, at any depth.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the files that hold credentials by convention, such as `.env`, `.netrc`, `id_rsa` and `*.pem`.
    #[must_use]
    pub fn with_credentials(self) -> Self {
        self.with_names(CREDENTIALS)
    }

    /// Adds names: `*` stands for any run of characters within a component, and a name with a `/` in it stands
    /// for components that follow one another, at any depth, which a `**/` in front says once more. A name without
    /// anything in it but dots and spaces adds nothing.
    #[must_use]
    pub fn with_names<I>(mut self, names: I) -> Self
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        for name in names {
            self.extra.add(name.as_ref());
        }
        self
    }

    /// Whether a path, its components separated by `/`, has a forbidden file in it, at any depth.
    ///
    /// This is the comparison by itself: it does not look for `..` and the like, which [`super::check`] refuses.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        // Nearly every path can be cleared by a look at its bytes: what is no short name and neither begins
        // with a dot nor has anything but ASCII in it cannot stand for `.skillenv`.
        if self.extra.is_empty() && path.is_ascii() {
            let bytes = path.as_bytes();
            let dotted = bytes.first() == Some(&b'.') || bytes.windows(2).any(|pair| pair == b"/.");
            if !dotted && !bytes.contains(&b'~') {
                return false;
            }
        }
        self.matches_components(path.split('/'), Sight::Lexical)
    }

    /// Whether the components of a path have a forbidden file in them.
    pub(crate) fn matches_components<'a>(
        &self,
        components: impl Iterator<Item = &'a str>,
        sight: Sight,
    ) -> bool {
        let ignored = match sight {
            Sight::Lexical => is_ignored_by_hfs,
            Sight::Native => is_ignored_anywhere,
        };
        // All folded components in one text, for a pattern may span several.
        let mut folded = String::with_capacity(128);
        let mut ends = Vec::with_capacity(8);
        for component in components.filter(|component| !is_idle(component)) {
            let start = folded.len();
            fold_into(&mut folded, component, ignored);
            let name = folded.get(start..).unwrap_or_default();
            if is_skillenv(name) {
                return true;
            }
            // What has nothing but dots and spaces leads nowhere for a file system that drops them.
            if !name.is_empty() {
                ends.push(folded.len());
            } else if self.extra.globs.iter().any(|glob| glob.matches(name)) {
                return true;
            }
        }
        if self.extra.is_empty() {
            return false;
        }
        let mut start = 0;
        let names: Vec<Name<'_>> = ends
            .iter()
            .map(|&end| Name::of(folded.get(core::mem::replace(&mut start, end)..end).unwrap_or_default()))
            .collect();
        self.extra.matches(&names)
    }
}

/// A folded component, and what it says if it is a short name.
struct Name<'a> {
    text: &'a str,
    short: Option<ShortName<'a>>,
}

impl<'a> Name<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, short: if text.as_bytes().contains(&b'~') { ShortName::read(text) } else { None } }
    }
}

fn is_skillenv(folded: &str) -> bool {
    folded == SKILLENV
        || (folded.as_bytes().contains(&b'~')
            && ShortName::read(folded).is_some_and(|short| ShortRule::of(SKILLENV).allows(short)))
}

/// The names that a host adds, by how they are looked for: every component of every path is held against them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Names {
    /// Names without a star, in order.
    exact: Vec<String>,
    /// Names with a star.
    globs: Vec<Glob>,
    /// Names of several components.
    several: Vec<Vec<(Glob, ShortRule)>>,
    /// What all of the names of one component could be called as short names.
    short: Vec<ShortRule>,
}

impl Names {
    fn add(&mut self, name: &str) {
        // In front, where it is habit, it means any depth, the first included; a name is looked for there anyway.
        let mut name = name;
        while let Some(below) = name.strip_prefix("**/") {
            name = below;
        }
        let mut folded = name.split(['/', '\\']).filter_map(|component| {
            let mut text = String::new();
            fold_into(&mut text, component, is_ignored_by_hfs);
            // Components that lead nowhere are not looked at in a path either.
            (!text.is_empty()).then(|| (ShortRule::of(&text), Glob::new(text)))
        });
        let (Some((short, glob)), second) = (folded.next(), folded.next()) else { return };
        if let Some((second_short, second)) = second {
            let rest = folded.map(|(short, glob)| (glob, short));
            self.several.push([(glob, short), (second, second_short)].into_iter().chain(rest).collect());
            return;
        }
        self.short.push(short);
        match glob {
            Glob::Exactly(text) => {
                if let Err(place) = self.exact.binary_search(&text) {
                    self.exact.insert(place, text);
                }
            }
            glob => self.globs.push(glob),
        }
    }

    fn is_empty(&self) -> bool {
        self.short.is_empty() && self.several.is_empty()
    }

    fn matches(&self, names: &[Name<'_>]) -> bool {
        names.iter().any(|name| {
            self.exact.binary_search_by(|exact| exact.as_str().cmp(name.text)).is_ok()
                || self.globs.iter().any(|glob| glob.matches(name.text))
                || name.short.is_some_and(|short| self.short.iter().any(|rule| rule.allows(short)))
        }) || self.several.iter().any(|several| {
            names.windows(several.len()).any(|window| {
                several.iter().zip(window).all(|((glob, rule), name)| {
                    glob.matches(name.text) || name.short.is_some_and(|short| rule.allows(short))
                })
            })
        })
    }
}

/// A folded name in which `*` stands for any run of characters. Most have no star, or one at an end, which takes
/// no search.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Glob {
    Exactly(String),
    Beginning(String),
    Ending(String),
    Search(String),
}

impl Glob {
    fn new(text: String) -> Self {
        match (text.strip_prefix('*'), text.strip_suffix('*')) {
            _ if !text.as_bytes().contains(&b'*') => Self::Exactly(text),
            (Some(ending), _) if !ending.as_bytes().contains(&b'*') => Self::Ending(ending.to_owned()),
            (_, Some(beginning)) if !beginning.as_bytes().contains(&b'*') => {
                Self::Beginning(beginning.to_owned())
            }
            _ => Self::Search(text),
        }
    }

    fn matches(&self, name: &str) -> bool {
        match self {
            Self::Exactly(text) => name == text,
            Self::Beginning(text) => name.starts_with(text),
            // Nearly every name differs in its last letter, and a look at it is cheaper than a comparison.
            Self::Ending(text) => {
                (text.is_empty() || name.as_bytes().last() == text.as_bytes().last()) && name.ends_with(text)
            }
            Self::Search(text) => glob(text.as_bytes(), name.as_bytes()),
        }
    }
}

/// Matches without recursion: a `*` that took too little is the only place to come back to, and only the
/// last one, so the time is at most the product of the lengths.
fn glob(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    loop {
        match (pattern.get(p), name.get(n)) {
            (Some(b'*'), _) => {
                p += 1;
                retry = Some((p, n));
            }
            (Some(a), Some(b)) if a == b => {
                p += 1;
                n += 1;
            }
            (None, None) => return true,
            _ => match retry {
                Some((after_star, taken)) if taken < name.len() => {
                    retry = Some((after_star, taken + 1));
                    p = after_star;
                    n = taken + 1;
                }
                _ => return false,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars() {
        let is_match = |pattern: &str, name: &str| glob(pattern.as_bytes(), name.as_bytes());
        assert!(is_match("*", ""));
        assert!(is_match("*.pem", ".pem"));
        assert!(is_match("a*b*c", "a-b-b-c"));
        assert!(is_match("a**", "a"));
        assert!(!is_match("a*b", "a-b-"));
        assert!(!is_match("", "a"));
        assert!(!is_match("*.pem", "pem"));
        // Quadratic at the worst, and that within a component's length.
        assert!(!is_match("*a*a*a*a*a*a*b", &"a".repeat(4096)));
    }

    #[test]
    fn skillenv_stays_forbidden_whatever_is_added() {
        for forbidden in
            [Forbidden::new(), Forbidden::new().with_names([""]), Forbidden::new().with_names(["x"])]
        {
            for path in [".skillenv", "a/.SKILLENV./b", "SKILLE~1", ".s\u{212a}ill\u{200d}env .. "] {
                assert!(forbidden.matches(path), "{path:?}");
            }
            assert!(!forbidden.matches(".skillenv2"));
            assert!(!forbidden.matches("references/note.txt"));
        }
    }

    #[test]
    fn added_names_are_seen_through_the_same_disguises() {
        let forbidden = Forbidden::new().with_credentials();
        for path in [
            ".env",
            ".ENV",
            "a/.env.local",
            ".env.",
            ".e\u{200c}nv ",
            "x/ID_RSA",
            "id_r\u{17f}a",
            "k/Server.PEM. ",
            "a.p\u{feff}12",
            ".aws/credentials",
            "home/.AWS./Credentials/x",
            "creden~1.jso",
            "GIT-CR~1",
        ] {
            assert!(forbidden.matches(path), "{path:?}");
        }
        for path in
            ["environment", "id_rsa.pub", "credentials", "aws/credentials", "a.pem.txt", ".aws/x/credentials"]
        {
            assert!(!forbidden.matches(path), "{path:?}");
        }
    }

    #[test]
    fn native_sight_drops_every_ignorable() {
        let forbidden = Forbidden::new();
        let native = |path: &str| forbidden.matches_components(path.split('/'), Sight::Native);
        assert!(native("a/.skill\u{ad}env"));
        assert!(native(".skill\u{200b}env"));
        assert!(!forbidden.matches(".skill\u{200b}env"));
        assert!(!native("技能/.md"));
    }
}
