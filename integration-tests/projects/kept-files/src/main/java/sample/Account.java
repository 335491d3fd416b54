package sample;

public class Account {
  private int balance;

  public int deposit(int amount) {
    if (amount <= 0) {
      throw new IllegalArgumentException("not positive");
    }
    balance += amount;
    return balance;
  }

  public boolean withdraw(int amount) {
    if (amount > balance) {
      return false;
    }
    balance -= amount;
    return true;
  }

  public int balance() {
    return balance;
  }
}
