package sample;

import static org.junit.Assert.assertEquals;

import org.junit.Test;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/** Interprets a small program. */
public class ScriptTest {
  private static final String PROGRAM =
      "function Account(owner) { this.owner = owner; this.balance = 0; }\n"
          + "Account.prototype.pay = function (sum) {\n"
          + "  if (sum <= 0) { throw new Error('not ' + sum); }\n"
          + "  this.balance += sum;\n"
          + "  return this;\n"
          + "};\n"
          + "var accounts = ['Anna', 'Bob'].map(function (name) { return new Account(name); });\n"
          + "for (var i = 0; i < 5; i++) { accounts[i % 2].pay(i + 1.5); }\n"
          + "var failed = '';\n"
          + "try { accounts[0].pay(-1); } catch (e) { failed = e.message.replace(/\\s+/, '_'); }\n"
          + "JSON.stringify({ first: accounts[0].balance, failed: failed })";

  @Test
  public void aProgramIsInterpreted() {
    Context context = Context.enter();
    try {
      context.setOptimizationLevel(-1);
      Scriptable scope = context.initStandardObjects();
      Object result = context.evaluateString(scope, PROGRAM, "program", 1, null);
      assertEquals("{\"first\":10.5,\"failed\":\"not_-1\"}", Context.toString(result));
      context.evaluateString(scope, "function twice(x) { return 2 * x; }", "more", 1, null);
      Function twice = (Function) ScriptableObject.getProperty(scope, "twice");
      Object doubled = twice.call(context, scope, scope, new Object[] {21});
      assertEquals(42, Context.toNumber(doubled), 0);
    } finally {
      Context.exit();
    }
  }
}
