package planted;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class PlantedTest {
  @Test
  public void textsAreQuoted() {
    PlainText text = new PlainText("a");
    assertEquals("'a'", new QuotedText(text).quoted());
  }

  @Test
  public void namesComeLate() {
    Late late = new Late();
    late.setName("ann");
    assertEquals("ann", late.toString());
  }
}
