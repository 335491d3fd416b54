package land;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class ReflectionTest {
  private static final String JSON =
      "{\"label\":\"outer\",\"weight\":5,\"inner\":{\"label\":\"inner\",\"weight\":2}}";
  private final Parcel parcel = new Parcel("outer", 5, new Parcel("inner", 2, null));

  @Test
  void jackson_reads_what_it_wrote_by_getters_and_by_fields() throws Exception {
    ObjectMapper byGetters = new ObjectMapper();
    String text = "{\"label\":\"outer\",\"weight\":5,\"inner\":"
        + "{\"label\":\"inner\",\"weight\":2,\"inner\":null}}";
    assertEquals(byGetters.readTree(text), byGetters.readTree(byGetters.writeValueAsString(parcel)));
    assertEquals(7, byGetters.readValue(text, Parcel.class).total());
    ObjectMapper byFields = new ObjectMapper();
    byFields.setVisibility(PropertyAccessor.ALL, JsonAutoDetect.Visibility.NONE);
    byFields.setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY);
    assertEquals(byFields.readTree(text), byFields.readTree(byFields.writeValueAsString(parcel)));
    assertEquals(7, byFields.readValue(text, Parcel.class).total());
  }

  @Test
  void gson_writes_the_fields_of_the_source_alone() {
    Gson gson = new Gson();
    assertEquals(JSON, gson.toJson(parcel));
    assertEquals(7, gson.fromJson(JSON, Parcel.class).total());
    Gson transientToo = new GsonBuilder().excludeFieldsWithModifiers(Modifier.STATIC).create();
    assertEquals(JSON, transientToo.toJson(parcel));
  }

  @Test
  void a_parcel_of_another_jvm_is_read() throws Exception {
    assertEquals(7, read(write(parcel)).total());
    ObjectStreamClass shape = ObjectStreamClass.lookup(Parcel.class);
    assertEquals(3, shape.getFields().length);
    // Written without the agent.
    String stored = "rO0ABXNyAAtsYW5kLlBhcmNlbPaaUFy70qLwAgADSQAGd2VpZ2h0TAAFaW5uZXJ0AA1MbGFuZC9QYXJjZWw7TAAF"
            + "bGFiZWx0ABJMamF2YS9sYW5nL1N0cmluZzt4cAAAAAFwdAABYQ==";
    assertEquals(stored, Base64.getEncoder().encodeToString(write(new Parcel("a", 1, null))));
    assertEquals(1, read(Base64.getDecoder().decode(stored)).total());
  }

  @Test
  void own_look_ups_see_the_members_of_the_source() {
    assertEquals(
        3,
        Arrays.stream(Parcel.class.getDeclaredFields())
            .filter(each -> !each.getName().startsWith("$jacoco"))
            .count());
    assertEquals(
        7,
        Arrays.stream(Parcel.class.getDeclaredMethods())
            .filter(each -> !each.getName().startsWith("$jacoco"))
            .count());
    assertEquals(0, Office.class.getInterfaces().length);
  }

  private static byte[] write(Parcel parcel) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(parcel);
    }
    return bytes.toByteArray();
  }

  private static Parcel read(byte[] bytes) throws Exception {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return (Parcel) in.readObject();
    }
  }
}
