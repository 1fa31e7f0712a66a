package io.obelus.procedure.sql;

import io.obelus.procedure.Procedure;
import io.obelus.procedure.Procedures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.Origin;
import org.apache.spark.sql.connector.catalog.CatalogManager;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.internal.VariableSubstitution;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.JavaConverters;
import scala.collection.Seq;
import scala.collection.immutable.Map$;

/**
 * Understands {@code CALL [catalog.]sys.procedure(arguments)}, {@code SHOW PROCEDURES [IN catalog]}
 * and {@code DESCRIBE PROCEDURE [catalog.]sys.procedure} for catalogs of ours, and hands every
 * other statement to the parser it stands in front of. An {@code INSERT} that comes back from there
 * is given the columns that it leaves out, and an {@code ANALYZE TABLE} of a table of ours becomes
 * a command of ours.
 *
 * <p>An argument is any constant expression, {@code name => value} or by position, named ones last.
 */
public final class CallParser implements ParserInterface {

  /** Stands for the name of an argument that has none: Spark cannot print a plan with null. */
  static final String NO_NAME = "";

  private final SparkSession session;
  private final ParserInterface delegate;
  private final MissingColumns missingColumns;
  private final AnalyzeStatements analyze;

  public CallParser(SparkSession session, ParserInterface delegate) {
    this.session = session;
    this.delegate = delegate;
    this.missingColumns = new MissingColumns(session);
    this.analyze = new AnalyzeStatements(session);
  }

  @Override
  public LogicalPlan parsePlan(String sql) throws ParseException {
    String upper = sql.toUpperCase(Locale.ROOT);
    if (upper.contains("CALL") || upper.contains("PROCEDURE")) {
      String substituted = new VariableSubstitution().substitute(sql);
      Statement statement = new Statement(substituted);
      if (statement.is(0, "CALL")) {
        LogicalPlan call = call(statement);
        if (call != null) {
          return call;
        }
      } else if (statement.is(0, "SHOW") && statement.is(1, "PROCEDURES")) {
        LogicalPlan show = show(statement);
        if (show != null) {
          return show;
        }
      } else if ((statement.is(0, "DESCRIBE") || statement.is(0, "DESC"))
          && statement.is(1, "PROCEDURE")) {
        LogicalPlan describe = describe(statement);
        if (describe != null) {
          return describe;
        }
      }
    }
    LogicalPlan plan = delegate.parsePlan(sql);
    if (upper.contains("ANALYZE")) {
      plan = analyze.ours(plan);
    }
    return upper.contains("INSERT") ? missingColumns.filled(plan) : plan;
  }

  /** Null if the statement is not about a catalog of ours. */
  private LogicalPlan call(Statement statement) throws ParseException {
    int open = 1;
    while (statement.at(open) != null && !statement.at(open).type().equals("LEFT_PAREN")) {
      open++;
    }
    if (open == 1 || statement.at(open) == null) {
      return null;
    }
    List<String> name;
    try {
      name = names(statement.text(statement.at(1).from(), statement.at(open - 1).to()));
    } catch (ParseException e) {
      return null;
    }
    TableCatalog catalog = catalog(name, 2);
    if (catalog == null) {
      return null;
    }
    Procedure procedure = procedure(name, catalog);
    List<String> argumentNames = new ArrayList<>();
    List<Expression> values = new ArrayList<>();
    int next = arguments(statement, open + 1, argumentNames, values);
    next = afterSemicolons(statement, next);
    if (statement.at(next) != null) {
      throw error("after the call stands '" + statement.at(next).text() + "'");
    }
    return new CallCommand(
        procedure, catalog, scala(argumentNames), scala(values), attributes(procedure.output()));
  }

  private static Procedure procedure(List<String> name, TableCatalog catalog)
      throws ParseException {
    String last = name.get(name.size() - 1);
    boolean inNamespace = name.get(name.size() - 2).equalsIgnoreCase(Procedures.NAMESPACE);
    Procedure procedure = inNamespace ? Procedures.find(last).orElse(null) : null;
    if (procedure == null) {
      throw error(
          "there is no procedure '%s'; SHOW PROCEDURES IN %s lists those there are"
              .formatted(String.join(".", name), catalog.name()));
    }
    return procedure;
  }

  private static int afterSemicolons(Statement statement, int i) {
    while (statement.at(i) != null && statement.at(i).type().equals("SEMICOLON")) {
      i++;
    }
    return i;
  }

  /**
   * Reads arguments from token {@code i} up to the closing parenthesis; returns what follows it.
   */
  private int arguments(Statement statement, int i, List<String> names, List<Expression> values)
      throws ParseException {
    if (statement.at(i) != null && statement.at(i).type().equals("RIGHT_PAREN")) {
      return i + 1;
    }
    while (true) {
      int end = endOfArgument(statement, i);
      String name = NO_NAME;
      if (statement.at(i + 1) != null && statement.at(i + 1).type().equals("FAT_ARROW")) {
        name = statement.at(i).identifier();
        i += 2;
      } else if (!names.isEmpty() && !names.get(names.size() - 1).equals(NO_NAME)) {
        throw error("an argument without a name stands after one with a name");
      }
      if (i >= end) {
        throw error("an argument is empty");
      }
      Expression value =
          delegate.parseExpression(
              statement.inPlace(statement.at(i).from(), statement.at(end - 1).to()));
      if (SubqueryExpression.hasSubquery(value)) {
        throw error("an argument has to be a constant, not a subquery");
      }
      names.add(name);
      values.add(value);
      if (statement.at(end).type().equals("RIGHT_PAREN")) {
        return end + 1;
      }
      i = end + 1;
    }
  }

  /** The comma or closing parenthesis that ends the argument at token {@code i}. */
  private static int endOfArgument(Statement statement, int i) throws ParseException {
    int depth = 0;
    for (; statement.at(i) != null; i++) {
      switch (statement.at(i).type()) {
        case "LEFT_PAREN", "LEFT_BRACKET" -> depth++;
        case "RIGHT_PAREN", "RIGHT_BRACKET" -> {
          if (depth == 0) {
            return i;
          }
          depth--;
        }
        case "COMMA" -> {
          if (depth == 0) {
            return i;
          }
        }
        default -> {}
      }
    }
    throw error("a closing parenthesis is missing");
  }

  /** Null if the statement is not about a catalog of ours. */
  private LogicalPlan show(Statement statement) {
    List<String> name = new ArrayList<>();
    int next = 2;
    if (statement.is(2, "IN") || statement.is(2, "FROM")) {
      if (statement.at(3) == null) {
        return null;
      }
      name.add(statement.at(3).identifier());
      next = 4;
    }
    if (statement.at(afterSemicolons(statement, next)) != null || catalog(name, 0) == null) {
      return null;
    }
    return new ShowProceduresCommand(attributes(ShowProceduresCommand.OUTPUT));
  }

  /** Null if the statement is not about a catalog of ours. */
  private LogicalPlan describe(Statement statement) throws ParseException {
    int end = 2;
    while (statement.at(end) != null && !statement.at(end).type().equals("SEMICOLON")) {
      end++;
    }
    if (end == 2 || statement.at(afterSemicolons(statement, end)) != null) {
      return null;
    }
    List<String> name;
    try {
      name = names(statement.text(statement.at(2).from(), statement.at(end - 1).to()));
    } catch (ParseException e) {
      return null;
    }
    TableCatalog catalog = catalog(name, 2);
    if (catalog == null) {
      return null;
    }
    return new DescribeProcedureCommand(
        procedure(name, catalog).name(), attributes(DescribeProcedureCommand.OUTPUT));
  }

  /**
   * The catalog of a name, if it is one of ours: its first part where there is one more than {@code
   * without}, else the current catalog.
   */
  private TableCatalog catalog(List<String> name, int without) {
    CatalogManager manager = session.sessionState().catalogManager();
    CatalogPlugin catalog = null;
    if (name.size() == without) {
      catalog = manager.currentCatalog();
    } else if (name.size() == without + 1 && manager.isCatalogRegistered(name.get(0))) {
      catalog = manager.catalog(name.get(0));
    }
    return Catalogs.isOurs(catalog) ? (TableCatalog) catalog : null;
  }

  private List<String> names(String text) throws ParseException {
    return JavaConverters.seqAsJavaList(delegate.parseMultipartIdentifier(text));
  }

  private static Seq<org.apache.spark.sql.catalyst.expressions.Attribute> attributes(
      StructType type) {
    List<org.apache.spark.sql.catalyst.expressions.Attribute> attributes = new ArrayList<>();
    JavaConverters.seqAsJavaList(
            org.apache.spark.sql.catalyst.types.DataTypeUtils.toAttributes(type))
        .forEach(attributes::add);
    return scala(attributes);
  }

  private static <T> Seq<T> scala(List<T> list) {
    return JavaConverters.asScalaBuffer(list).toList();
  }

  private static ParseException error(String problem) {
    Origin nowhere =
        new Origin(
            Option.empty(),
            Option.empty(),
            Option.empty(),
            Option.empty(),
            Option.empty(),
            Option.empty(),
            Option.empty());
    return new ParseException(
        Option.empty(),
        "CALL: " + problem + ".",
        nowhere,
        nowhere,
        Option.empty(),
        Map$.MODULE$.empty(),
        new QueryContext[0]);
  }

  @Override
  public Expression parseExpression(String text) throws ParseException {
    return delegate.parseExpression(text);
  }

  @Override
  public TableIdentifier parseTableIdentifier(String text) throws ParseException {
    return delegate.parseTableIdentifier(text);
  }

  @Override
  public FunctionIdentifier parseFunctionIdentifier(String text) throws ParseException {
    return delegate.parseFunctionIdentifier(text);
  }

  @Override
  public Seq<String> parseMultipartIdentifier(String text) throws ParseException {
    return delegate.parseMultipartIdentifier(text);
  }

  @Override
  public LogicalPlan parseQuery(String text) throws ParseException {
    return delegate.parseQuery(text);
  }

  @Override
  public StructType parseTableSchema(String text) throws ParseException {
    return delegate.parseTableSchema(text);
  }

  @Override
  public DataType parseDataType(String text) throws ParseException {
    return delegate.parseDataType(text);
  }
}
