package land;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.verifyNoMoreInteractions;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.implementation.InvocationHandlerAdapter;
import net.bytebuddy.matcher.ElementMatchers;
import org.easymock.EasyMock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.MockMakers;

class MocksTest {
  @ParameterizedTest
  @ValueSource(strings = {MockMakers.INLINE, MockMakers.SUBCLASS})
  void a_mock_that_is_passed_on_was_not_called(String maker) {
    Country country = mock(Country.class, withSettings().mockMaker(maker));
    Places places = new Places();
    for (int i = 0; i < 20; i++) {
      places.keep(country);
      Places.pack(country, places, country);
    }
    verifyNoInteractions(country);
    when(country.getName()).thenReturn("Swabia");
    assertEquals("Ulm in Swabia", places.describe(new Town(1, "Ulm", country)));
    verify(country).getName();
    verifyNoMoreInteractions(country);
  }

  @ParameterizedTest
  @ValueSource(strings = {MockMakers.INLINE, MockMakers.SUBCLASS})
  void a_strict_mock_throws_on_real_calls_alone(String maker) {
    Country country =
        mock(
            Country.class,
            withSettings()
                .mockMaker(maker)
                .defaultAnswer(
                    call -> {
                      throw new IllegalStateException(call.getMethod().getName());
                    }));
    new Places().keep(country);
    assertEquals(
        "getName", assertThrows(IllegalStateException.class, country::getName).getMessage());
  }

  @Test
  void a_spy_counts_its_own_calls() {
    Office office = spy(new Office());
    assertEquals(1, office.visit());
    assertTrue(office.self() == office);
    verify(office).visit();
    verify(office).self();
    verifyNoMoreInteractions(office);
  }

  @Test
  void a_strict_mock_of_easymock_sees_what_was_expected() {
    Country country = EasyMock.strictMock(Country.class);
    EasyMock.expect(country.getName()).andReturn("Swabia");
    EasyMock.replay(country);
    Places places = new Places();
    for (int i = 0; i < 20; i++) {
      places.keep(country);
    }
    assertEquals("Ulm in Swabia", places.describe(new Town(1, "Ulm", country)));
    EasyMock.verify(country);
  }

  @Test
  void a_partial_mock_of_easymock_runs_the_rest() {
    Country country =
        EasyMock.partialMockBuilder(Country.class)
            .withConstructor(1L, "Swabia")
            .addMockedMethod("getId")
            .createStrictMock();
    EasyMock.expect(country.getId()).andReturn(9L);
    EasyMock.replay(country);
    assertTrue(country.isNamed("Swabia"));
    assertEquals(9, new Places().keep(country).getId());
    EasyMock.verify(country);
  }

  @Test
  void a_subclass_that_answers_everything_itself_is_not_asked() throws Exception {
    Class<? extends Country> type =
        new ByteBuddy()
            .subclass(Country.class)
            .method(ElementMatchers.isDeclaredBy(Country.class))
            .intercept(
                InvocationHandlerAdapter.of(
                    (proxy, method, arguments) -> {
                      throw new IllegalStateException(method.getName());
                    }))
            .method(ElementMatchers.named("toString"))
            .intercept(FixedValue.value("made"))
            .make()
            .load(Country.class.getClassLoader(), ClassLoadingStrategy.Default.WRAPPER)
            .getLoaded();
    Country country = type.getConstructor(long.class, String.class).newInstance(1L, "Swabia");
    assertEquals("made", new Places().keep(country).toString());
    assertThrows(IllegalStateException.class, country::getId);
    assertNull(mock(Country.class).getName());
  }
}
