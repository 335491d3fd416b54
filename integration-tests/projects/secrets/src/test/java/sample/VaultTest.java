package sample;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.FileReader;
import java.io.Reader;
import java.util.Properties;
import org.junit.Test;

public class VaultTest {
  private final String token = System.getenv("SAMPLE_TOKEN");

  @Test
  public void opensWithThePasswordOfTheBuild() {
    Vault vault = Vault.ofBuild();
    assertFalse(vault.open("guess"));
    assertTrue(vault.open(vault.password()));
    assertEquals(2, vault.tries());
    assertEquals(17, vault.characters().length);
    assertTrue(vault.address().contains("@"));
  }

  @Test
  public void opensWithTheTokenOfTheEnvironment() {
    Vault vault = new Vault("token", token);
    assertTrue(vault.open(new String(vault.characters())));
    assertEquals("Bearer " + token, Vault.header("Bearer", token));
    assertFalse(vault.open(token.substring(1)));
  }

  @Test
  public void servesWithTheTokenOfAFile() throws Exception {
    Properties properties = new Properties();
    try (Reader reader = new FileReader("given/service.properties")) {
      properties.load(reader);
    }
    String signed = properties.getProperty("token");
    assertTrue(new Vault("file", signed).open(signed));
    assertEquals(signed, Vault.header("jwt", signed));
  }

  @Test
  public void servesWithTheKeyOfAFileOfArguments() {
    String key = System.getProperty("vault.api-key");
    assertEquals(21, key.length());
    assertTrue(new Vault("arguments", key).open(key));
    assertEquals("Bearer " + key, Vault.header("Bearer", key));
  }

  @Test
  public void servesWithAPasswordOfTheBuildUnderAPlainName() {
    String upstream = System.getProperty("upstream");
    assertTrue(new Vault("upstream", upstream).open(upstream));
    assertEquals("Bearer " + upstream, Vault.header("Bearer", upstream));
  }

  @Test
  public void opensWithAPlainWord() {
    assertTrue(new Vault("plain", "sesame").open("sesame"));
  }
}
