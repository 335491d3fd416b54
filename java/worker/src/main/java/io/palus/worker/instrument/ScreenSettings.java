package io.palus.worker.instrument;

/**
 * The rules for what AWT and Swing keep for all code of the JVM, with or without a screen, in
 * static fields or in objects that all share. Nobody can tell what it was before.
 */
final class ScreenSettings {
  private static final String SWING = "javax/swing/";

  private ScreenSettings() {}

  static void add() {
    accessibility();
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
    GuardRules.deny(focus, "setDefaultFocusTraversalKeys setGlobalCurrentFocusCycleRoot");
    GuardRules.deny(focus, "removeKeyEventDispatcher removeKeyEventPostProcessor");
    GuardRules.deny(focus, "removePropertyChangeListener removeVetoableChangeListener");
    GuardRules.deny(focus, "clearFocusOwner clearGlobalFocusOwner setGlobalFocusOwner");
    GuardRules.deny(focus, "setGlobalActiveWindow setGlobalFocusedWindow");
    GuardRules.deny(focus, "setGlobalPermanentFocusOwner");
    String flavors = "java/awt/datatransfer/SystemFlavorMap";
    GuardRules.deny(flavors, "addUnencodedNativeForFlavor setNativesForFlavor");
    GuardRules.deny(flavors, "addFlavorForUnencodedNative setFlavorsForNative");
    GuardRules.deny("java/awt/Toolkit", "addAWTEventListener addPropertyChangeListener");
    GuardRules.deny("java/awt/Toolkit", "removeAWTEventListener removePropertyChangeListener");
    GuardRules.deny("java/awt/Toolkit", "setDesktopProperty");
    GuardRules.deny("java/awt/Taskbar", "getTaskbar");
    GuardRules.deny("java/awt/SplashScreen", "getSplashScreen");
    GuardRules.deny("java/awt/dnd/DragSource", "getDefaultDragSource");
    GuardRules.deny("java/awt/Toolkit", "setDynamicLayout getSystemEventQueue");
    GuardRules.deny("java/awt/GraphicsEnvironment", "registerFont preferLocaleFonts");
    GuardRules.deny("java/awt/GraphicsEnvironment", "preferProportionalFonts");
    GuardRules.deny("java/awt/AWTKeyStroke", "registerSubclass");
    GuardRules.deny("jdk/swing/interop/DispatcherWrapper", "setFwDispatcher");
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
    GuardRules.deny(SWING + "text/LayoutQueue", "setDefaultQueue getDefaultQueue");
    GuardRules.deny(
        SWING + "text/StyleContext", "registerStaticAttributeKey getDefaultStyleContext");
    GuardRules.deny(SWING + "text/html/parser/DTD", "putDTDHash");
    GuardRules.deny(SWING + "text/html/parser/ParserDelegator", "setDefaultDTD");
    GuardRules.deny(SWING + "text/html/HTMLEditorKit", "getStyleSheet setStyleSheet");
  }

  /** Its monitors tell whoever listens of all events of the JVM. */
  private static void accessibility() {
    String util = "com/sun/java/accessibility/util/";
    String shared = "Focus Component Container Key Mouse MouseMotion Window Action Adjustment Item";
    listeners(util + "AWTEventMonitor", shared + " Text");
    listeners(util + "AccessibilityEventMonitor", "PropertyChange");
    listeners(util + "EventQueueMonitor", "GUIInitialized TopLevelWindow");
    String swing = "Ancestor Caret CellEditor Change ColumnModel Document InternalFrame ListData";
    String more = " ListSelection Menu PopupMenu PropertyChange TableModel TreeExpansion TreeModel";
    listeners(util + "SwingEventMonitor", swing + more + " TreeSelection UndoableEdit");
    listeners(util + "SwingEventMonitor", "VetoableChange");
  }

  private static void listeners(String owner, String kinds) {
    for (String kind : kinds.split(" ")) {
      GuardRules.deny(owner, "add" + kind + "Listener remove" + kind + "Listener");
    }
  }
}
