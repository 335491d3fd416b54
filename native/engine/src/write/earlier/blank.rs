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
        Some(quoted(text, "\"").unwrap_or_else(line))
    } else if text.starts_with('\'') {
        Some(quoted(text, "'").unwrap_or_else(line))
    } else {
        None
    }
}

/// The length of what begins with a quote, up to the next one that no backslash stands before. One letter as a quote goes
/// over no end of a line.
fn quoted(text: &str, quote: &str) -> Option<usize> {
    let ends = |one: &char| *one == '\n' && quote.len() == 1;
    let mut at = quote.len();
    while let Some(one) = text[at..].chars().next().filter(|one| !ends(one)) {
        if text[at..].starts_with(quote) {
            return Some(at + quote.len());
        }
        at += one.len_utf8();
        if one == '\\' {
            let next = text[at..].chars().next().filter(|one| !ends(one));
            at += next.map_or(0, char::len_utf8);
        }
    }
    None
}

/// Whether letters that the compiler goes by are written by their numbers (JLS 3.3), in a text that is the second one
/// without comments and literals: there may be more in it than these show. Palus writes so within literals alone, and
/// nothing that ends one.
pub(super) fn is_disguised(text: &str, blanked: &str) -> bool {
    blanked.contains('\\') || has_ending_escape(text)
}

/// Whether a number stands for a letter that begins or ends comments, literals or lines.
fn has_ending_escape(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        rest = &rest[at + 1..];
        let digits = rest.trim_start_matches('u');
        if digits.len() == rest.len() {
            // The next letter is one of an escape, also where it is a backslash.
            let next = rest.chars().next().map_or(0, char::len_utf8);
            rest = &rest[next..];
            continue;
        }
        rest = digits;
        let letter = rest.get(..4).map(|four| u32::from_str_radix(four, 16));
        let letter = letter.and_then(Result::ok).and_then(char::from_u32);
        if letter.is_some_and(|one| matches!(one, '\n' | '\r' | '"' | '\'' | '*' | '/' | '\\')) {
            return true;
        }
    }
    false
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
