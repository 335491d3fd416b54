//! Patterns over class names.
//!
//! Comes in: a pattern and a name. Goes out: whether the one means the other.
//! Does not know: which setting the pattern is of.
//!
//! Written here, since `globset` reads patterns of paths: it separates by `/`, takes brackets and braces for more than
//! characters, and knows `**` only between separators.

/// True if a class name in source form matches a glob: `*` stays within a package, `**` crosses dots, `?` is one
/// character. A nested class `a.B$C` also matches what its outermost class matches.
pub fn matches(glob: &str, class_name: &str) -> bool {
    let outermost = class_name.split('$').next().unwrap_or(class_name);
    glob_matches(glob.as_bytes(), class_name.as_bytes())
        || glob_matches(glob.as_bytes(), outermost.as_bytes())
}

/// Classic two-pointer matching with one remembered star per kind, so that cost stays quadratic at worst.
fn glob_matches(glob: &[u8], text: &[u8]) -> bool {
    let (mut g, mut t) = (0, 0);
    let mut double: Option<(usize, usize)> = None;
    let mut single: Option<(usize, usize)> = None;
    while t < text.len() {
        if glob[g..].starts_with(b"**") {
            g += 2;
            // `**.X` also matches `X` in the unnamed package.
            if glob[g..].starts_with(b".") && t == 0 && glob_matches(&glob[g + 1..], text) {
                return true;
            }
            double = Some((g, t));
            single = None;
        } else if glob.get(g) == Some(&b'*') {
            g += 1;
            single = Some((g, t));
        } else if glob
            .get(g)
            .is_some_and(|&c| c == text[t] || (c == b'?' && text[t] != b'.'))
        {
            g += 1;
            t += 1;
        } else if let Some((after, from)) = single.filter(|&(_, from)| text[from] != b'.') {
            single = Some((after, from + 1));
            (g, t) = (after, from + 1);
        } else if let Some((after, from)) = double {
            single = None;
            double = Some((after, from + 1));
            (g, t) = (after, from + 1);
        } else {
            return false;
        }
    }
    glob[g..].iter().all(|&c| c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_match_class_names() {
        assert!(matches("**", "a.b.C"));
        assert!(matches("a.**", "a.b.C"));
        assert!(!matches("a.*", "a.b.C"));
        assert!(matches("a.*.C", "a.b.C"));
        assert!(matches("**.C", "a.b.C"));
        assert!(matches("**.C", "C"));
        assert!(matches("**.Ac*nt", "x.Account"));
        assert!(matches("a.B", "a.B$Inner"));
        assert!(matches("a.B$In*", "a.B$Inner"));
        assert!(!matches("a.B", "a.BC"));
        assert!(matches("*?", "C"));
        assert!(!matches("*.D", "a.b.D"));
    }
}
