package io.palus.worker.instrument;

import io.palus.wire.Kinds.Operator;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Class bytes in, class bytes out. */
public final class Instrumenter {
  private static final int METHOD_REFERENCE = 10;
  private static final int INTERFACE_METHOD_REFERENCE = 11;

  private static final MethodInsnNode FINALIZES =
      new MethodInsnNode(Opcodes.INVOKESTATIC, GuardRules.GUARD, "finalizes", "()V", false);

  private final ProbeTable table;
  private final StaticTable statics;

  /**
   * Numbers probes and classes in tables.
   *
   * @param table takes the probes
   * @param statics takes the classes with static fields
   */
  public Instrumenter(ProbeTable table, StaticTable statics) {
    this.table = table;
    this.statics = statics;
  }

  /**
   * Gives a subject class its probes, fuel, guards and what tells of static state. A class that
   * cannot take them (a method would grow too large) gets guards at least.
   *
   * @param bytes the class file
   * @param classNumber the engine's number of the class
   * @return the new class file
   * @throws UnguardableException if it cannot take these either
   */
  public byte[] subject(byte[] bytes, int classNumber) {
    return subject(bytes, classNumber, null, null, false);
  }

  /**
   * The same with all its mutants, each behind a switch. A class that would grow too large with
   * them has those of PIT's default mutators; one that would with these has none.
   *
   * @param bytes the class file
   * @param classNumber the engine's number of the class
   * @param mutants the mutants numbered so far, from 1; takes those of the class
   * @return the new class file
   * @throws UnguardableException if it cannot take guards
   */
  public byte[] mutated(byte[] bytes, int classNumber, List<Mutant> mutants) {
    return subject(bytes, classNumber, mutants, null, true);
  }

  /**
   * The same as the first, and it tells of the calls that it makes to an API. A class that would
   * grow too large with that tells of none.
   *
   * @param bytes the class file
   * @param classNumber the engine's number of the class
   * @param sites by place among all calls in its code, the number of the site
   * @return the new class file
   * @throws UnguardableException if it cannot take guards
   */
  public byte[] recorded(byte[] bytes, int classNumber, Map<Integer, Integer> sites) {
    return subject(bytes, classNumber, null, sites, false);
  }

  private byte[] subject(
      byte[] bytes,
      int classNumber,
      List<Mutant> mutants,
      Map<Integer, Integer> apiSites,
      boolean hasAllMutants) {
    int known = mutants == null ? 0 : mutants.size();
    try {
      ClassNode type = read(bytes);
      int start = table.start(classNumber);
      int next = start;
      StaticUses uses = new StaticUses(type, statics);
      HandleBridges bridges = new HandleBridges(type);
      ApiCallInserter apiCalls = new ApiCallInserter(type, apiSites);
      ConstantMutants constants = new ConstantMutants(type);
      if (hasAllMutants) {
        constants.tell(mutants);
      }
      for (MethodNode method : type.methods) {
        List<ApiCallInserter.Site> calls = apiCalls.find(method);
        List<MutantSite> sites =
            mutants == null
                ? Collections.emptyList()
                : MutantFinder.find(type, method, hasAllMutants);
        constants.insert(method);
        if (ProbeInserter.hasProbes(method)) {
          ProbeInserter inserter = new ProbeInserter(method, next, majorVersion(type));
          inserter.insert();
          next = inserter.next();
        }
        if (method.instructions.size() > 0) {
          uses.tell(method);
          bridges.redirect(method);
          GuardRewriter.rewrite(method);
          if (method.name.equals("finalize") && method.desc.equals("()V")) {
            method.instructions.insert(FINALIZES.clone(null));
          }
          if (!sites.isEmpty()) {
            int first = mutants.size() + 1;
            new MutantInserter(type.name, method, majorVersion(type), sites).insert(first);
            tell(type, method, sites, mutants);
          }
          apiCalls.insert(method, calls);
        }
      }
      bridges.add();
      apiCalls.add();
      byte[] written = write(type);
      statics.set(statics.number(type.name), uses.start());
      // Only now, so that a class given up above leaves no probes behind.
      table.add(classNumber, next - start);
      return written;
    } catch (RuntimeException e) {
      if (mutants == null && apiSites == null) {
        return library(bytes);
      }
      if (mutants != null) {
        mutants.subList(known, mutants.size()).clear();
      }
      List<Mutant> next = hasAllMutants ? mutants : null;
      return subject(bytes, classNumber, next, null, false);
    }
  }

  private static void tell(
      ClassNode type, MethodNode method, List<MutantSite> sites, List<Mutant> mutants) {
    for (MutantSite site : sites) {
      for (Operator operator : site.operators) {
        mutants.add(new Mutant(type.name, operator, method, site.line, site.detail));
      }
    }
  }

  /**
   * Gives any other class its guards.
   *
   * @param bytes the class file
   * @return the new class file, or the same array if it calls nothing guarded
   * @throws UnguardableException if it cannot take them: a version unknown to ASM, a method that
   *     would grow too large
   */
  public byte[] library(byte[] bytes) {
    try {
      ClassReader reader = new ClassReader(bytes);
      Ancestors.note(reader);
      String above = reader.getSuperName();
      if (!callsGuarded(reader) && (above == null || !LoggingRules.deniesHeirs(above))) {
        return bytes;
      }
      ClassNode type = read(bytes);
      HandleBridges bridges = new HandleBridges(type);
      for (MethodNode method : type.methods) {
        if (method.instructions.size() > 0) {
          bridges.redirect(method);
          GuardRewriter.rewrite(method);
        }
      }
      bridges.add();
      return write(type);
    } catch (RuntimeException e) {
      throw new UnguardableException(e);
    }
  }

  private static ClassNode read(byte[] bytes) {
    ClassNode type = new ClassNode();
    new ClassReader(bytes).accept(type, ClassReader.EXPAND_FRAMES);
    if (type.superName != null && LoggingRules.deniesHeirs(type.superName)) {
      throw new IllegalArgumentException("it extends " + type.superName);
    }
    return type;
  }

  private static byte[] write(ClassNode type) {
    // Not COMPUTE_FRAMES: it would load classes. All that is added keeps the frames there are.
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    type.accept(writer);
    return writer.toByteArray();
  }

  private static int majorVersion(ClassNode type) {
    return type.version & 0xffff;
  }

  /** Looks through the constant pool: most library classes call nothing that is guarded. */
  private static boolean callsGuarded(ClassReader reader) {
    char[] buffer = new char[reader.getMaxStringLength()];
    for (int i = 1; i < reader.getItemCount(); i++) {
      int item = reader.getItem(i);
      if (item == 0) {
        continue;
      }
      int tag = reader.readByte(item - 1);
      if (tag != METHOD_REFERENCE && tag != INTERFACE_METHOD_REFERENCE) {
        continue;
      }
      String owner = reader.readClass(item, buffer);
      if (GuardRules.knows(owner) || callsByName(reader, item, owner, buffer)) {
        return true;
      }
    }
    return false;
  }

  /** Whether it is a call that has guards where its receiver is of some subclass. */
  private static boolean callsByName(ClassReader reader, int item, String owner, char[] buffer) {
    int nameAndType = reader.getItem(reader.readUnsignedShort(item + 2));
    String name = reader.readUTF8(nameAndType, buffer);
    String descriptor = reader.readUTF8(nameAndType + 2, buffer);
    boolean isStart = name.equals("start") && descriptor.equals("()V");
    return isStart
        || FileRules.isOfFile(name, descriptor)
        || GuardRules.find(owner, name, descriptor) != null;
  }
}
