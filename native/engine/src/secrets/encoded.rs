//! Other forms in which a secret meets us: encoded for addresses, in Base64, escaped in JSON and HTML.
//!
//! Comes in: a secret. Goes out: its other forms, as far as they are other ones.
//! Does not know: what is a secret.

use std::fmt::Write;

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Shorter secrets have forms that any text may hold.
const SHORTEST: usize = 6;

/// All other forms.
pub(super) fn forms(secret: &str) -> Vec<String> {
    let mut forms = vec![
        secret.replace('\\', "\\\\").replace('"', "\\\""),
        html(secret),
    ];
    if secret.len() >= SHORTEST {
        forms.push(secret.to_uppercase());
        forms.push(secret.to_lowercase());
        forms.push(percent(secret));
        for offset in 0..3 {
            forms.push(base64(secret.as_bytes(), offset));
        }
    }
    forms.retain(|form| form != secret && form.len() >= SHORTEST);
    forms
}

fn html(secret: &str) -> String {
    secret
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn percent(secret: &str) -> String {
    let mut text = String::new();
    for byte in secret.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'*') {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
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
        assert_eq!(percent("a b&c"), "a%20b%26c");
    }
}
