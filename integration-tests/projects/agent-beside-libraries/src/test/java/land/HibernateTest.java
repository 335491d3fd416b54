package land;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.hibernate.Hibernate;
import org.hibernate.LazyInitializationException;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class HibernateTest {
  private static SessionFactory factory;

  @BeforeAll
  static void fill() {
    Configuration settings = new Configuration();
    settings.setProperty("hibernate.connection.url", "jdbc:h2:mem:land;DB_CLOSE_DELAY=-1");
    settings.setProperty("hibernate.connection.driver_class", "org.h2.Driver");
    settings.setProperty("hibernate.dialect", "org.hibernate.dialect.H2Dialect");
    settings.setProperty("hibernate.hbm2ddl.auto", "create");
    settings.addAnnotatedClass(Country.class);
    settings.addAnnotatedClass(Town.class);
    settings.addAnnotatedClass(Road.class);
    factory = settings.buildSessionFactory();
    try (Session session = factory.openSession()) {
      session.beginTransaction();
      Country country = new Country(1, "Swabia");
      session.save(country);
      Town town = new Town(2, "Ulm", country);
      town.build(new Road(3, 12));
      session.save(town);
      session.getTransaction().commit();
    }
  }

  @AfterAll
  static void close() {
    factory.close();
  }

  @Test
  void a_lazy_proxy_stays_lazy_when_it_is_passed_on() {
    try (Session session = factory.openSession()) {
      Country country = session.get(Town.class, 2L).getCountry();
      assertFalse(Hibernate.isInitialized(country));
      Places places = new Places();
      assertTrue(places.keep(country) == country);
      assertTrue(Places.areSame(country, country));
      assertEquals(3, Places.pack(country, country, country).length);
      assertFalse(Hibernate.isInitialized(country));
      assertEquals("Swabia", country.getName());
      assertTrue(Hibernate.isInitialized(country));
      country.rename("Swabia");
      places.keep(country);
      assertEquals(2, places.getSeen());
    }
  }

  @Test
  void a_proxy_without_a_session_can_be_passed_on() {
    Town town;
    try (Session session = factory.openSession()) {
      town = session.get(Town.class, 2L);
    }
    Places places = new Places();
    for (int i = 0; i < 20; i++) {
      places.keep(town.getCountry());
      assertFalse(Places.areSame(town.getCountry(), town));
    }
    assertThrows(LazyInitializationException.class, () -> places.describe(town));
    assertThrows(LazyInitializationException.class, () -> town.getRoads().size());
  }

  @Test
  void changed_objects_are_written_and_read() {
    try (Session session = factory.openSession()) {
      session.beginTransaction();
      Town town = session.load(Town.class, 2L);
      assertFalse(Hibernate.isInitialized(town));
      assertEquals(7, town.grow(7));
      session.getTransaction().commit();
    }
    try (Session session = factory.openSession()) {
      List<?> grown = session.createQuery("from Town where people = 7").list();
      assertEquals(1, grown.size());
      assertEquals("Ulm in Swabia", new Places().describe((Town) grown.get(0)));
    }
  }
}
