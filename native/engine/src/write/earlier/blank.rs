//! Java text without its comments and literals.
//!
//! Comes in: the text of a file. Goes out: a text of the same length with the same lines, with blanks in their place.
//! Does not know: what the rest means.

/// Blanks comments, strings, text blocks and characters.
pub(crate) fn blanked(text: &str) -> String {
    let mut blanked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = literal(rest).unwrap_or(0);
        if length == 0 {
            blanked.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        for one in rest[..length].chars() {
            if one == '\n' {
                blanked.push(one);
            } else {
                blanked.extend(std::iter::repeat_n(' ', one.len_utf8()));
            }
        }
        rest = &rest[length..];
    }
    blanked
}

/// The length of the comment or literal that a text begins with; one that does not end goes to the end of its line, or
/// of the text.
fn literal(text: &str) -> Option<usize> {
    let line = || text.find('\n').unwrap_or(text.len());
    if text.starts_with("//") {
        Some(line())
    } else if let Some(comment) = text.strip_prefix("/*") {
        let end = comment.find("*/");
        Some(end.map_or(text.len(), |end| end + 4))
    } else if text.starts_with("\"\"\"") {
        Some(quoted(text, "\"\"\"").unwrap_or(text.len()))
    } else if text.starts_with('"') {
        Some(quoted(&text[..line()], "\"").unwrap_or_else(line))
    } else if text.starts_with('\'') {
        Some(quoted(&text[..line()], "'").unwrap_or_else(line))
    } else {
        None
    }
}

/// The length of what begins with a quote, up to the next one that no backslash stands before.
fn quoted(text: &str, quote: &str) -> Option<usize> {
    let mut at = quote.len();
    while let Some(one) = text[at..].chars().next() {
        if text[at..].starts_with(quote) {
            return Some(at + quote.len());
        }
        at += one.len_utf8();
        if one == '\\' {
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::blanked;

    #[test]
    fn comments_and_literals_are_blank_and_places_stay() {
        let text = "a(\"}\\\"\", '\\'', \"\"\"\n x \" {\n\"\"\"); // é}\n/* \" */ b; \"open\nc";
        let expected = "a(     ,     ,    \n      \n   );       \n        b;      \nc";
        assert_eq!(blanked(text), expected);
        assert_eq!(blanked(text).len(), text.len());
    }
}
