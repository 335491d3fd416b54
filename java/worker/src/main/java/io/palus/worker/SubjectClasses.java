package io.palus.worker;

import io.palus.worker.instrument.Ancestors;
import io.palus.worker.instrument.Instrumenter;
import io.palus.worker.instrument.Mutant;
import io.palus.worker.instrument.ProbeTable;
import io.palus.worker.instrument.StaticTable;
import io.palus.worker.runtime.ApiTypes;
import io.palus.worker.runtime.Mutants;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Instrumented classes of the class path, kept from one class loader to the next, so that a fresh
 * loader costs little.
 */
final class SubjectClasses {
  private final ClassPath classPath;
  private final LoggingLoader logging;
  private final Map<String, Integer> numbers;
  private final Instrumenter instrumenter;
  private final StaticTable statics = new StaticTable();
  private final AllocationMeter memory = new AllocationMeter();
  private final Map<String, Ready> ready = new ConcurrentHashMap<>();
  private final Map<String, Ready> mutated = new HashMap<>();
  private final Map<String, Ready> recorded = new HashMap<>();
  private Sites sites = new Sites();
  private boolean records;

  SubjectClasses(ClassPath classPath, Map<String, Integer> numbers, ProbeTable table) {
    this.classPath = classPath;
    this.logging = new LoggingLoader(classPath);
    this.numbers = numbers;
    this.instrumenter = new Instrumenter(table, statics);
    Ancestors.of(
        name -> {
          ClassPath.Found found = classPath.find(name);
          return found == null ? null : new ByteArrayInputStream(found.bytes);
        });
  }

  /** Counts for the thread that made this. */
  AllocationMeter memory() {
    return memory;
  }

  /** The classes with static fields that instrumented code tells of. */
  StaticTable statics() {
    return statics;
  }

  ClassPath classPath() {
    return classPath;
  }

  /** Loads what writes logs, for all loaders of subject classes. */
  LoggingLoader logging() {
    return logging;
  }

  /** Whether a class with this internal name is one of those to be tested. */
  boolean isSubject(String internalName) {
    return numbers.containsKey(internalName);
  }

  /** The class, ready to be defined; null if the class path has none of this name. */
  synchronized Ready find(String internalName) throws IOException {
    Ready found = mutated.get(internalName);
    if (found != null) {
      return found;
    }
    Map<Integer, Integer> ofClass = records ? sites.of(internalName) : null;
    Map<String, Ready> kept = ofClass == null ? ready : recorded;
    found = kept.get(internalName);
    if (found == null) {
      long before = memory.allocated();
      found = make(internalName, ofClass);
      memory.leaveOut(before);
      if (found != null) {
        kept.put(internalName, found);
      }
    }
    return found;
  }

  /**
   * From the next class loader on, these subject classes hold all their mutants, and no others any.
   *
   * @return the mutants, numbered from 1
   */
  synchronized List<Mutant> mutate(List<String> internalNames) throws IOException {
    mutated.clear();
    List<Mutant> mutants = new ArrayList<>();
    for (String name : internalNames) {
      ClassPath.Found file = classPath.find(name + ".class");
      Integer number = numbers.get(name);
      if (file != null && number != null) {
        byte[] bytes = instrumenter.mutated(file.bytes, number, mutants);
        mutated.put(name, new Ready(bytes, classPath.domain(file)));
      }
    }
    Mutants.hold(mutants.size());
    return mutants;
  }

  /** Where classes call an API. */
  synchronized void define(Sites defined) {
    sites = defined;
    recorded.clear();
  }

  /** From the next class loader on, classes tell of what they call of it, or do not. */
  synchronized void record(boolean isWanted) {
    records = isWanted;
  }

  /**
   * The types of the API where classes tell of calls, as the current class loader has them; or
   * null.
   */
  synchronized ApiTypes recordedTypes() {
    return records
        ? new ApiTypes(
            sites.api(),
            type ->
                isSubject(type.getName().replace('.', '/'))
                    || InvokerFactory.isOurs(type.getName()))
        : null;
  }

  private Ready make(String internalName, Map<Integer, Integer> ofClass) throws IOException {
    ClassPath.Found file = classPath.find(internalName + ".class");
    if (file == null) {
      return null;
    }
    Integer number = numbers.get(internalName);
    byte[] bytes;
    if (number == null) {
      bytes = instrumenter.library(file.bytes);
    } else if (ofClass == null) {
      bytes = instrumenter.subject(file.bytes, number);
    } else {
      bytes = instrumenter.recorded(file.bytes, number, ofClass);
    }
    return new Ready(bytes, classPath.domain(file));
  }

  /** Bytes to define, and where they are from. */
  static final class Ready {
    final byte[] bytes;
    final ProtectionDomain domain;

    Ready(byte[] bytes, ProtectionDomain domain) {
      this.bytes = bytes;
      this.domain = domain;
    }
  }
}
