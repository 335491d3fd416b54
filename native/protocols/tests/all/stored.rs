//! Protocols as a file: the same text for the same protocols, and a sentence for what is no such text.

use crate::telling::mine;
use expect_test::expect;
use palus_protocols::{Protocols, Vocabulary};

const PASSING: [&str; 2] = [
    "l = new ArrayList(); i = l.iterator(); i.hasNext()",
    "s = new Stack(); s.addAll(s); s.push()",
];

#[test]
fn a_file_has_types_labels_and_states_in_order() {
    let protocols = mine(&mut Vocabulary::default(), &PASSING[1..]);
    expect![[r#"
        {
          "format": "palus-protocols",
          "version": 1,
          "protocols": [
            {
              "types": [
                "java/util/Stack"
              ],
              "support": {
                "generated_sequences": 1,
                "project_tests": 0,
                "subtraces": 1
              },
              "labels": [
                {
                  "method": "<init>",
                  "descriptor": "()V",
                  "result": 1
                },
                {
                  "method": "addAll",
                  "descriptor": "(Ljava/util/Collection;)Z",
                  "receiver": 1,
                  "arguments": [
                    [
                      0,
                      1
                    ]
                  ]
                },
                {
                  "method": "push",
                  "descriptor": "(Ljava/lang/Object;)Ljava/lang/Object;",
                  "receiver": 1
                }
              ],
              "states": [
                {
                  "bound": [],
                  "next": [
                    0
                  ]
                },
                {
                  "bound": [
                    1
                  ],
                  "last": 0,
                  "next": [
                    1
                  ]
                },
                {
                  "bound": [
                    1
                  ],
                  "last": 1,
                  "next": [
                    2
                  ]
                }
              ]
            }
          ]
        }
    "#]]
    .assert_eq(&protocols.to_json());
}

#[test]
fn what_is_written_is_read_again() {
    let protocols = mine(&mut Vocabulary::default(), &PASSING);
    let text = protocols.to_json();
    let read = Protocols::from_json(&text).unwrap();
    assert_eq!(read, protocols);
    assert_eq!(read.to_json(), text);
}

#[test]
fn files_of_two_runs_merge_into_one() {
    let [first, second] = PASSING.map(|text| mine(&mut Vocabulary::default(), &[text]));
    let mut merged = Protocols::from_json(&second.to_json()).unwrap();
    merged.merge(first);
    assert_eq!(merged, mine(&mut Vocabulary::default(), &PASSING));
}

#[test]
fn what_is_no_file_of_protocols_is_refused_with_what_to_do() {
    let good = mine(&mut Vocabulary::default(), &PASSING).to_json();
    let error = |text: &str| Protocols::from_json(text).unwrap_err().to_string();
    assert!(error("{").contains("no file of protocols"));
    assert!(error("{}").contains("missing field `format`"));
    assert_eq!(
        error(r#"{"format": "sarif", "version": 1}"#),
        "its \"format\" is \"sarif\", where \"palus-protocols\" was expected; take a file that Palus exported"
    );
    assert_eq!(
        error(&good.replacen("\"version\": 1", "\"version\": 2", 1)),
        "it has version 2, and this version of Palus reads version 1; export it again with this version"
    );
    for (what, from, to) in [
        (
            "one or two types",
            "\"java/util/Iterator\"\n",
            "\"A\", \"B\", \"C\"\n",
        ),
        (
            "the order of types",
            "\"java/util/ArrayList\"\n",
            "\"java/util/Z\"\n",
        ),
        ("a parameter", "\"result\": 1", "\"result\": 2"),
        ("a parameter", "\"result\": 1", "\"result\": 0"),
        ("without parameters", ",\n          \"receiver\": 1", ""),
        ("labels that are not in order", "\"hasNext\"", "\"zero\""),
        (
            "a label that it does not have",
            "\"last\": 0",
            "\"last\": 9",
        ),
        ("a state that cannot be", "\"bound\": []", "\"bound\": [1]"),
        ("unknown field", "\"labels\"", "\"more\": 1, \"labels\""),
    ] {
        let damaged = good.replacen(from, to, 1);
        assert_ne!(damaged, good, "{what}");
        let error = error(&damaged);
        assert!(error.contains(what), "{what}: {error}");
    }
}
