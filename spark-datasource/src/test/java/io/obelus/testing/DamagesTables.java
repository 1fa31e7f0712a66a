package io.obelus.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Tables that this test, or this class of tests, leaves behind are not whole, on purpose. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface DamagesTables {

  /** Why. */
  String value();

  /** The checks that may find something; none: any may, and what it makes is not looked at. */
  String[] finds() default {};
}
