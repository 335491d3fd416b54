package io.palus.agent;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;

/** Values by class loader, held weakly and told apart by identity: loaders are the program's. */
final class LoaderMap<V> {
  private static final class Key extends WeakReference<ClassLoader> {
    private final int hash;

    Key(ClassLoader loader, ReferenceQueue<ClassLoader> queue) {
      super(loader, queue);
      hash = System.identityHashCode(loader);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      if (this == other) {
        return true;
      }
      ClassLoader loader = get();
      return loader != null && other instanceof Key && ((Key) other).get() == loader;
    }
  }

  private final ConcurrentHashMap<Key, V> values = new ConcurrentHashMap<>();
  private final ReferenceQueue<ClassLoader> dead = new ReferenceQueue<>();

  /** The loader's value, or null. */
  V get(ClassLoader loader) {
    return loader == null ? null : values.get(new Key(loader, null));
  }

  /** The value that the loader has from now on: this one, unless there was another. */
  V putIfAbsent(ClassLoader loader, V value) {
    for (Reference<?> each = dead.poll(); each != null; each = dead.poll()) {
      values.remove((Key) each);
    }
    V other = values.putIfAbsent(new Key(loader, dead), value);
    return other == null ? value : other;
  }
}
