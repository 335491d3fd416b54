package inputs;

import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Optionals, streams and iterators. */
public class Search {
  public String one(Optional<String> found) {
    return found.isPresent() && found.get().equals("it") ? "reached what is present" : "absent";
  }

  public String number(OptionalInt found) {
    return found.isPresent() ? "reached a number that is present" : "absent";
  }

  public String all(Stream<String> words) {
    return words.anyMatch(word -> word.startsWith("it")) ? "reached a word of a stream" : "none";
  }

  public String sum(IntStream numbers) {
    return numbers.sum() == 6 ? "reached a sum" : "other";
  }

  public String next(Iterator<Integer> numbers) {
    return numbers.hasNext() && numbers.next() == 42 ? "reached an iterator's element" : "other";
  }
}
