package planted;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** Clean: part of a list that was given may be beyond writing, as the list says. */
public class Pages implements Serializable {
  private static final long serialVersionUID = 1;
  private final List<String> pages;

  public Pages(ArrayList<String> pages) {
    this((List<String>) pages);
  }

  private Pages(List<String> pages) {
    this.pages = pages;
  }

  public Pages none() {
    return new Pages(pages.subList(0, 0));
  }

  public int count() {
    return pages.size();
  }
}
