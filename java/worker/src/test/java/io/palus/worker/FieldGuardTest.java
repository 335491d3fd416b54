package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What gets at fields of the JDK past its methods, and the same of the subject's own. */
class FieldGuardTest {
  private static final String SLY =
      """
      package sly;
      import java.io.*;
      import java.lang.invoke.*;
      import java.lang.reflect.*;
      import java.util.concurrent.atomic.*;
      import sun.misc.Unsafe;
      public class Fields {
        static int count;
        private int own = 1;
        private volatile Object held;

        static Unsafe unsafe() throws Exception {
          Field only = Unsafe.class.getDeclaredField("theUnsafe");
          only.setAccessible(true);
          return (Unsafe) only.get(null);
        }
        static Field descriptor() throws Exception { return FileDescriptor.class.getDeclaredField("fd"); }
        static Object writes() throws Exception {
          descriptor().setInt(new FileDescriptor(), 1);
          return null;
        }
        static Object writesByReflection() throws Exception {
          Field.class.getMethod("setInt", Object.class, int.class)
              .invoke(descriptor(), new FileDescriptor(), 1);
          return null;
        }
        static Object writesCache() throws Exception {
          Integer.class.getDeclaredField("value").set(Integer.valueOf(77), 100);
          return null;
        }
        static Object looksIntoCache() throws Exception {
          return Class.forName("java.lang.Integer$IntegerCache").getDeclaredField("cache").get(null);
        }
        static Object setter() throws Throwable { return MethodHandles.lookup().unreflectSetter(descriptor()); }
        static Object found() throws Throwable {
          return MethodHandles.lookup().findSetter(FileDescriptor.class, "fd", int.class);
        }
        static Object reference() throws Exception {
          Set set = descriptor()::setInt;
          set.to(new FileDescriptor(), 1);
          return null;
        }
        interface Set { void to(Object of, int value) throws Exception; }
        static Object unsafeWrite() throws Exception {
          unsafe().putInt(new FileDescriptor(), unsafe().objectFieldOffset(descriptor()), 1);
          return null;
        }
        static Object unsafeExchange() throws Exception {
          unsafe().compareAndSwapInt(new FileDescriptor(), unsafe().objectFieldOffset(descriptor()), -1, 1);
          return null;
        }
        static Object unsafeStatic() throws Exception {
          Field field = System.class.getDeclaredField("lineSeparator");
          unsafe().putObject(unsafe().staticFieldBase(field), unsafe().staticFieldOffset(field), "x");
          return null;
        }
        static Object unsafeAddress() throws Exception {
          unsafe().putByte(unsafe().allocateMemory(8), (byte) 1);
          return null;
        }
        static Object unsafeCopy() throws Exception {
          unsafe().copyMemory(new byte[8], Unsafe.ARRAY_BYTE_BASE_OFFSET, new FileDescriptor(), 12, 4);
          return null;
        }
        static class Out extends ByteArrayOutputStream { }
        static Object unsafeInherited() throws Exception {
          unsafe().putInt(new Out(), 16L, 1);
          return null;
        }
        static Object unsafeHandle() throws Throwable {
          return MethodHandles.lookup().findVirtual(
              Unsafe.class, "putInt", MethodType.methodType(void.class, Object.class, long.class, int.class));
        }

        static int own() throws Throwable {
          Fields it = new Fields();
          Field own = Fields.class.getDeclaredField("own");
          own.setInt(it, own.getInt(it) + 1);
          MethodHandles.lookup().findSetter(Fields.class, "own", int.class).invoke(it, it.own + 1);
          MethodHandles.lookup().unreflectSetter(own).invoke(it, it.own + 1);
          long offset = unsafe().objectFieldOffset(own);
          unsafe().putInt(it, offset, unsafe().getInt(it, offset) + 1);
          Field held = Fields.class.getDeclaredField("held");
          unsafe().compareAndSwapObject(it, unsafe().objectFieldOffset(held), null, "text");
          AtomicReferenceFieldUpdater.newUpdater(Fields.class, Object.class, "held").set(it, "more");
          Field counter = Fields.class.getDeclaredField("count");
          unsafe().putInt(unsafe().staticFieldBase(counter), unsafe().staticFieldOffset(counter), 3);
          byte[] bytes = new byte[8];
          unsafe().putByte(bytes, Unsafe.ARRAY_BYTE_BASE_OFFSET, (byte) 1);
          java.awt.Point point = new java.awt.Point(1, 2);
          java.awt.Point.class.getField("x").setInt(point, 5);
          return it.own * 1000 + count * 100 + bytes[0] * 10 + point.x;
        }
      }
      """;
  private static final String OBJECT = "()Ljava/lang/Object;";

  @TempDir Path folder;
  private WorkerProcess worker;

  @BeforeEach
  void start() throws IOException {
    Path classes = Sources.compile(folder, Sources.OF_THIS_JDK, "sly/Fields.java", SLY);
    worker = WorkerProcess.patient(folder, classes);
  }

  @AfterEach
  void stop() {
    worker.close();
  }

  private String end(String method, String type) throws IOException {
    return worker.run(s -> s.callStatic("sly/Fields", method, type)).end();
  }

  private void isDenied(String method, String what) throws IOException {
    assertEquals("denied " + what, end(method, OBJECT), method);
  }

  @Test
  void no_field_of_the_jdk_is_written_past_its_methods() throws IOException {
    isDenied("writes", "a change of FileDescriptor.fd of the JDK");
    isDenied("writesByReflection", "Field.setInt by reflection");
    isDenied("writesCache", "a change of Integer.value of the JDK");
    isDenied("looksIntoCache", "a look at IntegerCache.cache of the JDK");
    isDenied("setter", "a change of FileDescriptor.fd of the JDK");
    isDenied("found", "a change of FileDescriptor.fd of the JDK");
    isDenied("reference", "a change of FileDescriptor.fd of the JDK");
  }

  @Test
  void no_memory_of_the_jdk_is_written() throws IOException {
    isDenied("unsafeWrite", "a write to memory of FileDescriptor of the JDK");
    isDenied("unsafeExchange", "a write to memory of FileDescriptor of the JDK");
    isDenied("unsafeStatic", "a write to memory of System of the JDK");
    isDenied("unsafeAddress", "a write to memory of the JVM");
    isDenied("unsafeCopy", "a write to memory of FileDescriptor of the JDK");
    isDenied("unsafeInherited", "a write to memory of ByteArrayOutputStream of the JDK");
    isDenied("unsafeHandle", "Unsafe.putInt by a method handle");
  }

  @Test
  void what_is_the_subjects_own_or_public_may_be_written() throws IOException {
    Outcome outcome = worker.run(s -> s.callStatic("sly/Fields", "own", "()I"));
    assertEquals("completed", outcome.end());
    assertEquals("int 5315", outcome.observations().get(0));
  }
}
