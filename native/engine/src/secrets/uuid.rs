//! Other forms of a held-back value that is a UUID: its text in other writings, and its two halves, which Java has as
//! longs (`getMostSignificantBits`).
//!
//! Comes in: a value. Goes out: its other forms, as texts; those that are numbers are held back as numbers, too.
//! Does not know: what is a secret.

use super::numbers::FEWEST_DIGITS;

/// Lengths of the groups between dashes.
const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
const HALF: usize = 16;

/// None for a value that is no UUID.
pub(super) fn forms(value: &str) -> Vec<String> {
    let Some(digits) = digits(value) else {
        return Vec::new();
    };
    let mut forms = vec![dashed(&digits), digits.clone()];
    for half in [&digits[..HALF], &digits[HALF..]] {
        let Ok(number) = u64::from_str_radix(half, 16) else {
            continue;
        };
        let size = number.cast_signed().unsigned_abs();
        // A small number is anybody's.
        if size.to_string().len() >= FEWEST_DIGITS {
            forms.extend([size.to_string(), number.to_string()]);
            forms.extend([format!("{size:x}"), format!("{number:x}")]);
        }
    }
    let capitals: Vec<String> = forms.iter().map(|form| form.to_uppercase()).collect();
    forms.extend(capitals);
    forms.retain(|form| form != value);
    forms.sort();
    forms.dedup();
    forms
}

/// The 32 hexadecimal digits, in small letters.
fn digits(value: &str) -> Option<String> {
    let groups: Vec<usize> = value.split('-').map(str::len).collect();
    let digits = value.replace('-', "").to_ascii_lowercase();
    let is_uuid = (groups == GROUPS || groups == [2 * HALF])
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_uuid.then_some(digits)
}

fn dashed(digits: &str) -> String {
    let mut rest = digits;
    let groups = GROUPS.map(|length| {
        let (group, after) = rest.split_at(length);
        rest = after;
        group
    });
    groups.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_has_the_forms_that_java_gives_it() {
        let mut expected = vec![
            "3f9c1b7e8d2a4c659e017ab4d3f2c8e6",
            "3F9C1B7E8D2A4C659E017AB4D3F2C8E6",
            "3F9C1B7E-8D2A-4C65-9E01-7AB4D3F2C8E6",
            "4583568751104511077",
            "3f9c1b7e8d2a4c65",
            "3F9C1B7E8D2A4C65",
            "7061227823671621402",
            "11385516250037930214",
            "9e017ab4d3f2c8e6",
            "9E017AB4D3F2C8E6",
            "61fe854b2c0d371a",
            "61FE854B2C0D371A",
        ];
        expected.sort_unstable();
        assert_eq!(forms("3f9c1b7e-8d2a-4c65-9e01-7ab4d3f2c8e6"), expected);
        let small = forms("00000000000000070000000000018697");
        let texts = ["00000000-0000-0007-0000-000000018697"];
        assert_eq!(small, texts);
        for other in [
            "3f9c1b7e-8d2a-4c65-9e017ab4d3f2c8e6",
            "3f9c1b7e8d2a-4c65-9e01-7ab4-d3f2c8e6",
            "3f9c1b7e8d2a4c659e017ab4d3f2c8eg",
            "3f9c1b7e8d2a4c659e017ab4d3f2c8e",
            "",
        ] {
            assert!(forms(other).is_empty(), "{other}");
        }
    }
}
