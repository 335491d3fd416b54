package io.palus.agent;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** States of objects that cannot carry their own; holds the objects weakly. */
final class IdentityMap {
  /** The state of one object. */
  static final class Entry extends WeakReference<Object> {
    final int hash;
    volatile long state;
    private Entry next;

    Entry(Object object, int hash, ReferenceQueue<Object> queue) {
      super(object, queue);
      this.hash = hash;
    }
  }

  private static final class Stripe {
    private final ReferenceQueue<Object> queue = new ReferenceQueue<>();
    private Entry[] table = new Entry[256];
    private int size;

    synchronized Entry find(Object object, int hash, boolean make) {
      int index = hash >>> 4 & (table.length - 1);
      for (Entry entry = table[index]; entry != null; entry = entry.next) {
        if (entry.hash == hash && entry.get() == object) {
          return entry;
        }
      }
      if (!make) {
        return null;
      }
      for (Reference<?> dead = queue.poll(); dead != null; dead = queue.poll()) {
        remove((Entry) dead);
      }
      if (size >= table.length) {
        grow();
        index = hash >>> 4 & (table.length - 1);
      }
      Entry entry = new Entry(object, hash, queue);
      entry.next = table[index];
      table[index] = entry;
      size++;
      return entry;
    }

    private void remove(Entry dead) {
      int index = dead.hash >>> 4 & (table.length - 1);
      Entry previous = null;
      for (Entry entry = table[index]; entry != null; entry = entry.next) {
        if (entry == dead) {
          if (previous == null) {
            table[index] = entry.next;
          } else {
            previous.next = entry.next;
          }
          size--;
          return;
        }
        previous = entry;
      }
    }

    private void grow() {
      Entry[] grown = new Entry[table.length * 2];
      for (Entry head : table) {
        Entry entry = head;
        while (entry != null) {
          Entry next = entry.next;
          int index = entry.hash >>> 4 & (grown.length - 1);
          entry.next = grown[index];
          grown[index] = entry;
          entry = next;
        }
      }
      table = grown;
    }
  }

  private static final Stripe[] STRIPES = new Stripe[16];

  static {
    for (int i = 0; i < STRIPES.length; i++) {
      STRIPES[i] = new Stripe();
    }
  }

  private IdentityMap() {}

  /** The object's entry; null if there is none and none is to be made. */
  static Entry find(Object object, boolean make) {
    int hash = System.identityHashCode(object);
    return STRIPES[hash & (STRIPES.length - 1)].find(object, hash, make);
  }
}
