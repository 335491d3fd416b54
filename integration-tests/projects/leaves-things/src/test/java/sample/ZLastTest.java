package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;

/** Runs last: looks at what the tests before it left, and waits for what they may have armed. */
class ZLastTest {
  @Test
  void nothing_is_left_and_nothing_fires() throws InterruptedException {
    assertEquals(new Locale("de", "AT"), Locale.getDefault());
    assertEquals("Europe/Vienna", TimeZone.getDefault().getID());
    assertNull(Thread.getDefaultUncaughtExceptionHandler());
    Thread.sleep(Integer.getInteger("wait", 0));
  }
}
