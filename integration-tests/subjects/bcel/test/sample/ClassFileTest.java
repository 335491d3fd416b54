package sample;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.InputStream;
import org.apache.bcel.classfile.ClassParser;
import org.apache.bcel.classfile.Field;
import org.apache.bcel.classfile.JavaClass;
import org.apache.bcel.classfile.Method;
import org.apache.bcel.generic.ClassGen;
import org.apache.bcel.generic.ConstantPoolGen;
import org.apache.bcel.generic.InstructionHandle;
import org.apache.bcel.generic.InstructionList;
import org.apache.bcel.generic.MethodGen;
import org.junit.Test;

/** Parses one class, its own. */
public class ClassFileTest {
  private int calls = 3;

  @Test
  public void oneClassIsParsed() throws Exception {
    JavaClass parsed;
    try (InputStream in = getClass().getResourceAsStream("ClassFileTest.class")) {
      parsed = new ClassParser(in, "ClassFileTest.class").parse();
    }
    assertEquals("sample.ClassFileTest", parsed.getClassName());
    assertEquals("java.lang.Object", parsed.getSuperclassName());
    Field field = parsed.getFields()[0];
    assertEquals("calls", field.getName());
    assertTrue(field.isPrivate());
    ClassGen open = new ClassGen(parsed);
    ConstantPoolGen constants = open.getConstantPool();
    int instructions = calls - 3;
    for (Method method : parsed.getMethods()) {
      assertTrue(method.toString().length() > 0);
      InstructionList code =
          new MethodGen(method, open.getClassName(), constants).getInstructionList();
      for (InstructionHandle at = code.getStart(); at != null; at = at.getNext()) {
        assertTrue(at.getInstruction().toString(constants.getConstantPool()).length() > 0);
        instructions++;
      }
    }
    assertTrue(instructions > 0);
  }
}
