//! Secrets inside a value: in addresses, pairs of a name and a value, JSON, XML, headers, options and netrc.
//!
//! Comes in: a value. Goes out: the secrets in it, as they are written there.
//! The agent has the same rules (`io.palus.agent.SecretsInside`).
//! Does not know: whose value it is.

use super::{SHORTEST, is_common, is_secret_name, words};

/// What ends a value without quotes, and stands before a name.
const SEPARATORS: [char; 8] = [';', '&', '?', ',', ' ', '\t', '\n', '\r'];
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];
/// Blanks within a line.
const GAP: [char; 2] = [' ', '\t'];
/// What may stand between a separator and a name.
const OPENING: [char; 7] = ['{', '[', '(', '<', '"', '\'', '\\'];

/// Where a blank may be between a name and its value, the name ends so: `author: Miller` and `key: value` are ordinary.
const ENDS: [&str; 15] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pswd",
    "pwd",
    "secret",
    "token",
    "credential",
    "credentials",
    "apikey",
    "secretkey",
    "accesskey",
    "privatekey",
    "authorization",
];
/// The same for the last word of a name.
const LAST_WORDS: [&str; 5] = ["pass", "pw", "psw", "jwt", "otp"];

/// Of HTTP's header `Authorization`.
const SCHEMES: [&str; 3] = ["Bearer", "Basic", "Token"];
/// Such words themselves are no secrets.
const SCHEME_NAMES: [&str; 5] = ["bearer", "basic", "token", "digest", "negotiate"];
/// What people write after the name of a scheme.
const ABOUT_SCHEMES: [&str; 2] = ["authentication", "authorization"];
/// `Basic plan` and `Token ring` are no headers, in characters.
const SHORTEST_ALONE: usize = 8;

pub(crate) fn embedded(value: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, sign) in value.match_indices("://") {
        in_address(&value[at + sign.len()..], &mut found);
    }
    found.extend(of_oracle(value));
    in_json(value, &mut found);
    for (at, _) in value.match_indices('<') {
        found.extend(in_element(&value[at + 1..]));
    }
    for (at, _) in value.match_indices([':', '=']) {
        found.extend(in_pair(value, at));
    }
    in_words(value, &mut found);
    found.extend(header_alone(value));
    found.retain(|part| {
        let is_scheme = SCHEME_NAMES.contains(&part.to_ascii_lowercase().as_str());
        part.chars().count() >= SHORTEST && !is_common(part) && !is_scheme
    });
    found
}

/// The password of an address, which may hold `/`, `?` and `#` although it should not.
fn in_address<'v>(rest: &'v str, found: &mut Vec<&'v str>) {
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let user = authority.rsplit_once('@').map(|(user, _)| user);
    let proper = user.and_then(|user| user.split_once(':'));
    found.extend(proper.map(|(_, password)| password));
    let address = rest.split(BLANKS).next().unwrap_or_default();
    let address = address.split(['"', '<', '>']).next().unwrap_or_default();
    let Some((before, _)) = address.rsplit_once('@') else {
        return;
    };
    let Some((user, password)) = before.split_once(':') else {
        return;
    };
    // `host:8080/path?mail=ann@host` has a port and no password.
    let port = password.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_port = port.len() < password.len() && port.starts_with(['/', '?', '#']);
    // `//user:password@host/path?mail=ann@host` has one that is known already.
    let goes_on = proper.is_some_and(|(_, known)| {
        let beyond = password.get(known.len()..).unwrap_or_default();
        beyond.is_empty() || beyond.contains('=')
    });
    if !user.contains(['/', '?', '#', '@']) && !is_port && !goes_on {
        found.push(password);
    }
}

/// As Oracle's driver has it: `jdbc:oracle:thin:scott/tiger@//host:1521/service`.
fn of_oracle(value: &str) -> Option<&str> {
    let rest = value.strip_prefix("jdbc:")?;
    let (user, _) = rest.split("//").next()?.rsplit_once('@')?;
    user.split_once('/').map(|(_, password)| password)
}

/// What JSON has under such a name.
fn in_json<'v>(value: &'v str, found: &mut Vec<&'v str>) {
    for (at, _) in value.match_indices('"') {
        let rest = value[at + 1..].trim_start_matches(BLANKS);
        let Some(rest) = rest.strip_prefix(':') else {
            continue;
        };
        let Some(text) = rest.trim_start_matches(BLANKS).strip_prefix('"') else {
            continue;
        };
        let name = value[..at].rsplit('"').next().unwrap_or_default();
        if is_secret_name(name) {
            found.push(&text[..closing(text, '"').unwrap_or(text.len())]);
        }
    }
}

/// Where the quote is that ends a text, but for those behind a backslash.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices().find_map(|(at, letter)| {
        let ends = letter == quote && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        ends.then_some(at)
    })
}

/// The text of an XML element with such a name, after its `<`.
fn in_element(rest: &str) -> Option<&str> {
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.:".contains(c))?;
    let name = rest[..end].rsplit(':').next().unwrap_or_default();
    if !is_exact_name(name) {
        return None;
    }
    let text = rest[end..].split_once('>')?.1;
    match text.strip_prefix("<![CDATA[") {
        Some(data) => data.split("]]>").next(),
        None => Some(text.split('<').next()?.trim()),
    }
}

/// What follows a name and the sign at this place.
fn in_pair(value: &str, at: usize) -> Option<&str> {
    let (before, after) = (&value[..at], &value[at + 1..]);
    let is_colon = value[at..].starts_with(':');
    let named = before.trim_end_matches(GAP);
    let rest = after.trim_start_matches(GAP);
    let scheme = after_scheme(rest.trim_start_matches(['"', '\'', '\\']));
    let gaps = (named.len() < before.len(), rest.len() < after.len());
    let is_apart = if is_colon {
        gaps.1 || rest.starts_with(['"', '\'', '\\'])
    } else {
        gaps == (true, true)
    };
    if scheme.is_none() && !is_apart && (is_colon || gaps != (false, false)) {
        return None;
    }
    let start = named.rfind(SEPARATORS).map_or(0, |found| found + 1);
    let segment = &named[start..];
    let plain = segment.trim_end_matches(['"', '\'', '\\']);
    let opened = plain.rfind(OPENING).map_or(0, |found| found + 1);
    let name = &plain[opened..];
    if scheme.is_some() && (is_exact_name(name) || is_header(name)) {
        return scheme;
    }
    if !is_colon && gaps == (false, false) {
        return (!segment.contains('=') && is_secret_name(segment)).then(|| given(after));
    }
    let is_name = is_apart && !name.contains([':', '/', '=']) && is_exact_name(name);
    (is_name && may_begin(&value[..start + opened])).then(|| given(rest))
}

fn is_header(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with("header") || name.ends_with("headers")
}

fn is_exact_name(name: &str) -> bool {
    let plain = name.to_ascii_lowercase().replace(['-', '_', '.'], "");
    let last = words(name).last().unwrap_or_default().to_ascii_lowercase();
    ENDS.iter().any(|end| plain.ends_with(end)) || LAST_WORDS.contains(&last.as_str())
}

/// True where a name may come after this text: in a line of its own, after a separator, an option, or another pair. In a
/// sentence a name has a word before it.
fn may_begin(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let line = line.trim_end_matches(['"', '\'', '\\']).trim_end();
    let mut words = line.rsplit(BLANKS).filter(|word| !word.is_empty());
    let Some(last) = words.next() else {
        return true;
    };
    last.ends_with(['{', '[', '(', ',', ';', '&', '|', '>', '-'])
        || last.starts_with('-')
        || last.contains([':', '='])
        || words.next().is_some_and(|word| word.ends_with([':', '=']))
}

/// The value that a text begins with, without its quotes.
fn given(text: &str) -> &str {
    for (open, close) in [("\\\"", "\\\""), ("{", "}")] {
        let inner = text.strip_prefix(open);
        let end = inner.and_then(|inner| Some((inner, inner.find(close)?)));
        if let Some((inner, end)) = end
            && (open != "{" || is_end(&inner[end + close.len()..]))
        {
            return &inner[..end];
        }
    }
    for quote in ['"', '\''] {
        let inner = text.strip_prefix(quote);
        if let Some((inner, end)) = inner.and_then(|inner| Some((inner, closing(inner, quote)?))) {
            return &inner[..end];
        }
    }
    let plain = text.split(SEPARATORS).next().unwrap_or_default();
    let bare = plain.trim_matches(['"', '\'']);
    let bare = if bare.contains(['{', '[', '(']) {
        bare
    } else {
        bare.trim_end_matches(['}', ']', ')', '"', '\''])
    };
    if bare.chars().count() < SHORTEST {
        plain
    } else {
        bare
    }
}

fn is_end(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(SEPARATORS) || rest.starts_with(['"', '\''])
}

/// The word after the name of a scheme; that of a pair, as in `auth=basic mode=fast`, is none.
fn after_scheme(text: &str) -> Option<&str> {
    let is_scheme = |scheme: &&&str| {
        let start = text.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    let rest = &text[SCHEMES.iter().find(is_scheme)?.len()..];
    let word = match rest.strip_prefix("%20") {
        Some(word) => word,
        None if rest.starts_with(GAP) => rest.trim_start_matches(GAP),
        None => return None,
    };
    let length = word
        .find(|c: char| !c.is_ascii_alphanumeric() && !"-._~+/".contains(c))
        .unwrap_or(word.len());
    let after = word[length..].trim_start_matches('=');
    let is_whole = is_end(after) || after.starts_with(['\\', '}', ']', ')', '<', '%']);
    is_whole.then(|| &word[..word.len() - after.len()])
}

/// `Bearer abcdefgh` and nothing else.
fn header_alone(value: &str) -> Option<&str> {
    let value = value.trim();
    let rest = SCHEMES
        .iter()
        .find_map(|scheme| value.strip_prefix(scheme))?;
    let word = rest.trim_start_matches(GAP);
    let is_long = word.len() < rest.len()
        && word.chars().count() >= SHORTEST_ALONE
        && !word.contains(BLANKS)
        && !ABOUT_SCHEMES.contains(&word);
    // Base64 has more than small letters; `Basic training` has not.
    let is_plain = value.starts_with("Basic") && word.bytes().all(|byte| byte.is_ascii_lowercase());
    (is_long && !is_plain).then_some(word)
}

/// Secrets that are words after other words: `--password word`, `login ann password word`, `curl -u ann:word`.
fn in_words<'v>(value: &'v str, found: &mut Vec<&'v str>) {
    let mut before = ["", ""];
    let mut is_curl = false;
    let mut rest = value.trim_start_matches(BLANKS);
    while !rest.is_empty() {
        let word = &rest[..rest.find(BLANKS).unwrap_or(rest.len())];
        rest = rest[word.len()..].trim_start_matches(BLANKS);
        is_curl |= word == "curl" || word.ends_with("/curl");
        let option = word.trim_start_matches(['"', '\'']);
        let is_option = option.starts_with('-') && !option.contains([':', '=']);
        let is_netrc = matches!(word, "password" | "passwd")
            && (matches!(before[0], "login" | "machine" | "account") || before[1] == "default");
        if is_netrc || is_option && is_exact_name(option) && !rest.starts_with('-') {
            found.push(given(rest));
        }
        if is_curl {
            let user = user_of_curl(option, rest).and_then(|user| user.split_once(':'));
            found.extend(user.map(|(_, password)| password));
        }
        before = [before[1], word];
    }
}

/// What curl takes for a user and a password.
fn user_of_curl<'v>(option: &'v str, rest: &'v str) -> Option<&'v str> {
    let short = option.strip_prefix('-').filter(|s| !s.starts_with('-'));
    let is_short = short.is_some_and(|letters| {
        letters.ends_with(['u', 'U']) && letters.bytes().all(|letter| letter.is_ascii_alphabetic())
    });
    if is_short || matches!(option, "--user" | "--proxy-user") {
        return Some(given(rest));
    }
    let attached = option
        .strip_prefix("--user=")
        .or_else(|| option.strip_prefix("--proxy-user="));
    attached
        .or_else(|| short?.strip_prefix(['u', 'U']))
        .map(given)
}

#[cfg(test)]
mod tests {
    use super::embedded;

    /// What the table that the agent reads, too, has no place for.
    #[test]
    fn lines_have_pairs_of_their_own() {
        let yaml = "user: bob\ndb:\n  password: swordfishq\n  api-token: 'tig3r Pw14'\r\n";
        assert_eq!(embedded(yaml), ["swordfishq", "tig3r Pw14"]);
        let netrc = "machine h\nlogin u\npassword swordfishq\n";
        assert_eq!(embedded(netrc), ["swordfishq"]);
        assert!(embedded("password:\n  other: swordfishq").is_empty());
    }
}
