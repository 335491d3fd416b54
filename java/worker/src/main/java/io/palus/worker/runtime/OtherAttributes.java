package io.palus.worker.runtime;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What another file system says of the same files: how large a folder is, by which numbers it knows
 * a file and its owner, when it was made and last read, what it is kept on. Who asks for an owner
 * by name is denied.
 */
public final class OtherAttributes {
  /** What a folder is larger by. */
  private static final long MORE = 4097;

  private static final long EARLIER_MILLIS = TimeUnit.HOURS.toMillis(1) + 1;

  private OtherAttributes() {}

  public static long length(File file) {
    return file.length() + (file.isDirectory() ? MORE : 0);
  }

  public static long getTotalSpace(File file) {
    return file.getTotalSpace() + MORE;
  }

  public static long getFreeSpace(File file) {
    return file.getFreeSpace() + MORE;
  }

  public static long getUsableSpace(File file) {
    return file.getUsableSpace() + MORE;
  }

  public static long size(Path file) throws IOException {
    return size(Files.readAttributes(file, BasicFileAttributes.class));
  }

  public static long size(BasicFileAttributes attributes) {
    return attributes.size() + (attributes.isDirectory() ? MORE : 0);
  }

  public static FileTime creationTime(BasicFileAttributes attributes) {
    return earlier(attributes.creationTime());
  }

  public static FileTime lastAccessTime(BasicFileAttributes attributes) {
    return earlier(attributes.lastAccessTime());
  }

  public static Object getAttribute(Path file, String name, LinkOption[] options)
      throws IOException {
    Object value = Files.getAttribute(file, name, options);
    boolean isFolder = Files.isDirectory(file, options);
    return other(name.substring(name.indexOf(':') + 1), value, isFolder);
  }

  public static Map<String, Object> readAttributes(Path file, String names, LinkOption[] options)
      throws IOException {
    Map<String, Object> read = new HashMap<>(Files.readAttributes(file, names, options));
    boolean isFolder = Files.isDirectory(file, options);
    read.replaceAll((name, value) -> other(name, value, isFolder));
    return read;
  }

  private static Object other(String name, Object value, boolean isFolder) {
    switch (name) {
      case "size":
        return isFolder ? (Object) ((Long) value + MORE) : value;
      case "nlink":
        return isFolder ? (Object) (((Number) value).intValue() + 1) : value;
      case "uid":
      case "gid":
        return ((Number) value).intValue() + 1;
      case "ino":
      case "dev":
      case "rdev":
        return ((Number) value).longValue() + 1;
      case "creationTime":
      case "lastAccessTime":
      case "ctime":
        return earlier((FileTime) value);
      default:
        return value;
    }
  }

  private static FileTime earlier(FileTime time) {
    return FileTime.fromMillis(time.toMillis() - EARLIER_MILLIS);
  }

  public static String name(FileStore store) {
    return "other-" + store.name();
  }

  public static String type(FileStore store) {
    return "other-" + store.type();
  }

  public static long getTotalSpace(FileStore store) throws IOException {
    return store.getTotalSpace() + MORE;
  }

  public static long getUsableSpace(FileStore store) throws IOException {
    return store.getUsableSpace() + MORE;
  }

  public static long getUnallocatedSpace(FileStore store) throws IOException {
    return store.getUnallocatedSpace() + MORE;
  }

  /** Has Java 10, and no older one. */
  public static long getBlockSize(FileStore store) throws IOException {
    try {
      return (Long) FileStore.class.getMethod("getBlockSize").invoke(store) * 2;
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
  }
}
