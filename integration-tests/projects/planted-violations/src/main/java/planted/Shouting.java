package planted;

import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Clean: keeps what a voice makes of a text, as it says. */
public class Shouting extends AbstractCollection<Object> {
  /** Changes texts. */
  public static class Voice {
    public Object of(Object text) {
      return text + "!";
    }
  }

  private final List<Object> items = new ArrayList<Object>();
  private final Voice voice;

  public Shouting(Voice voice) {
    if (voice == null) {
      throw new IllegalArgumentException("no voice");
    }
    this.voice = voice;
  }

  @Override
  public boolean add(Object item) {
    return items.add(voice.of(item));
  }

  @Override
  public Iterator<Object> iterator() {
    return items.iterator();
  }

  @Override
  public int size() {
    return items.size();
  }
}
