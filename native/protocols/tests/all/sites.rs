//! Where a program calls an API.

use crate::subject::Subject;
use palus_protocols::Api;

#[test]
fn call_sites_are_those_whose_method_is_the_apis() {
    let java = "import java.util.*;
class L extends ArrayList<Object> {
  L() { super(new ArrayList<>(3)); }
  public boolean add(Object o) { return super.add(o); }
  int all(Vector<String> v, List<String> l, Map<String, L> m) {
    for (String s : l) { m.get(s).add(s); }
    Runnable r = l::clear;
    Runnable own = () -> l.clear();
    return size() + v.elementAt(0).length() + l.getClass().hashCode();
  }
}";
    let subject = Subject::new("L.java", java, &[]);
    let class = subject.program.class_named("L").unwrap();
    let sites = Api::of_java_util().call_sites(&subject.program, class);
    let told = sites.iter().map(|(_, site)| {
        format!(
            "{site} {}.{}",
            site.owner.replace("java/util/", ""),
            site.called.name
        )
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            "L.<init>:3 ArrayList.<init>",
            "L.add:4 ArrayList.add",
            "L.all:6 List.iterator",
            "L.all:6 Iterator.hasNext",
            "L.all:6 Iterator.next",
            // `add` in line 6 is the program's own.
            "L.all:9 L.size",
            "L.all:9 Vector.elementAt",
            "L.lambda$all$0:8 List.clear",
        ]
    );
    // `super(..)` is counted, but no site.
    let numbers: Vec<u32> = sites.iter().map(|site| site.0).collect();
    assert_eq!(numbers[..3], [0, 2, 3]);
    let only_vectors = Api::new(&["java/util/Vector"]);
    let sites = only_vectors.call_sites(&subject.program, class);
    assert_eq!(sites.len(), 1);
    assert!(sites[0].1.bytecode_index.is_some());
}
