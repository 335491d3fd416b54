package sample;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.martiansoftware.jsap.FlaggedOption;
import com.martiansoftware.jsap.JSAP;
import com.martiansoftware.jsap.JSAPResult;
import com.martiansoftware.jsap.QualifiedSwitch;
import com.martiansoftware.jsap.Switch;
import com.martiansoftware.jsap.UnflaggedOption;
import org.junit.Test;

/** Parses a command line with an option of each kind. */
public class CommandLineTest {
  private static JSAP parser() throws Exception {
    JSAP parser = new JSAP();
    FlaggedOption count = new FlaggedOption("count");
    count.setStringParser(JSAP.INTEGER_PARSER);
    count.setDefault("1");
    count.setShortFlag('n');
    count.setLongFlag("count");
    parser.registerParameter(count);
    parser.registerParameter(new Switch("verbose").setShortFlag('v').setLongFlag("verbose"));
    QualifiedSwitch colour = new QualifiedSwitch("colour");
    colour.setLongFlag("colour").setList(true).setListSeparator(',');
    parser.registerParameter(colour);
    UnflaggedOption names = new UnflaggedOption("name");
    names.setStringParser(JSAP.STRING_PARSER);
    names.setRequired(true);
    names.setGreedy(true);
    parser.registerParameter(names);
    return parser;
  }

  @Test
  public void optionsAreRead() throws Exception {
    JSAPResult result = parser().parse("-n 3 --colour:red,blue -v Anna Bob");
    assertTrue(result.success());
    assertEquals(3, result.getInt("count"));
    assertTrue(result.getBoolean("verbose"));
    assertArrayEquals(new String[] {"red", "blue"}, result.getStringArray("colour"));
    assertArrayEquals(new String[] {"Anna", "Bob"}, result.getStringArray("name"));
  }

  @Test
  public void whatIsMissingIsSaid() throws Exception {
    JSAP parser = parser();
    JSAPResult result = parser.parse(new String[] {"--count", "many"});
    assertFalse(result.success());
    assertTrue(result.getErrorMessageIterator().hasNext());
    assertTrue(parser.getUsage().contains("--count"));
  }
}
