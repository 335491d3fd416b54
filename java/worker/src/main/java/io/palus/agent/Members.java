package io.palus.agent;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Reaches what the agent added to the objects of one subject class. All of it is private, so that
 * nobody can override or intercept it: proxies, mocks and other classes made at run time have no
 * part in it. Nothing here initialises a class or loads those that its members mention.
 */
final class Members {
  private static final MethodType STATE_GETTER = MethodType.methodType(long.class, Object.class);
  private static final MethodType STATE_SETTER =
      MethodType.methodType(void.class, Object.class, long.class);

  /** A lookup that is only private does not even see a class that is not public. */
  private static final int ALL_MODES =
      MethodHandles.Lookup.PUBLIC
          | MethodHandles.Lookup.PRIVATE
          | MethodHandles.Lookup.PROTECTED
          | MethodHandles.Lookup.PACKAGE;

  private static final MethodType PROFILE = MethodType.methodType(void.class, Profile.class);
  private static final MethodType ANY_PROFILE =
      MethodType.methodType(void.class, Object.class, Profile.class);

  private static final ClassValue<Members> BY_CLASS =
      new ClassValue<Members>() {
        @Override
        protected Members computeValue(Class<?> type) {
          return make(type);
        }
      };

  /** Has what a subject class is given; see {@link #warmUp}. */
  @SuppressWarnings("unused")
  private static final class Sample {
    private transient long $palus$state;

    private void $palus$profile(Profile profile) {
      profile.field(true);
    }
  }

  /** The state is kept elsewhere, and the fields are not read. */
  private static final Members OUT_OF_REACH = new Members(null, null, null);

  /** Null where the state is kept in the {@link IdentityMap}: records, and what is out of reach. */
  private final MethodHandle state;

  /** One per class of the object: each class's code reads the field of that class. */
  private final MethodHandle[] stateSetters;

  /** From the topmost subject class on; null if the fields of one cannot be read. */
  private final MethodHandle[] profiles;

  private Members(MethodHandle state, MethodHandle[] stateSetters, MethodHandle[] profiles) {
    this.state = state;
    this.stateSetters = stateSetters;
    this.profiles = profiles;
  }

  /** Those of a subject class. */
  static Members of(Class<?> type) {
    return BY_CLASS.get(type);
  }

  /**
   * Links the calls of this class, so that none is linked first near the stack's end, and finds out
   * whether they work on this JVM.
   */
  static void warmUp() {
    Deque<Class<?>> types = new ArrayDeque<>();
    types.add(Sample.class);
    Members members = make(types, true, true);
    Sample sample = new Sample();
    members.state(sample, 1);
    Profile profile = new Profile();
    if (members.state == null
        || members.state(sample) != 1
        || !members.profile(sample, profile)
        || profile.length != 1) {
      throw new IllegalStateException("private members are out of reach on this JVM");
    }
  }

  private static Members make(Class<?> type) {
    if (AccessChecks.areMade()) {
      return OUT_OF_REACH;
    }
    Deque<Class<?>> types = new ArrayDeque<>();
    boolean hasField = true;
    boolean hasProfile = true;
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      // Not by ClassInfo.of: classes that the trace never names get no number.
      ClassInfo info = ClassInfo.findSubject(each, each.getName().replace('.', '/'));
      if (info != null) {
        types.addFirst(each);
        hasField &= info.hasState;
        hasProfile &= info.hasProfile;
      }
    }
    return make(types, hasField, hasProfile);
  }

  private static Members make(Deque<Class<?>> types, boolean hasField, boolean hasProfile) {
    MethodHandle state = null;
    List<MethodHandle> setters = new ArrayList<>();
    List<MethodHandle> profiles = new ArrayList<>();
    try {
      for (Class<?> type : types) {
        MethodHandles.Lookup lookup = lookup(type);
        if (hasField) {
          String name = MemberWriter.STATE;
          state = lookup.findGetter(type, name, long.class).asType(STATE_GETTER);
          setters.add(lookup.findSetter(type, name, long.class).asType(STATE_SETTER));
        }
        if (hasProfile) {
          String name = MemberWriter.PROFILE;
          profiles.add(lookup.findSpecial(type, name, PROFILE, type).asType(ANY_PROFILE));
        }
      }
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return OUT_OF_REACH; // whatever keeps us out
    }
    return new Members(
        state,
        setters.toArray(new MethodHandle[0]),
        hasProfile ? profiles.toArray(new MethodHandle[0]) : null);
  }

  private static MethodHandles.Lookup lookup(Class<?> type) throws ReflectiveOperationException {
    try {
      // Java 9 and later.
      Method privateLookup =
          MethodHandles.class.getMethod("privateLookupIn", Class.class, MethodHandles.Lookup.class);
      return (MethodHandles.Lookup) privateLookup.invoke(null, type, MethodHandles.lookup());
    } catch (NoSuchMethodException e) {
      Constructor<MethodHandles.Lookup> constructor =
          MethodHandles.Lookup.class.getDeclaredConstructor(Class.class, int.class);
      constructor.setAccessible(true);
      return constructor.newInstance(type, ALL_MODES);
    }
  }

  /** Whether the state is in the object itself. */
  boolean haveState() {
    return state != null;
  }

  /** The object's state. */
  long state(Object object) {
    if (state == null) {
      IdentityMap.Entry entry = IdentityMap.find(object, false);
      return entry == null ? 0 : entry.state;
    }
    try {
      return (long) state.invokeExact(object);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** Sets the object's state. */
  void state(Object object, long newState) {
    if (state == null) {
      IdentityMap.find(object, true).state = newState;
      return;
    }
    try {
      for (MethodHandle setter : stateSetters) {
        setter.invokeExact(object, newState);
      }
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** Adds a code per own and inherited field; false if some cannot be read. */
  boolean profile(Object object, Profile profile) {
    if (profiles == null) {
      return false;
    }
    try {
      for (MethodHandle each : profiles) {
        each.invokeExact(object, profile);
      }
    } catch (Throwable e) {
      throw unchecked(e);
    }
    return true;
  }

  private static RuntimeException unchecked(Throwable e) {
    if (e instanceof Error) {
      throw (Error) e;
    }
    return e instanceof RuntimeException ? (RuntimeException) e : new IllegalStateException(e);
  }
}
