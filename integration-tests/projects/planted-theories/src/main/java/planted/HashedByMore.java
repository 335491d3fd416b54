package planted;

/** P105: hashes what equals leaves out. */
public class HashedByMore {
  private final int number;
  private int reads;

  public HashedByMore(int number) {
    this.number = number;
  }

  public HashedByMore copy() {
    reads++;
    return new HashedByMore(number);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HashedByMore && ((HashedByMore) other).number == number;
  }

  @Override
  public int hashCode() {
    return 31 * number + reads;
  }
}
