//! What Java source text says that methods throw: `throws` clauses, and `@throws` and `@exception` of doc comments.
//!
//! Comes in: the text of a source file. Goes out: its methods with the names of these exceptions.
//! Does not know: method bodies, which it skips; whether the text compiles: what it cannot read it passes over.
//!
//! Types of parameters are erased and simple names, as `parameter_types` makes them of descriptors. Names of exceptions
//! are internal ones where the file's imports, its package or `java.lang` say which class is meant, else simple ones.

mod tokens;

use std::collections::BTreeMap;
use std::sync::Arc;
use tokens::{Token, tokens};

/// Types that lie deeper in one another are passed over, so that no text decides how deep the reader recurs.
const DEEPEST_NESTING: usize = 30;

const MODIFIERS: [&str; 14] = [
    "public",
    "protected",
    "private",
    "static",
    "final",
    "abstract",
    "native",
    "synchronized",
    "transient",
    "volatile",
    "strictfp",
    "default",
    "sealed",
    "non",
];

/// A method that declares exceptions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Member {
    /// Its name; `<init>` for constructors.
    pub name: Arc<str>,
    /// Erased simple names of its parameters' types.
    pub parameters: Vec<String>,
    /// Internal names; simple ones where it is not known which class is meant.
    pub exceptions: Vec<Arc<str>>,
}

/// The methods of all types of a file, by the types' internal names. `exists` tells whether there is a class of an
/// internal name.
pub(crate) fn read(text: &str, exists: &dyn Fn(&str) -> bool) -> Vec<(String, Vec<Member>)> {
    let mut reader = Reader {
        tokens: tokens(text),
        at: 0,
        names: Names::default(),
        exists,
        types: Vec::new(),
    };
    reader.file();
    reader.types
}

/// What names mean in a file.
#[derive(Default)]
struct Names {
    /// As an internal name with a slash at its end; empty without a package.
    package: String,
    single: BTreeMap<String, Vec<String>>,
    on_demand: Vec<String>,
}

/// Type variables with the simple names of what they are erased to, the innermost last.
type Variables = Vec<(String, String)>;

struct Reader<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    names: Names,
    exists: &'a dyn Fn(&str) -> bool,
    types: Vec<(String, Vec<Member>)>,
}

/// A type whose members are read.
struct Around {
    internal_name: String,
    simple_name: String,
    variables: Variables,
    /// Types of a record's components.
    components: Vec<String>,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    fn next(&mut self) -> Option<Token<'a>> {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn word(&mut self) -> Option<&'a str> {
        match self.peek() {
            Some(Token::Word(word)) => {
                self.at += 1;
                Some(word)
            }
            _ => None,
        }
    }

    fn takes(&mut self, symbol: char) -> bool {
        let is_next = self.peek() == Some(Token::Symbol(symbol));
        self.at += usize::from(is_next);
        is_next
    }

    fn file(&mut self) {
        while let Some(token) = self.next() {
            match token {
                Token::Word("package") => {
                    let parts = self.dotted();
                    self.names.package = parts.join("/") + "/";
                }
                Token::Word("import") => self.import(),
                Token::Symbol('@') if self.peek() != Some(Token::Word("interface")) => {
                    self.annotation();
                }
                Token::Word(kind) if self.begins_type(kind) => {
                    let package = self.names.package.clone();
                    self.declared_type(kind, &package, &[], 0);
                }
                _ => {}
            }
        }
    }

    fn import(&mut self) {
        let is_static = self.peek() == Some(Token::Word("static"));
        self.at += usize::from(is_static);
        let parts: Vec<String> = self.dotted().into_iter().map(str::to_owned).collect();
        if is_static || parts.is_empty() {
            return;
        }
        if self.takes('*') {
            self.names.on_demand.push(parts.join("/") + "/");
        } else if let Some(last) = parts.last() {
            self.names.single.insert(last.clone(), parts);
        }
    }

    /// Words with dots between them, also one behind the last.
    fn dotted(&mut self) -> Vec<&'a str> {
        let mut parts = Vec::new();
        while let Some(part) = self.word() {
            parts.push(part);
            if !self.takes('.') {
                break;
            }
        }
        parts
    }

    /// What stands behind `@`.
    fn annotation(&mut self) {
        self.dotted();
        if self.takes('(') {
            self.skip_to_end('(', ')');
        }
    }

    /// Behind an opening bracket: to behind the one that closes it.
    fn skip_to_end(&mut self, open: char, close: char) {
        let mut depth = 1;
        while depth > 0 {
            match self.next() {
                Some(Token::Symbol(symbol)) if symbol == open => depth += 1,
                Some(Token::Symbol(symbol)) if symbol == close => depth -= 1,
                Some(_) => {}
                None => return,
            }
        }
    }

    /// To behind the `;` that ends a declaration, or before the `}` around it.
    fn skip_declaration(&mut self) {
        let mut depth = 0;
        while let Some(token) = self.peek() {
            match token {
                Token::Symbol('(' | '{' | '[') => depth += 1,
                Token::Symbol('}') if depth == 0 => return,
                Token::Symbol(')' | '}' | ']') => depth -= 1,
                Token::Symbol(';') if depth <= 0 => {
                    self.at += 1;
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// True if a type is declared by a word that was just read.
    fn begins_type(&self, kind: &str) -> bool {
        let named = matches!(self.peek(), Some(Token::Word(_)));
        let then = self.tokens.get(self.at + 1);
        match kind {
            "class" | "interface" | "enum" => named,
            "record" => named && matches!(then, Some(Token::Symbol('(' | '<'))),
            _ => false,
        }
    }

    /// Behind the word that says what kind of type it is. `prefix` is its internal name's beginning.
    fn declared_type(
        &mut self,
        kind: &str,
        prefix: &str,
        variables: &[(String, String)],
        depth: usize,
    ) {
        let simple_name = self.word().unwrap_or_default().to_owned();
        let mut variables = variables.to_vec();
        if self.takes('<') {
            self.type_parameters(&mut variables);
        }
        let mut components = Vec::new();
        if kind == "record" && self.takes('(') {
            components = self.parameters(&variables);
        }
        // Annotations of supertypes may have parentheses.
        while let Some(token) = self.next() {
            match token {
                Token::Symbol('(') => self.skip_to_end('(', ')'),
                Token::Symbol('{') => break,
                _ => {}
            }
        }
        if depth == DEEPEST_NESTING {
            self.skip_to_end('{', '}');
            return;
        }
        if kind == "enum" {
            self.skip_declaration();
        }
        self.members(&Around {
            internal_name: format!("{prefix}{simple_name}"),
            simple_name,
            variables,
            components,
            depth,
        });
    }

    /// To behind the `}` of the type.
    fn members(&mut self, around: &Around) {
        let mut members = Vec::new();
        let mut doc = None;
        let mut variables = around.variables.clone();
        while let Some(token) = self.next() {
            let is_over = match token {
                Token::Symbol('}') => break,
                Token::Doc(text) => {
                    doc = Some(text);
                    false
                }
                Token::Symbol('@') if self.peek() == Some(Token::Word("interface")) => {
                    self.at += 1;
                    self.nested("interface", around);
                    true
                }
                Token::Symbol('@') => {
                    self.annotation();
                    false
                }
                Token::Symbol('{') => {
                    self.skip_to_end('{', '}');
                    true
                }
                Token::Symbol('<') => {
                    self.type_parameters(&mut variables);
                    false
                }
                Token::Word(kind) if self.begins_type(kind) => {
                    self.nested(kind, around);
                    true
                }
                Token::Word(word) if !MODIFIERS.contains(&word) => {
                    let member = self.member(word, doc, around, &variables);
                    members.extend(member.filter(|member| !member.exceptions.is_empty()));
                    true
                }
                Token::Symbol(';') => true,
                _ => false,
            };
            if is_over {
                doc = None;
                variables.truncate(around.variables.len());
            }
        }
        self.types.push((around.internal_name.clone(), members));
    }

    fn nested(&mut self, kind: &str, around: &Around) {
        let prefix = format!("{}$", around.internal_name);
        self.declared_type(kind, &prefix, &around.variables, around.depth + 1);
    }

    /// A method or constructor whose declaration begins with a word; none for fields.
    fn member(
        &mut self,
        first: &'a str,
        doc: Option<&str>,
        around: &Around,
        variables: &Variables,
    ) -> Option<Member> {
        let mut name = first;
        let parameters = loop {
            match self.peek() {
                Some(Token::Word(word)) => name = word,
                Some(Token::Symbol('(')) => {
                    self.at += 1;
                    break self.parameters(variables);
                }
                // A record's constructor without parameters of its own.
                Some(Token::Symbol('{')) => break around.components.clone(),
                Some(Token::Symbol('<')) => {
                    self.at += 1;
                    self.skip_to_end('<', '>');
                    continue;
                }
                Some(Token::Symbol('@')) => {
                    self.at += 1;
                    self.annotation();
                    continue;
                }
                Some(Token::Symbol('.' | '[' | ']') | Token::Doc(_)) => {}
                _ => {
                    self.skip_declaration();
                    return None;
                }
            }
            self.at += 1;
        };
        let mut thrown = Vec::new();
        loop {
            match self.next() {
                Some(Token::Word("throws")) => loop {
                    while self.takes('@') {
                        self.annotation();
                    }
                    thrown.push(self.dotted().join("."));
                    if !self.takes(',') {
                        break;
                    }
                },
                Some(Token::Word("default")) => {
                    self.skip_declaration();
                    break;
                }
                Some(Token::Symbol('{')) => {
                    self.skip_to_end('{', '}');
                    break;
                }
                Some(Token::Symbol(';')) | None => break,
                Some(_) => {}
            }
        }
        let documented = doc.map_or(Vec::new(), documented);
        let names = thrown.iter().map(String::as_str).chain(documented);
        let mut exceptions: Vec<Arc<str>> = names
            .filter(|name| !name.is_empty())
            .map(|name| self.resolve(name, around, variables))
            .collect();
        exceptions.sort();
        exceptions.dedup();
        let is_constructor = name == around.simple_name;
        Some(Member {
            name: if is_constructor { "<init>" } else { name }.into(),
            parameters,
            exceptions,
        })
    }

    /// Behind `<`: to behind its `>`; variables are added.
    fn type_parameters(&mut self, variables: &mut Variables) {
        loop {
            while self.takes('@') {
                self.annotation();
            }
            let Some(name) = self.word() else {
                self.skip_to_end('<', '>');
                return;
            };
            let mut erased = "Object".to_owned();
            if self.peek() == Some(Token::Word("extends")) {
                self.at += 1;
                while self.takes('@') {
                    self.annotation();
                }
                erased = erase(self.dotted().last().copied().unwrap_or_default(), variables);
            }
            variables.push((name.to_owned(), erased));
            loop {
                match self.next() {
                    Some(Token::Symbol('<')) => self.skip_to_end('<', '>'),
                    Some(Token::Symbol('>')) | None => return,
                    Some(Token::Symbol(',')) => break,
                    Some(_) => {}
                }
            }
        }
    }

    /// Behind `(`: the types of parameters, to behind its `)`.
    fn parameters(&mut self, variables: &Variables) -> Vec<String> {
        let mut types = Vec::new();
        let mut base = None;
        let mut name = "";
        let mut dimensions = 0;
        let mut is_qualified = false;
        loop {
            let token = self.next();
            match token {
                Some(Token::Symbol(',' | ')')) | None => {
                    if let Some(base) = base.take().filter(|_| name != "this") {
                        types.push(erase(base, variables) + &"[]".repeat(dimensions));
                    }
                    dimensions = 0;
                    name = "";
                    if token != Some(Token::Symbol(',')) {
                        return types;
                    }
                }
                Some(Token::Symbol('@')) => self.annotation(),
                Some(Token::Symbol('<')) => self.skip_to_end('<', '>'),
                Some(Token::Symbol('[')) => dimensions += 1,
                Some(Token::Symbol('.')) => {
                    let is_variable_arity = self.takes('.') && self.takes('.');
                    dimensions += usize::from(is_variable_arity);
                    is_qualified = !is_variable_arity;
                    continue;
                }
                Some(Token::Word("final")) => {}
                Some(Token::Word(word)) if base.is_none() || is_qualified => base = Some(word),
                Some(Token::Word(word)) => name = word,
                Some(_) => {}
            }
            is_qualified = false;
        }
    }

    /// The internal name of an exception, or its simple name where it is not known which class is meant.
    fn resolve(&self, name: &str, around: &Around, variables: &Variables) -> Arc<str> {
        let parts: Vec<&str> = name.split('.').collect();
        let first = parts[0];
        let nested = parts[1..]
            .iter()
            .fold(String::new(), |text, part| text + "$" + part);
        let mut known = variables.iter().rev();
        let variable = known.find(|(known, _)| known == name);
        if let Some((_, erased)) = variable {
            return erased.as_str().into();
        }
        let mut candidates = Vec::new();
        for (end, _) in around.internal_name.match_indices('$').rev() {
            candidates.push(format!("{}${first}{nested}", &around.internal_name[..end]));
        }
        candidates.push(format!("{}${first}{nested}", around.internal_name));
        if let Some(imported) = self.names.single.get(first) {
            candidates.extend(spellings(imported).map(|name| name + &nested));
        }
        let packages = [self.names.package.as_str(), "java/lang/"].into_iter();
        let packages = packages.chain(self.names.on_demand.iter().map(String::as_str));
        candidates.extend(packages.map(|package| format!("{package}{first}{nested}")));
        if parts.len() > 1 {
            let parts: Vec<String> = parts.iter().map(|&part| part.to_owned()).collect();
            candidates.extend(spellings(&parts));
        }
        let known = candidates.into_iter().find(|name| (self.exists)(name));
        known.map_or_else(|| parts[parts.len() - 1].into(), Into::into)
    }
}

/// Internal names that dotted ones may stand for: as many packages as possible first.
fn spellings(parts: &[String]) -> impl Iterator<Item = String> {
    (1..=parts.len()).rev().map(|packages| {
        let outer = parts[..packages].join("/");
        parts[packages..]
            .iter()
            .fold(outer, |text, part| text + "$" + part)
    })
}

fn erase(name: &str, variables: &[(String, String)]) -> String {
    let variable = variables.iter().rev().find(|(known, _)| known == name);
    variable.map_or(name, |(_, erased)| erased).to_owned()
}

/// Names behind `@throws` and `@exception` where these begin a line of a doc comment.
fn documented(doc: &str) -> Vec<&str> {
    let line = |line: &'_ str| -> Option<usize> {
        let tag = ["@throws", "@exception"]
            .into_iter()
            .find(|tag| line.starts_with(tag))?;
        line[tag.len()..]
            .starts_with(char::is_whitespace)
            .then_some(tag.len())
    };
    let lines = doc.lines();
    let lines = lines.map(|line| line.trim().trim_start_matches(['*', '/']).trim_start());
    let named = lines.filter_map(|text| Some(text[line(text)?..].trim_start()));
    let end = |text: &str| {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
        text.find(|c| !is_name(c)).unwrap_or(text.len())
    };
    named
        .map(|text| text[..end(text)].trim_end_matches('.'))
        .collect()
}
