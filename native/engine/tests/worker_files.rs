//! Files of the machine that subject code looks for by the JDK, and how much of a disk it may fill.

use crate::worker_lab::Lab;
use palus_sequence::{Crash, End};

const SPOOL: (&str, &str) = (
    "demo/Spool.java",
    r#"
package demo;
import java.io.*;
public class Spool {
  public int take() throws Exception {
    File taken = new File("/var/tmp/spool/in.xml");
    try {
      javax.xml.parsers.SAXParserFactory.newInstance().newSAXParser()
          .parse(taken, new org.xml.sax.helpers.DefaultHandler());
    } catch (IOException e) {
      return 1;
    }
    taken.delete();
    return 2;
  }
  public int fill() throws IOException {
    byte[] block = new byte[1 << 20];
    for (int i = 0; i < 100; i++) {
      try (OutputStream out = new FileOutputStream(File.createTempFile("spool", null))) {
        for (int j = 0; j < 40; j++) { out.write(block); }
      }
    }
    return 3;
  }
}
"#,
);

#[test]
fn a_look_by_the_jdk_at_a_file_elsewhere_is_no_fact_either() {
    let lab = Lab::new(&[SPOOL], &[]);
    let outcome = lab.run(&[lab.simple("demo/Spool", "take")]).remove(0);
    let look = "a look at /var/tmp/spool/in.xml";
    assert_eq!(outcome.end, End::Denied(look.into()));
}

#[test]
fn files_have_a_limit_together() {
    let mut lab = Lab::new(&[SPOOL], &[]);
    lab.settings.time_limit_millis = 20_000;
    let outcome = lab.run(&[lab.simple("demo/Spool", "fill")]).remove(0);
    assert_eq!(outcome.end, End::Crashed(Crash::Disk));
}
