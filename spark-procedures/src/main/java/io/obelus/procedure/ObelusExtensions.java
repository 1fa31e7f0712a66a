package io.obelus.procedure;

import io.obelus.procedure.sql.CallParser;
import io.obelus.procedure.sql.DifferenceFunction;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Teaches a session {@code CALL}, {@code INSERT} with some of the columns, and the table functions
 * of {@link DifferenceFunction}: {@code spark.sql.extensions=io.obelus.procedure.ObelusExtensions}.
 * Nothing else of Obelus needs it.
 *
 * <p>List it last if there are others: the parser of the last one sees a statement first, and some
 * extensions claim every {@code CALL} whose procedure has a name that they know. This one claims
 * only those of our own catalogs.
 */
public final class ObelusExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectParser(
        new AbstractFunction2<SparkSession, ParserInterface, ParserInterface>() {
          @Override
          public ParserInterface apply(SparkSession session, ParserInterface delegate) {
            return new CallParser(session, delegate);
          }
        });
    DifferenceFunction.inject(extensions);
    return BoxedUnit.UNIT;
  }
}
