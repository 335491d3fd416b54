//! The platform as the compiler shows it under `--release`.
//!
//! Comes in: the compiler's arguments, a JDK, class files of its platform. Goes out: the same classes as an older release
//! had them, so that no test calls what the compiler would refuse.
//! A JDK keeps them in `lib/ct.sym`, an archive of class files without code. A folder of it is named by the releases
//! that its files hold for, one digit each (`9`, `A` for 10, `B` for 11): `89A/java.base/java/util/Map$Entry.sig`.
//! Does not know: what the classes are read for.

use crate::Settings;
use crate::subject::class_path::member;
use crate::subject::input::Input;
use crate::verify::toolchain;
use cafebabe::{ClassAccessFlags, ParseOptions, parse_class_with_options};
use std::collections::BTreeMap;
use std::path::Path;

/// The platform of an older release.
pub(crate) struct Release {
    archive: zip::ZipArchive<Input>,
    /// Place in the archive by internal name.
    places: BTreeMap<Box<str>, usize>,
}

impl Release {
    /// What the project's compiler is told to show; none where that is the platform as it is.
    pub(crate) fn of(settings: &Settings) -> Option<Release> {
        let wanted = asked_for(&settings.compiler_arguments)?;
        let own: u32 = java_version(settings).parse().ok()?;
        let release = (wanted < own).then(|| Release::open(&settings.java_home, wanted));
        release.flatten()
    }

    /// None where the JDK does not know the release.
    fn open(java_home: &Path, release: u32) -> Option<Release> {
        let digit = char::from_digit(release, 36)?.to_ascii_uppercase();
        let file = Input::open(&java_home.join("lib/ct.sym")).ok()?;
        let archive = zip::ZipArchive::new(file).ok()?;
        let mut places = BTreeMap::new();
        for place in 0..archive.len() {
            let Some(Ok(name)) = archive.name_for_index(place) else {
                continue;
            };
            if let Some(class) = shown(&name, digit) {
                places.insert(class.into(), place);
            }
        }
        (!places.is_empty()).then_some(Release { archive, places })
    }

    /// The class file of a class, given that of the JDK; none for what the release hides.
    pub(crate) fn class(&mut self, name: &str, own: Vec<u8>) -> Option<Vec<u8>> {
        let Some(&place) = self.places.get(name) else {
            return (!is_new(name, &own)).then_some(own);
        };
        member(&mut self.archive, place)
    }
}

/// Feature version from the JDK's `release` file, or else as it says itself; `?` where neither tells.
pub(crate) fn java_version(settings: &Settings) -> String {
    let text = std::fs::read_to_string(settings.java_home.join("release")).unwrap_or_default();
    let mut lines = text.lines();
    let listed = lines.find_map(|line| line.strip_prefix("JAVA_VERSION=\""));
    let listed = listed.map(|version| version.trim_end_matches('"').to_owned());
    let version = listed.or_else(|| toolchain::version(&settings.java_home));
    version.map_or_else(
        || "?".to_owned(),
        |version| toolchain::feature(&version).to_owned(),
    )
}

/// The number after `--release`.
fn asked_for(arguments: &[String]) -> Option<u32> {
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let value = match argument.strip_prefix("--release") {
            Some("") => arguments.next()?,
            Some(rest) => rest.strip_prefix('=')?,
            None => continue,
        };
        return value.parse().ok();
    }
    None
}

/// The class that a file of the archive shows to a release.
fn shown(file: &str, digit: char) -> Option<&str> {
    let (releases, rest) = file.split_once('/')?;
    let class = rest.strip_suffix(".sig")?;
    // A module's name has a dot in it, a package's folder has none.
    let class = match class.split_once('/') {
        Some((module, class)) if module.contains('.') => class,
        _ => class,
    };
    let is_list = releases.chars().all(|digit| digit.is_ascii_alphanumeric());
    (is_list && releases.contains(digit)).then_some(class)
}

/// True for a public class of the platform's packages: one that the release does not have is younger. Others are the
/// platform's own matter and seen at run time only.
fn is_new(name: &str, own: &[u8]) -> bool {
    let mut options = ParseOptions::default();
    options.parse_bytecode(false);
    let is_public = parse_class_with_options(own, &options)
        .is_ok_and(|class| class.access_flags.contains(ClassAccessFlags::PUBLIC));
    is_public && (name.starts_with("java/") || name.starts_with("javax/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_bytecode::{Origin, Program, ProgramBuilder};

    fn texts(arguments: &[&str]) -> Vec<String> {
        arguments.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn the_release_is_what_the_compiler_is_told() {
        assert_eq!(
            asked_for(&texts(&["-g", "--release", "8", "-Xlint"])),
            Some(8)
        );
        assert_eq!(asked_for(&texts(&["--release=11"])), Some(11));
        assert_eq!(asked_for(&texts(&["-source", "8", "-target", "8"])), None);
    }

    #[test]
    fn files_hold_for_the_releases_that_their_folder_names() {
        let file = "89A/java.base/java/util/Map$Entry.sig";
        assert_eq!(shown(file, '8'), Some("java/util/Map$Entry"));
        assert_eq!(shown(file, 'A'), Some("java/util/Map$Entry"));
        assert_eq!(shown(file, 'B'), None);
        assert_eq!(shown("8/java/util/Map.sig", '8'), Some("java/util/Map"));
        assert_eq!(shown("9-modules/java.base/module-info.sig", '9'), None);
    }

    #[test]
    fn an_older_release_has_the_methods_and_classes_of_its_time() {
        let mut seven = Release::open(&palus_fixture::java_home(), 7).unwrap();
        let own = |name: &str| palus_fixture::platform_class(name).unwrap();
        let has_default = |bytes: &[u8]| {
            let program = program(bytes);
            let map = program.class_named("java/util/Map").unwrap();
            let named = |name: &str| {
                let methods = program.class(map).methods.iter();
                methods
                    .clone()
                    .any(|&method| &*program.method(method).name == name)
            };
            assert!(named("get"));
            named("getOrDefault")
        };
        assert!(has_default(&own("java/util/Map")));
        assert!(!has_default(
            &seven.class("java/util/Map", own("java/util/Map")).unwrap()
        ));
        let function = "java/util/function/Function";
        assert_eq!(seven.class(function, own(function)), None);
        let hidden = "java/util/ImmutableCollections$ListN";
        assert_eq!(seven.class(hidden, own(hidden)), Some(own(hidden)));
        assert!(Release::open(&palus_fixture::java_home(), 3).is_none());
    }

    fn program(bytes: &[u8]) -> Program {
        let mut builder = ProgramBuilder::new();
        builder.add(Origin::Platform, bytes).unwrap();
        builder.finish()
    }
}
