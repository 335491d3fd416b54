package io.palus.worker.instrument;

/**
 * The rules for what AWT and Swing keep for all code of the JVM, with or without a screen, in
 * static fields or in objects that all share. Nobody can tell what it was before.
 */
final class ScreenSettings {
  private static final String SWING = "javax/swing/";

  private ScreenSettings() {}

  static void add() {
    awt();
    looks();
    swing();
    text();
  }

  private static void awt() {
    String focus = "java/awt/KeyboardFocusManager";
    GuardRules.deny(focus, "setCurrentKeyboardFocusManager addKeyEventDispatcher");
    GuardRules.deny(focus, "addKeyEventPostProcessor addPropertyChangeListener");
    GuardRules.deny(focus, "addVetoableChangeListener setDefaultFocusTraversalPolicy");
    GuardRules.deny(focus, "setDefaultFocusTraversalKeys");
    String flavors = "java/awt/datatransfer/SystemFlavorMap";
    GuardRules.deny(flavors, "addUnencodedNativeForFlavor setNativesForFlavor");
    GuardRules.deny(flavors, "addFlavorForUnencodedNative setFlavorsForNative");
    GuardRules.deny("java/awt/Toolkit", "addAWTEventListener addPropertyChangeListener");
    GuardRules.deny("java/awt/Toolkit", "setDynamicLayout getSystemEventQueue");
    GuardRules.deny("java/awt/GraphicsEnvironment", "registerFont preferLocaleFonts");
    GuardRules.deny("java/awt/GraphicsEnvironment", "preferProportionalFonts");
    GuardRules.deny("java/awt/AWTKeyStroke", "registerSubclass");
  }

  private static void looks() {
    String manager = SWING + "UIManager";
    GuardRules.deny(manager, "setLookAndFeel put installLookAndFeel setInstalledLookAndFeels");
    GuardRules.deny(manager, "addAuxiliaryLookAndFeel removeAuxiliaryLookAndFeel");
    GuardRules.deny(manager, "addPropertyChangeListener removePropertyChangeListener");
    // What they give are tables that all share, and code may write to them as to any map.
    GuardRules.deny(manager, "getDefaults getLookAndFeelDefaults");
    GuardRules.deny(SWING + "plaf/metal/MetalLookAndFeel", "setCurrentTheme");
    GuardRules.deny(SWING + "plaf/synth/SynthLookAndFeel", "setStyleFactory");
  }

  private static void swing() {
    GuardRules.deny(SWING + "FocusManager", "setCurrentManager disableSwingFocusManager");
    GuardRules.deny(SWING + "FocusManager", "setCurrentKeyboardFocusManager");
    GuardRules.deny(SWING + "JComponent", "setDefaultLocale");
    GuardRules.deny(SWING + "JDialog", "setDefaultLookAndFeelDecorated");
    GuardRules.deny(SWING + "JFrame", "setDefaultLookAndFeelDecorated");
    GuardRules.deny(SWING + "JOptionPane", "setRootFrame");
    GuardRules.deny(SWING + "JPopupMenu", "setDefaultLightWeightPopupEnabled");
    GuardRules.deny(SWING + "LayoutStyle", "setInstance");
    GuardRules.deny(SWING + "PopupFactory", "setSharedInstance");
    GuardRules.deny(SWING + "RepaintManager", "setCurrentManager currentManager");
    GuardRules.deny(SWING + "Timer", "setLogTimers");
    GuardRules.deny(SWING + "ToolTipManager", "sharedInstance");
    GuardRules.deny(SWING + "MenuSelectionManager", "defaultManager");
    GuardRules.deny(SWING + "DebugGraphics", "setFlashColor setFlashCount setFlashTime");
    GuardRules.deny(SWING + "DebugGraphics", "setLogStream");
  }

  private static void text() {
    GuardRules.deny(SWING + "JEditorPane", "registerEditorKitForContentType");
    GuardRules.deny(SWING + "text/JTextComponent", "addKeymap removeKeymap getKeymap");
    GuardRules.deny(SWING + "text/LayoutQueue", "setDefaultQueue");
    GuardRules.deny(
        SWING + "text/StyleContext", "registerStaticAttributeKey getDefaultStyleContext");
    GuardRules.deny(SWING + "text/html/parser/DTD", "putDTDHash");
    GuardRules.deny(SWING + "text/html/parser/ParserDelegator", "setDefaultDTD");
    GuardRules.deny(SWING + "text/html/HTMLEditorKit", "getStyleSheet setStyleSheet");
  }
}
