package land;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;

class SpringTest {
  private int calls;
  private final MethodInterceptor counting =
      call -> {
        calls++;
        return call.proceed();
      };

  @Test
  void a_class_without_interfaces_is_extended() {
    ProxyFactory factory = new ProxyFactory(new Office());
    factory.addAdvice(counting);
    Office office = (Office) factory.getProxy();
    assertTrue(AopUtils.isCglibProxy(office));
    assertEquals(1, office.visit());
    assertEquals(2, office.visit());
    assertTrue(office.self() == office);
    assertEquals(3, calls);
  }

  @Test
  void a_class_with_an_interface_is_stood_in_for() {
    ProxyFactory factory = new ProxyFactory(new FixedToll(2));
    factory.addAdvice(counting);
    Object toll = factory.getProxy();
    assertTrue(AopUtils.isJdkDynamicProxy(toll));
    assertFalse(toll instanceof FixedToll);
    assertEquals(24, ((Toll) toll).price(new Road(1, 12)));
    assertEquals(1, calls);
  }

  @Test
  void an_extending_proxy_is_passed_on_without_a_call() {
    ProxyFactory factory = new ProxyFactory(new Country(1, "Swabia"));
    factory.setProxyTargetClass(true);
    factory.addAdvice(counting);
    Country country = (Country) factory.getProxy();
    for (int i = 0; i < 20; i++) {
      assertTrue(Places.areSame(new Places().keep(country), country));
    }
    assertEquals(0, calls);
    assertEquals("Swabia", country.getName());
    assertEquals(1, calls);
  }

  @Test
  void an_advice_that_throws_throws_on_real_calls_alone() {
    ProxyFactory factory = new ProxyFactory(new Country(1, "Swabia"));
    factory.setProxyTargetClass(true);
    factory.addAdvice((MethodInterceptor) call -> {
      throw new IllegalStateException(call.getMethod().getName());
    });
    Country country = (Country) factory.getProxy();
    new Places().keep(country);
    assertEquals(
        "getName", assertThrows(IllegalStateException.class, country::getName).getMessage());
  }
}
