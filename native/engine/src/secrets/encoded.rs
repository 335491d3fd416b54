//! Other forms in which a secret meets us: encoded for addresses, in Base64, in hexadecimal, escaped in JSON and HTML,
//! or decoded where it is written so itself; and texts that are folded into lines.
//!
//! Comes in: a secret, a text. Goes out: its other forms, as far as they are other ones; the text in one line.
//! Does not know: what is a secret.

mod escapes;

use std::fmt::Write;

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Shorter secrets have forms that any text may hold.
const SHORTEST: usize = 6;
/// Fewer digits of Base64 or of hexadecimal stand in any text.
const FEWEST_DIGITS: usize = 4;
/// What stays in an address as it is: in forms, by RFC 3986, and by JavaScript's `encodeURIComponent`.
const KEPT: [&str; 3] = ["-_.*", "-_.~", "-_.~!*'()"];

/// All other forms of a secret.
pub(super) fn forms(secret: &str) -> Vec<String> {
    let mut forms = Vec::new();
    if secret.len() >= SHORTEST {
        forms.push(secret.to_uppercase());
        forms.push(secret.to_lowercase());
    }
    forms.retain(|form| form.len() >= SHORTEST);
    forms.extend(codes(secret));
    forms.retain(|form| form != secret);
    forms
}

/// What an encoder makes of a value, or of a text that holds it; and the same of what the value is decoded.
pub(super) fn codes(value: &str) -> Vec<String> {
    let mut all = codes_as_written(value);
    for text in escapes::decoded(value) {
        all.extend(codes_as_written(&text));
        all.push(text);
    }
    all
}

fn codes_as_written(value: &str) -> Vec<String> {
    let mut codes: Vec<String> = (0..3).map(|at| base64(value.as_bytes(), at)).collect();
    for code in codes.clone() {
        codes.push(code.replace('+', "-").replace('/', "_"));
        codes.push(percent(&code, ""));
    }
    let hexadecimal = value.bytes().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    codes.push(hexadecimal.to_uppercase());
    codes.push(hexadecimal);
    codes.retain(|code| code.len() >= FEWEST_DIGITS);
    for kept in KEPT {
        let code = percent(value, kept);
        for code in [code.replace("%20", "+"), code] {
            codes.push(code.replace('%', "%25"));
            codes.push(small(&code));
            codes.push(small(&code).replace('%', "%25"));
            codes.push(code);
        }
    }
    codes.extend(escapes::escaped(value));
    codes.retain(|code| code != value);
    codes
}

fn percent(secret: &str, kept: &str) -> String {
    let mut text = String::new();
    for byte in secret.bytes() {
        if byte.is_ascii_alphanumeric() || kept.as_bytes().contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

/// The same code with small digits: `%2f`.
fn small(code: &str) -> String {
    let mut pieces = code.split('%');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (digits, rest) = piece.split_at(2);
        let _ = write!(text, "%{}{rest}", digits.to_lowercase());
    }
    text
}

/// A text of several lines in one, as Base64 is folded in mails and keys, and where each of its bytes stood; none for a
/// text of one line. Lines end as in text or as in the source of a literal.
pub(super) fn unfolded(text: &str) -> Option<(String, Vec<usize>)> {
    let mut line = String::new();
    let mut places = Vec::new();
    let mut rest = text.char_indices().peekable();
    let mut is_folded = false;
    while let Some((at, c)) = rest.next() {
        let escaped = c == '\\' && rest.next_if(|next| matches!(next.1, 'n' | 'r')).is_some();
        if escaped || matches!(c, '\n' | '\r') {
            is_folded = true;
            while rest.next_if(|next| matches!(next.1, ' ' | '\t')).is_some() {}
        } else {
            line.push(c);
            places.extend(at..at + c.len_utf8());
        }
    }
    is_folded.then_some((line, places))
}
/// What is the same in Base64 whatever stands before the secret, `offset` bytes beyond a multiple of three, and after.
fn base64(secret: &[u8], offset: usize) -> String {
    let bytes: Vec<u8> = std::iter::repeat_n(0, offset)
        .chain(secret.iter().copied())
        .collect();
    let bits = bytes.len() * 8;
    let first = (offset * 8).div_ceil(6);
    let digit = |number: usize| {
        let at = number * 6;
        let pair = u16::from(bytes[at / 8]) << 8 | u16::from(*bytes.get(at / 8 + 1).unwrap_or(&0));
        char::from(BASE64[usize::from(pair >> (10 - at % 8) & 63)])
    };
    (first..bits / 6).map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_known_however_html_writes_it() {
        let forms = forms("p<a&ssW\"or'd1");
        for html in [
            "p&lt;a&amp;ssW&quot;or&#39;d1",
            "p&#60;a&#38;ssW&#34;or&#39;d1",
            "p&#x3c;a&#x26;ssW&#x22;or&#x27;d1",
        ] {
            assert!(forms.iter().any(|form| form == html), "{html}: {forms:?}");
        }
    }

    #[test]
    fn base64_is_found_at_every_offset() {
        // Base64 of "hunter22", "u:hunter22" and "me:hunter22!".
        for (offset, whole) in [
            (0, "aHVudGVyMjI="),
            (2, "dTpodW50ZXIyMg=="),
            (0, "bWU6aHVudGVyMjIh"),
        ] {
            let form = base64(b"hunter22", offset);
            assert!(form.len() >= 9 && whole.contains(&form), "{form} {whole}");
        }
        assert!("eHh4OmJodW50ZXIyMg==".contains(&base64(b"hunter22", 2)));
        let codes = codes("a b/c");
        for code in ["a%20b%2Fc", "a+b%2fc", "6120622f63", "6120622F63"] {
            assert!(codes.iter().any(|found| found == code), "{code}");
        }
    }

    #[test]
    fn a_folded_text_is_one_line() {
        assert_eq!(unfolded("ab cd"), None);
        let (line, places) = unfolded("ab\r\n \tc\\nd").unwrap();
        assert_eq!((line.as_str(), places), ("abcd", vec![0, 1, 6, 9]));
    }
}
