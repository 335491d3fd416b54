package io.palus.worker;

/** The shapes of classes, each made once. */
final class ObjectShapes {
  private final Memory memory;
  private final ClassValue<ObjectShape> byClass =
      new ClassValue<ObjectShape>() {
        @Override
        protected ObjectShape computeValue(Class<?> type) {
          return ObjectShape.of(type, memory);
        }
      };

  ObjectShapes(Memory memory) {
    this.memory = memory;
  }

  Memory memory() {
    return memory;
  }

  ObjectShape of(Class<?> type) {
    return byClass.get(type);
  }
}
