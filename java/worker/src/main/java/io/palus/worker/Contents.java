package io.palus.worker;

import io.palus.wire.Texts;
import io.palus.worker.runtime.Probes;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.objectweb.asm.Type;

/**
 * What arrays, collections and values hold, where a test can write an equal one. Only classes that
 * run no code of the subject, or where it shows that they do, are looked into; of the subject's own
 * value classes the fields are read.
 */
final class Contents {
  /** Larger ones nobody wants to read in a test. */
  private static final int MOST_ELEMENTS = 8;

  private static final int MOST_BITS = 256;
  private static final int LONGEST_TEXT = 200;

  /** Collections in a collection in an array, no more; the wire allows no more either. */
  private static final int DEEPEST = 2;

  /** Their {@code toString} gives what their {@code parse}, constructor or factory takes. */
  private static final Set<String> TEXTS =
      names(
          "java.net.URI",
          "java.time.Duration",
          "java.time.Instant",
          "java.time.LocalDate",
          "java.time.LocalDateTime",
          "java.time.LocalTime",
          "java.time.MonthDay",
          "java.time.OffsetDateTime",
          "java.time.OffsetTime",
          "java.time.Period",
          "java.time.Year",
          "java.time.YearMonth",
          "java.time.ZoneOffset",
          "java.time.ZoneRegion",
          "java.util.Currency",
          "java.util.UUID");

  /** They compare equal to any list, set or map of the same elements. */
  private static final Set<String> COLLECTIONS =
      names(
          "java.util.ArrayList",
          "java.util.ArrayList$SubList",
          "java.util.Arrays$ArrayList",
          "java.util.Collections$EmptyList",
          "java.util.Collections$EmptyMap",
          "java.util.Collections$EmptySet",
          "java.util.Collections$SingletonList",
          "java.util.Collections$SingletonMap",
          "java.util.Collections$SingletonSet",
          "java.util.Collections$UnmodifiableList",
          "java.util.Collections$UnmodifiableMap",
          "java.util.Collections$UnmodifiableRandomAccessList",
          "java.util.Collections$UnmodifiableSet",
          "java.util.Collections$UnmodifiableSortedMap",
          "java.util.Collections$UnmodifiableSortedSet",
          "java.util.EnumMap",
          "java.util.HashMap",
          "java.util.HashMap$KeySet",
          "java.util.HashSet",
          "java.util.ImmutableCollections$List12",
          "java.util.ImmutableCollections$ListN",
          "java.util.ImmutableCollections$Map1",
          "java.util.ImmutableCollections$MapN",
          "java.util.ImmutableCollections$Set12",
          "java.util.ImmutableCollections$SetN",
          "java.util.JumboEnumSet",
          "java.util.LinkedHashMap",
          "java.util.LinkedHashMap$LinkedKeySet",
          "java.util.LinkedHashSet",
          "java.util.LinkedList",
          "java.util.RegularEnumSet",
          "java.util.Stack",
          "java.util.TreeMap",
          "java.util.TreeMap$KeySet",
          "java.util.TreeSet",
          "java.util.Vector");

  private Contents() {}

  private static Set<String> names(String... names) {
    return new HashSet<>(Arrays.asList(names));
  }

  /** Whether objects of a class may be looked into. */
  static boolean mayHave(Class<?> type) {
    return type.isArray()
        || type == BigDecimal.class
        || type == BigInteger.class
        || type == Date.class
        || type == Locale.class
        || type == Class.class
        || type == Optional.class
        || type == OptionalInt.class
        || type == OptionalLong.class
        || type == OptionalDouble.class
        || TEXTS.contains(type.getName())
        || COLLECTIONS.contains(type.getName());
  }

  /** A String, or a list of what each element is; null where that is not told. */
  static Object of(Object value) {
    int cost = Probes.cost();
    try {
      Object content = content(value, 0);
      // A view of what the subject implements is left alone.
      return Probes.cost() == cost ? content : null;
    } catch (RuntimeException e) { // what it is a view of has changed since
      return null;
    }
  }

  private static Object content(Object value, int depth) {
    Class<?> type = value.getClass();
    TypeInfo info = TypeInfo.of(type);
    if (info.isValueClass) {
      return whole(info.heldBy(value), depth);
    } else if (type.isArray()) {
      return elements(value, depth);
    } else if (value instanceof Collection) {
      Collection<?> collection = (Collection<?>) value;
      int size = collection.size();
      if (size == 0) { // as most are that a statement makes
        return Collections.emptyList();
      }
      return size > MOST_ELEMENTS ? null : whole(new ArrayList<>(collection), depth);
    } else if (value instanceof BigDecimal) {
      return ((BigDecimal) value).unscaledValue().bitLength() > MOST_BITS ? null : text(value);
    } else if (value instanceof BigInteger) {
      return ((BigInteger) value).bitLength() > MOST_BITS ? null : text(value);
    } else if (value instanceof Date) {
      return Long.toString(((Date) value).getTime());
    } else if (value instanceof Locale) {
      String tag = ((Locale) value).toLanguageTag();
      return Locale.forLanguageTag(tag).equals(value) ? text(tag) : null;
    } else if (value instanceof Class) {
      return text(Type.getDescriptor((Class<?>) value));
    } else if (value instanceof Optional) {
      Optional<?> optional = (Optional<?>) value;
      return whole(optional.isPresent() ? Arrays.asList(optional.get()) : new ArrayList<>(), depth);
    } else if (value instanceof OptionalInt) {
      OptionalInt optional = (OptionalInt) value;
      return optional.isPresent() ? Arrays.asList(optional.getAsInt()) : new ArrayList<>();
    } else if (value instanceof OptionalLong) {
      OptionalLong optional = (OptionalLong) value;
      return optional.isPresent() ? Arrays.asList(optional.getAsLong()) : new ArrayList<>();
    } else if (value instanceof OptionalDouble) {
      OptionalDouble optional = (OptionalDouble) value;
      return optional.isPresent() ? Arrays.asList(optional.getAsDouble()) : new ArrayList<>();
    } else if (value instanceof Map) {
      return entries((Map<?, ?>) value, depth);
    }
    return text(value);
  }

  private static Object entries(Map<?, ?> map, int depth) {
    if (map.size() > MOST_ELEMENTS) {
      return null;
    }
    List<Object> pairs = new ArrayList<>();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      pairs.add(entry.getKey());
      pairs.add(entry.getValue());
    }
    return whole(pairs, depth);
  }

  private static Object elements(Object array, int depth) {
    int length = Array.getLength(array);
    if (length > MOST_ELEMENTS) {
      return null;
    }
    List<Object> elements = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      elements.add(Array.get(array, i));
    }
    return whole(elements, depth);
  }

  private static String text(Object value) {
    String text = value.toString();
    return text.length() <= LONGEST_TEXT && Texts.isConstant(text) ? text : null;
  }

  /** The elements, if each of them can be told. */
  private static List<?> whole(List<?> elements, int depth) {
    for (Object element : elements) {
      if (!canBeTold(element, depth)) {
        return null;
      }
    }
    return elements;
  }

  private static boolean canBeTold(Object element, int depth) {
    if (element == null) {
      return true;
    }
    TypeInfo info = TypeInfo.of(element.getClass());
    switch (info.kind) {
      case VALUE:
        return !(element instanceof String) || text(element) != null;
      case ENUM:
        return true;
      default:
        return info.mayHaveContent && depth < DEEPEST && content(element, depth + 1) != null;
    }
  }
}
