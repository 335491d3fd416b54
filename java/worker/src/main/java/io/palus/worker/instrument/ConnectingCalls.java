package io.palus.worker.instrument;

import java.util.ArrayList;
import java.util.List;

/**
 * Calls of the JDK that connect to where an address or a name of a directory leads, or that run
 * other programs for it. No guard stands before them: the kernel refuses what they do. Outside of
 * the sandbox nobody does, so no test may come to them on another day.
 */
final class ConnectingCalls {
  private static final String[][] CALLS = {
    {
      "javax/naming/Context",
      "bind rebind unbind rename list listBindings createSubcontext destroySubcontext lookupLink"
    },
    {
      "javax/naming/InitialContext",
      "bind rebind unbind rename list listBindings createSubcontext destroySubcontext lookupLink"
    },
    {
      "javax/naming/directory/DirContext",
      "bind rebind createSubcontext getAttributes modifyAttributes search getSchema"
    },
    {
      "javax/naming/directory/InitialDirContext",
      "<init> bind rebind createSubcontext getAttributes modifyAttributes search getSchema"
    },
    {"javax/naming/ldap/InitialLdapContext", "<init> extendedOperation newInstance reconnect"},
    {"javax/naming/ldap/LdapContext", "extendedOperation newInstance reconnect"},
    {"java/sql/Driver", "connect"},
    {"java/security/KeyStore", "deleteEntry setKeyEntry setCertificateEntry setEntry store"},
    {"java/security/SignedObject", "getObject"},
    {"javax/crypto/SealedObject", "getObject"},
    {"java/io/ObjectInputStream", "readUnshared"},
    {"java/io/ObjectInput", "readObject"},
    {"java/beans/Beans", "instantiate"},
    {"java/beans/PropertyEditorManager", "findEditor"},
    {"java/lang/invoke/ConstantBootstraps", "staticFieldVarHandle fieldVarHandle"},
    {
      "java/util/concurrent/ForkJoinPool",
      "externalSubmit lazySubmit submitWithTimeout invokeAllUninterruptibly"
    },
    {"java/util/concurrent/SubmissionPublisher", "consume"},
    {"java/net/InetAddress", "getHostName"},
    {"java/net/InetSocketAddress", "getHostName"},
    {"javax/swing/JTable", "print"},
    {"javax/swing/text/JTextComponent", "print copy cut paste"},
    {"javax/swing/text/html/StyleSheet", "importStyleSheet"},
    {"java/awt/GraphicsDevice", "setDisplayMode setFullScreenWindow"},
    {"java/security/cert/CertStore", "getCertificates getCRLs"},
    {"java/net/URLClassLoader", "<init> newInstance"},
    {"java/net/URL", "hashCode equals sameFile"},
    {"java/net/URL", "<init>"}, // a collection of the JDK asks it for its hash
    {"java/net/URI", "toURL"},
    {"java/security/CodeSource", "hashCode equals implies"},
    {"org/xml/sax/InputSource", "setSystemId"},
    {"javax/xml/transform/Source", "setSystemId"},
    {"javax/xml/transform/stream/StreamSource", "setSystemId"},
    {"javax/xml/transform/TransformerFactory", "setAttribute"},
    {"java/beans/Encoder", "writeStatement writeExpression"},
    {"java/beans/XMLEncoder", "writeStatement writeExpression"},
    {"java/awt/Toolkit", "getImage createImage"},
    {"javax/swing/ImageIcon", "<init>(Ljava/net/URL;)V <init>(Ljava/net/URL;Ljava/lang/String;)V"},
    {"javax/swing/JEditorPane", "<init>(Ljava/net/URL;)V <init>(Ljava/lang/String;)V setPage"},
    {"javax/imageio/ImageIO", "read(Ljava/net/URL;)Ljava/awt/image/BufferedImage;"},
    {"javax/sound/sampled/AudioSystem", "getAudioInputStream getAudioFileFormat"},
    {"javax/sound/midi/MidiSystem", "getSequence getSoundbank getMidiFileFormat"},
    {
      "javax/xml/validation/SchemaFactory", "newSchema(Ljava/net/URL;)Ljavax/xml/validation/Schema;"
    },
    {"org/w3c/dom/ls/LSParser", "parseURI parse parseWithContext"},
    {"javax/management/loading/MLet", "<init> getMBeansFromURL addURL"},
    {"jdk/jshell/JShell", "eval"},
    {"com/sun/jdi/connect/LaunchingConnector", "launch"},
    {"com/sun/jdi/connect/AttachingConnector", "attach"},
    {"com/sun/jdi/connect/ListeningConnector", "startListening accept"},
    {
      "sun/misc/Unsafe",
      "putByte(JB)V putShort(JS)V putChar(JC)V putInt(JI)V putLong(JJ)V putFloat(JF)V"
          + " putDouble(JD)V setMemory copyMemory freeMemory"
    },
  };

  private ConnectingCalls() {}

  /** Each as the list of guarded calls has it. */
  static List<String> all() {
    List<String> all = new ArrayList<>();
    for (String[] of : CALLS) {
      for (String name : of[1].split(" ")) {
        all.add(of[0] + '.' + name);
      }
    }
    return all;
  }
}
