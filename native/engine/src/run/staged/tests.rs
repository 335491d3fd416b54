//! What is staged, taken up, damaged and dropped.

use super::*;
use palus_report::MethodSkip;

const TEXT: &str = "package demo;\n\nimport a.Test;\n\nclass APalusTest {\n  @Test\n  void one() {\n    b();\n  }\n\n  \
    @Test\n  void two() {\n    c();\n  }\n}\n";

fn class(name: &str, text: &str) -> StagedClass {
    StagedClass {
        note: LeftClass {
            name: name.to_owned(),
            key: "12ab".to_owned(),
            file: (!text.is_empty()).then(|| hash(text.as_bytes())),
            steps: 7,
            skipped: vec![MethodSkip {
                method: "add(int)".to_owned(),
                code: "S04".to_owned(),
                text: "it is private".to_owned(),
            }],
            ..LeftClass::default()
        },
        explanations: vec![ClassExplanation {
            name: name.to_owned(),
            ..ClassExplanation::default()
        }],
        is_done: true,
        text: text.to_owned(),
    }
}

fn in_folder(folder: &tempfile::TempDir) -> Staged {
    Staged {
        folder: folder.path().join("staged"),
        ..Staged::default()
    }
}

fn put(staged: &mut Staged, class: &StagedClass) {
    staged.put(class, &Secrets::default()).unwrap();
}

fn path_of(class: &StagedClass) -> String {
    format!(
        "{}PalusTest.java",
        palus_bytecode::internal_name(&class.note.name)
    )
}

#[test]
fn what_is_kept_is_taken_up_and_gone_when_all_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut staged = in_folder(&folder);
    let begun = StagedClass {
        is_done: false,
        ..class("demo.B", TEXT)
    };
    let all = [
        class("demo.A", TEXT),
        begun,
        class("demo.C", ""),
        class("demo.D", TEXT),
    ];
    for one in &all {
        put(&mut staged, one);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&staged.folder), 0o700);
        assert!(staged.files.iter().all(|file| mode(file) == 0o600));
    }

    let mut staged = in_folder(&folder);
    let fate = |one: &StagedClass| match &*one.note.name {
        "demo.D" => Fate::Waits,
        _ if one.is_done => Fate::TakenUp(path_of(one)),
        _ => Fate::StandsBy(path_of(one)),
    };
    let (mut taken, again) = staged.take_up(&fate);
    taken.sort_by(|one, other| one.note.name.cmp(&other.note.name));
    let expected = [&all[0], &all[2]];
    assert_eq!(
        format!("{:?}", taken.iter().collect::<Vec<_>>()),
        format!("{expected:?}")
    );
    assert_eq!(again, BTreeSet::from(["demo.B".to_owned()]));
    assert!(staged.takes("demo.C") && !staged.takes("demo.B"));
    let files: Vec<_> = staged
        .earlier()
        .map(|file| (file.path, file.tests.len()))
        .collect();
    let [a, b] = ["demo/APalusTest.java", "demo/BPalusTest.java"].map(str::to_owned);
    assert_eq!(files, [(a, 2), (b, 2)]);

    staged.clear();
    let (taken, again) = in_folder(&folder).take_up(&|one| Fate::StandsBy(path_of(one)));
    assert!(taken.is_empty());
    assert_eq!(again, BTreeSet::from(["demo.D".to_owned()]), "it waits");
}

#[test]
fn what_is_damaged_foreign_or_of_no_use_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let mut staged = in_folder(&folder);
    let one = class("demo.A", TEXT);
    put(&mut staged, &one);
    let path = staged.files.first().unwrap().clone();
    let whole = std::fs::read(&path).unwrap();
    let taken = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let (taken, _) = in_folder(&folder).take_up(&|one| Fate::TakenUp(path_of(one)));
        assert_eq!(taken.is_empty(), !path.exists());
        taken.len()
    };
    assert_eq!(taken(&whole), 1);
    for length in 0..whole.len() {
        assert_eq!(taken(&whole[..length]), 0, "{length}");
        let mut damaged = whole.clone();
        damaged[length] ^= 1;
        assert_eq!(taken(&damaged), 0, "{length}");
    }
    // Other text under a hash that is right.
    let rest = String::from_utf8(whole).unwrap();
    let (_, rest) = rest.split_once('\n').unwrap();
    let forged = rest.replace("b();", "d();");
    assert_eq!(
        taken(format!("{}\n{forged}", hash(forged.as_bytes())).as_bytes()),
        0
    );
    assert_eq!(taken(b"class A { }"), 0);

    put(&mut staged, &one);
    let (taken, again) = in_folder(&folder).take_up(&|_| Fate::Useless);
    assert!(taken.is_empty() && again.is_empty() && !path.exists());
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = folder.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::write(elsewhere.join("mine"), "text").unwrap();
    let mut staged = in_folder(&folder);
    symlink(&elsewhere, &staged.folder).unwrap();
    staged.take_up(&|_| Fate::Useless);
    assert!(elsewhere.join("mine").exists());
    put(&mut staged, &class("demo.A", TEXT));
    assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 1);
    symlink(elsewhere.join("mine"), staged.folder.join("link")).unwrap();
    let (taken, _) = in_folder(&folder).take_up(&|one| Fate::TakenUp(path_of(one)));
    assert_eq!(taken.len(), 1);
    assert!(!staged.folder.join("link").is_symlink() && elsewhere.join("mine").exists());
}

#[test]
fn tests_that_fail_are_taken_out_of_a_file() {
    let file = Earlier::staged("demo/APalusTest.java", TEXT.to_owned());
    let failing = |names: &[&str]| -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    };
    let rest = without(&file, &failing(&["demo.APalusTest#one"])).unwrap();
    assert!(rest.is_staged && rest.text.contains("c();") && !rest.text.contains("b();"));
    let both = ["demo.APalusTest#one", "demo.APalusTest#two"];
    assert_eq!(without(&file, &failing(&both)), None);
    assert_eq!(
        without(&file, &failing(&["demo.APalusTest"])),
        None,
        "it does not compile"
    );
}
