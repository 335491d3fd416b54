//! Arguments of a JVM that stand in files: read, and put in the place of the argument that names the file.
//!
//! Comes in: the arguments of the project's test JVM, and the folder it starts in. Goes out: the same without such files.
//! What a file says is looked at as what stands on the command line, and the JVMs of Palus, which may not read the file,
//! need not. Three kinds: `@file` of the launcher (JEP 293; Java 9), `-XX:VMOptionsFile=` and `-XX:Flags=` of HotSpot.
//! A file that cannot be read stays named: the JVM says what is wrong with it. Agents that a file names are left out: the
//! build tool, which knows which of them may stay, has not seen them.
//! Does not know: what the arguments mean.

use std::path::Path;

/// Files of more bytes are none that anybody wrote.
const LARGEST: u64 = 1 << 20;
const OPTIONS: &str = "-XX:VMOptionsFile=";
const FLAGS: &str = "-XX:Flags=";
/// From here on `@` begins no name of a file.
const NO_MORE: &str = "--disable-@files";

/// The arguments with those of files among them.
pub(crate) fn expanded(arguments: &[String], folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    let mut takes_files = true;
    for argument in arguments {
        takes_files &= argument != NO_MORE;
        let name = argument.strip_prefix('@');
        let name = name.filter(|name| takes_files && !name.starts_with('@'));
        match name.and_then(|name| read(folder, name)) {
            // None of its words names another such file, but may one of the JVM's.
            Some(text) => {
                let words = words(&text, true)
                    .into_iter()
                    .filter(|word| is_no_agent(word));
                all.extend(words.flat_map(|word| of_jvm(&word, folder)));
            }
            None => all.extend(of_jvm(argument, folder)),
        }
    }
    all
}

/// What the file says that an argument of HotSpot's names; of any other argument itself.
fn of_jvm(argument: &str, folder: &Path) -> Vec<String> {
    let words = if let Some(name) = argument.strip_prefix(OPTIONS) {
        let words = read(folder, name).map(|text| words(&text, false));
        words.map(|words| words.into_iter().filter(|word| is_no_agent(word)).collect())
    } else if let Some(name) = argument.strip_prefix(FLAGS) {
        let flag = |word: String| format!("-XX:{word}");
        read(folder, name).map(|text| words(&text, true).into_iter().map(flag).collect())
    } else {
        None
    };
    words.unwrap_or_else(|| vec![argument.to_owned()])
}

fn is_no_agent(word: &str) -> bool {
    let agents = ["-javaagent:", "-agentpath:", "-agentlib:"];
    !agents.iter().any(|agent| word.starts_with(agent))
}

fn read(folder: &Path, name: &str) -> Option<String> {
    let path = folder.join(name);
    let data = std::fs::metadata(&path).ok()?;
    if !data.is_file() || data.len() > LARGEST {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The words of a file: between blanks and ends of lines, in one or the other kind of quotes with them. A backslash
/// within quotes takes the next letter as it is, `n`, `r`, `t` and `f` for what they stand for, and the end of a line away.
pub(crate) fn words(text: &str, has_comments: bool) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', Some(_)) => {
                let word = word.get_or_insert_default();
                match letters.next() {
                    Some('n') => word.push('\n'),
                    Some('r') => word.push('\r'),
                    Some('t') => word.push('\t'),
                    Some('f') => word.push('\u{c}'),
                    Some('\n' | '\r') => {
                        while letters.next_if(|next| next.is_whitespace()).is_some() {}
                    }
                    Some(other) => word.push(other),
                    None => {}
                }
            }
            (letter, Some(end)) if letter == end => quote = None,
            ('"' | '\'', None) => {
                word.get_or_insert_default();
                quote = Some(letter);
            }
            ('#', None) if has_comments && word.is_none() => {
                while letters.next_if(|next| *next != '\n').is_some() {}
            }
            (letter, None) if letter.is_whitespace() => words.extend(word.take()),
            (letter, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(arguments: &[&str], folder: &Path) -> Vec<String> {
        let arguments: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
        expanded(&arguments, folder)
    }

    #[test]
    fn what_stands_in_a_file_takes_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let text = "# for all\n-Xmx1g \"-Dname=a b\"  -Ddb.password='s3 cr#t' # more\n-Dpath=\"C:\\\\x\\\n   y\" -javaagent:a.jar=b\n@other -XX:VMOptionsFile=more";
        std::fs::write(path.join("jvm args"), text).unwrap();
        std::fs::write(path.join("options"), "-ea -agentlib:jdwp=c #no comment").unwrap();
        std::fs::write(path.join("more"), "-Dfrom=more").unwrap();
        std::fs::write(path.join("flags"), "+UseSerialGC\n# x\nMaxHeapSize=9m").unwrap();
        let absolute = format!("-XX:VMOptionsFile={}", path.join("options").display());
        assert_eq!(
            of(&["-Da=b", "@jvm args", &absolute, "-XX:Flags=flags"], path),
            [
                "-Da=b",
                "-Xmx1g",
                "-Dname=a b",
                "-Ddb.password=s3 cr#t",
                "-Dpath=C:\\xy",
                "@other",
                "-Dfrom=more",
                "-ea",
                "#no",
                "comment",
                "-XX:+UseSerialGC",
                "-XX:MaxHeapSize=9m"
            ]
        );
    }

    #[test]
    fn what_is_no_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("f"), "-ea").unwrap();
        let all = ["@none", "@@f", "@.", "-XX:Flags=none", NO_MORE, "@f"];
        assert_eq!(of(&all, folder.path()), all);
    }
}
