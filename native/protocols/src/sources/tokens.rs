//! Java source text as tokens, as far as declarations need them.
//!
//! Comes in: text. Goes out: words, symbols, doc comments, literals; other comments and white space are left out.
//! Does not know: grammar.

/// A piece of source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// An identifier or keyword.
    Word(&'a str),
    /// One character of an operator, or a bracket.
    Symbol(char),
    /// What stands between `/**` and `*/`, or lines that begin with `///`.
    Doc(&'a str),
    /// A number, character, text or text block.
    Literal,
}

/// The tokens of a text; what is not closed reaches to its end.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (token, length) = if first.is_whitespace() {
            (None, first.len_utf8())
        } else if rest.starts_with("///") {
            let length = markdown(rest);
            (Some(Token::Doc(&rest[..length])), length)
        } else if rest.starts_with("//") {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let inside = comment.find("*/").map_or(comment, |end| &comment[..end]);
            let doc = inside.strip_prefix('*').map(Token::Doc);
            (doc, (inside.len() + 4).min(rest.len()))
        } else if rest.starts_with("\"\"\"") {
            (Some(Token::Literal), literal(rest, "\"\"\""))
        } else if first == '"' {
            (Some(Token::Literal), literal(rest, "\""))
        } else if first == '\'' {
            (Some(Token::Literal), literal(rest, "'"))
        } else if is_part(first) {
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let is_number = first.is_ascii_digit();
            let word = Token::Word(&rest[..end]);
            (Some(if is_number { Token::Literal } else { word }), end)
        } else {
            (Some(Token::Symbol(first)), first.len_utf8())
        };
        tokens.extend(token);
        rest = &rest[length..];
    }
    tokens
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Length of lines that begin with `///`: since Java 23 they are a doc comment together.
fn markdown(text: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim_start().starts_with("///") {
            break;
        }
        length += line.len();
    }
    length
}

/// Length of a literal with its quotes; a backslash takes the next character along.
fn literal(text: &str, quote: &str) -> usize {
    let mut at = quote.len();
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with(quote) {
            return at + quote.len();
        }
        let mut characters = rest.chars();
        let is_escape = characters.next() == Some('\\');
        at = text.len() - characters.as_str().len();
        if is_escape {
            let escaped = text[at..].chars().next();
            at += escaped.map_or(0, char::len_utf8);
        }
    }
    text.len()
}
