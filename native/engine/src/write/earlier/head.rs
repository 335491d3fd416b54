//! What stands before a body or a semicolon in a file of tests: the head of a class, of a member, or a statement.
//!
//! Comes in: heads, without comments and literals. Goes out: whether JUnit takes what follows for a test, runs it around
//! tests, or may do either; and the name of a test.
//! An annotation is harmless where a list here has it. Any other one may stand for `@Test`, `@BeforeEach` or an extension,
//! for JUnit looks at the annotations of annotations; and what a class inherits may have all of these.
//! Does not know: what else is in the file.

use std::collections::BTreeSet;

/// Tests that run several times, or that methods make.
const OTHER_KINDS: &[&str] = &[
    "RepeatedTest",
    "ParameterizedTest",
    "TestFactory",
    "TestTemplate",
];

/// What makes something happen before, after or instead of a test.
const AROUND: &[&str] = &[
    "Before",
    "BeforeEach",
    "BeforeAll",
    "BeforeClass",
    "After",
    "AfterEach",
    "AfterAll",
    "AfterClass",
    "ClassRule",
    "ExtendWith",
    "RegisterExtension",
    "RunWith",
    "TestInstance",
];

/// What makes no test of anything, and runs no code: Java's and JUnit's, with all that Palus writes.
const HARMLESS: &[&str] = &[
    "Category",
    "Deprecated",
    "DisplayName",
    "DisplayNameGeneration",
    "Execution",
    "FixMethodOrder",
    "FunctionalInterface",
    "Isolated",
    "Nested",
    "Order",
    "Override",
    "ResourceLock",
    "SafeVarargs",
    "SuppressWarnings",
    "Tag",
    "Tags",
    "TempDir",
    "Test",
    "TestMethodOrder",
    "Timeout",
];

/// Those of them that need no import.
const OF_JAVA: &[&str] = &[
    "Deprecated",
    "FunctionalInterface",
    "Override",
    "SafeVarargs",
    "SuppressWarnings",
];

/// What a file says of the names of annotations.
pub(super) struct Names {
    /// The annotation that switches tests off. None where it is not JUnit's for sure, or the file mixes generations of
    /// JUnit: each runs what the other switches off.
    switch: Option<&'static str>,
    /// Simple names that are imported from Java and JUnit. One that is not may be of the file's own package.
    known: BTreeSet<String>,
    /// Whether whole packages of JUnit are imported, and none of others.
    has_all_of_junit: bool,
}

impl Names {
    pub(super) fn of(text: &str) -> Names {
        let (old, new) = ("org.junit.Ignore", "org.junit.jupiter.api.Disabled");
        let is_old = [old, "org.junit.Test", "org.junit.*"]
            .iter()
            .any(|name| text.contains(name));
        let switch = match (is_old, text.contains("org.junit.jupiter")) {
            (true, false) if text.contains(old) => Some("Ignore"),
            (false, true) if text.contains(new) => Some("Disabled"),
            _ => None,
        };
        let before = text.split('{').next().unwrap_or_default();
        let imports = before.split(';').filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let (&first, rest) = words.split_first()?;
            let rest = rest.strip_prefix(&["static"]).unwrap_or(rest);
            (first == "import").then(|| rest.concat())
        });
        let (mut known, mut junits, mut others) = (BTreeSet::new(), false, false);
        for import in imports {
            let path: Vec<&str> = import.split('.').collect();
            let is_known = is_of_java_or_junit(&path);
            match path.last() {
                Some(&"*") => {
                    junits |= is_known;
                    others |= !is_known;
                }
                Some(name) if is_known => {
                    known.insert((*name).to_owned());
                }
                _ => {}
            }
        }
        Names {
            switch,
            known,
            has_all_of_junit: junits && !others,
        }
    }

    fn knows(&self, name: &str) -> bool {
        self.has_all_of_junit || OF_JAVA.contains(&name) || self.known.contains(name)
    }
}

/// A name as it stands in a head, and how it stands there.
struct Annotation<'t> {
    path: Vec<&'t str>,
    /// Of what the head is of, and not of a parameter.
    is_own: bool,
    has_arguments: bool,
}

impl<'t> Annotation<'t> {
    fn simple(&self) -> &'t str {
        self.path.last().copied().unwrap_or_default()
    }

    /// The simple name where it may be JUnit's, by the short name or the whole one.
    fn junit(&self) -> Option<&'t str> {
        let may_be = self.path.len() == 1 || self.path.first() == Some(&"org");
        may_be.then(|| self.simple())
    }

    fn is_harmless(&self, names: &Names) -> bool {
        let name = self.simple();
        let is_known = match self.path.len() {
            1 => name == "Test" || names.knows(name),
            _ => is_of_java_or_junit(&self.path),
        };
        // By an argument some code of the user's may make the folder.
        is_known && HARMLESS.contains(&name) && (name != "TempDir" || !self.has_arguments)
    }

    /// `EnabledOnOs`, `DisabledIf` and others decide when a test runs.
    fn is_condition(&self) -> bool {
        self.junit().is_some_and(|name| {
            name.starts_with("Enabled") || name.starts_with("Disabled") && name != "Disabled"
        })
    }

    fn is_one_of(&self, all: &[&str]) -> bool {
        self.junit().is_some_and(|name| all.contains(&name))
    }
}

/// A head, with its annotations.
pub(super) struct Head<'t> {
    text: &'t str,
    /// The byte after it: `;`, `{` or `}`.
    end: u8,
    annotations: Vec<Annotation<'t>>,
    words: Vec<&'t str>,
    is_switched_off: bool,
    /// Whether an annotation of its own is on no list.
    has_unknown: bool,
}

impl<'t> Head<'t> {
    pub(super) fn of(text: &'t str, end: u8, names: &Names) -> Head<'t> {
        let annotations = annotations(text);
        let is_named = |name: &str| annotations.iter().any(|one| one.junit() == Some(name));
        let is_switched_off = names.switch.is_some_and(is_named);
        let is_unknown = |one: &Annotation<'_>| {
            let is_listed = one.is_one_of(OTHER_KINDS)
                || one.is_one_of(AROUND)
                || one.is_condition()
                || one.junit() == Some("Rule");
            one.is_own && !is_listed && !one.is_harmless(names)
        };
        let has_unknown = !is_switched_off && annotations.iter().any(is_unknown);
        Head {
            text,
            end,
            annotations,
            words: words(text),
            is_switched_off,
            has_unknown,
        }
    }

    /// Whether a member with this head is annotated as a test.
    pub(super) fn is_test(&self) -> bool {
        self.has("Test") || self.is_test_of_its_own_kind()
    }

    fn is_test_of_its_own_kind(&self) -> bool {
        let mut all = self.annotations.iter();
        all.any(|one| one.is_one_of(OTHER_KINDS))
    }

    pub(super) fn is_switched_off(&self) -> bool {
        self.is_switched_off
    }

    /// Whether a class, or a member of it, with this head has other code run around its tests. A rule for a folder is known.
    pub(super) fn is_around_tests(&self) -> bool {
        let mut all = self.annotations.iter();
        all.any(|one| one.is_one_of(AROUND) || one.is_condition())
            || self.has("Rule") && !self.is_folder()
    }

    /// `@Rule public TemporaryFolder folder = new TemporaryFolder()`
    fn is_folder(&self) -> bool {
        let value: String = self
            .value()
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        let forms = [
            "newTemporaryFolder(",
            "neworg.junit.rules.TemporaryFolder(",
            "TemporaryFolder.builder()",
        ];
        self.end == b';' && forms.iter().any(|form| value.starts_with(form))
    }

    /// The name of a test that can be called by it, and be called alone.
    pub(super) fn plain_test(&self) -> Option<&'t str> {
        self.name()
            .filter(|_| !self.has_unknown && !self.is_test_of_its_own_kind())
    }

    /// `adds` of `@Test(timeout = 10) public void adds() throws Throwable`
    pub(super) fn name(&self) -> Option<&'t str> {
        let (head, body) = (self.text, self.end == b'{');
        let (_, rest) = head
            .match_indices("void")
            .map(|(at, word)| (head[..at].chars().next_back(), &head[at + word.len()..]))
            .find(|(before, rest)| {
                before.is_none_or(char::is_whitespace) && rest.starts_with(char::is_whitespace)
            })?;
        let (name, rest) = rest.split_once('(')?;
        let name = name.trim();
        let has_none = rest.trim_start().starts_with(')');
        (body && has_none && name.chars().all(is_part) && !name.is_empty()).then_some(name)
    }

    /// Whether a class begins here.
    pub(super) fn is_class(&self) -> bool {
        self.end == b'{' && self.class().is_some()
    }

    /// Whether the tests of a class with this head are more than they look like: it inherits some, somebody else runs it, or
    /// an annotation of it may do so.
    pub(super) fn adds_to_tests(&self) -> bool {
        self.is_class() && (self.inherits() || self.has_unknown || self.has("RunWith"))
    }

    /// Whether JUnit may make an object of a class with this head.
    pub(super) fn is_concrete(&self) -> bool {
        let is_one = matches!(self.class(), Some("class" | "record"));
        is_one && !self.says("abstract") && !self.says("private")
    }

    /// Whether JUnit may run a member with this head, or all of it if it is a class, which is no test by its looks.
    pub(super) fn may_run(&self, is_in_nested: bool) -> bool {
        if self.is_class() {
            let is_found =
                self.says("static") || self.class() == Some("record") || self.has("Nested");
            self.is_concrete()
                && (is_found || self.has_unknown)
                && (self.inherits() || self.has_unknown)
        } else if self.is_around_tests() || !self.has_unknown {
            false
        } else if self.end == b'{' && self.value().is_none() {
            !(self.says("private") || is_in_nested && self.says("static"))
        } else {
            !is_in_nested
        }
    }

    fn has(&self, name: &str) -> bool {
        let mut all = self.annotations.iter();
        all.any(|one| one.junit() == Some(name))
    }

    fn says(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    fn inherits(&self) -> bool {
        self.says("extends") || self.says("implements")
    }

    /// What kind of class it is of, by its word.
    fn class(&self) -> Option<&'t str> {
        let is_kind = |word: &&str| ["class", "interface", "enum", "record"].contains(word);
        // What is called so and is no class has no name after it: `void record()`.
        let front = self.words.split_last().map_or(&[][..], |(_, front)| front);
        front.iter().copied().find(is_kind)
    }

    /// What a field is set to.
    fn value(&self) -> Option<&'t str> {
        let mut depth = 0_usize;
        for (at, one) in self.text.bytes().enumerate() {
            match one {
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                b'=' if depth == 0 => return Some(&self.text[at + 1..]),
                _ => {}
            }
        }
        None
    }
}

/// Of a name.
fn is_part(one: char) -> bool {
    one.is_alphanumeric() || matches!(one, '_' | '$')
}

fn is_of_java_or_junit(path: &[&str]) -> bool {
    path.starts_with(&["org", "junit"]) || path.starts_with(&["java", "lang"])
}

/// The name that a text begins with, and what is behind it: `org`, `junit`, `Test` of `org.junit.Test public void`.
fn path(text: &str) -> (Vec<&str>, &str) {
    let mut path = Vec::new();
    let mut rest = text.trim_start();
    loop {
        let end = rest.find(|one| !is_part(one)).unwrap_or(rest.len());
        if end == 0 {
            return (path, rest);
        }
        path.push(&rest[..end]);
        rest = &rest[end..];
        match rest.trim_start().strip_prefix('.') {
            Some(more) => rest = more.trim_start(),
            None => return (path, rest),
        }
    }
}

fn annotations(head: &str) -> Vec<Annotation<'_>> {
    let mut all = Vec::new();
    let mut depth = 0_usize;
    for (at, one) in head.bytes().enumerate() {
        match one {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'@' => {
                let (path, rest) = path(&head[at + 1..]);
                // `@interface` begins a class.
                if !path.is_empty() && path != ["interface"] {
                    all.push(Annotation {
                        path,
                        is_own: depth == 0,
                        has_arguments: rest.trim_start().starts_with('('),
                    });
                }
            }
            _ => {}
        }
    }
    all
}

/// The words of a head, but for names of annotations and what stands between parentheses or angle brackets.
fn words(head: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut depth = 0_usize;
    let mut rest = head;
    while let Some(one) = rest.chars().next() {
        if one == '@' {
            rest = path(&rest[1..]).1;
            continue;
        }
        let end = rest.find(|one| !is_part(one)).unwrap_or(rest.len());
        if end > 0 && depth == 0 {
            words.push(&rest[..end]);
        }
        match one {
            '(' | '<' => depth += 1,
            ')' | '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        rest = &rest[end.max(one.len_utf8())..];
    }
    words
}
