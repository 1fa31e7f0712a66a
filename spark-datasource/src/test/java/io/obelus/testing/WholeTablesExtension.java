package io.obelus.testing;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;

import java.io.IOException;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Has the tables of each test looked at straight after it, before anything is dropped or deleted.
 * JUnit finds this class by itself.
 */
public final class WholeTablesExtension
    implements BeforeAllCallback, BeforeEachCallback, AfterTestExecutionCallback {

  @Override
  public void beforeAll(ExtensionContext context) {
    WholeTables.expect(damage(context));
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    WholeTables.expect(damage(context));
  }

  @Override
  public void afterTestExecution(ExtensionContext context) throws IOException {
    if (context.getExecutionException().isPresent()) {
      WholeTables.forget(); // one failure is enough
    } else {
      WholeTables.look();
    }
  }

  private static DamagesTables damage(ExtensionContext context) {
    return findAnnotation(context.getElement(), DamagesTables.class)
        .or(() -> findAnnotation(context.getTestClass(), DamagesTables.class))
        .orElse(null);
  }
}
