package io.obelus.procedure.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Token;
import org.apache.spark.sql.catalyst.parser.SqlBaseLexer;
import org.apache.spark.sql.catalyst.parser.UpperCaseCharStream;

/**
 * The tokens of a statement, taken apart by Spark's own lexer, so that comments, quotes and
 * backquotes are what they are in Spark. Tokens are told apart by their names: the numbers differ
 * between releases of Spark and would be fixed at compile time.
 */
final class Statement {

  /**
   * A token.
   *
   * @param from code point of the statement at which it begins
   * @param to code point after it
   */
  record Part(String type, String text, int from, int to) {
    boolean is(String word) {
      return text.equalsIgnoreCase(word);
    }

    /** The name that the token is, without backquotes. */
    String identifier() {
      return type.equals("BACKQUOTED_IDENTIFIER")
          ? text.substring(1, text.length() - 1).replace("``", "`")
          : text;
    }
  }

  private final String sql;
  private final SqlBaseLexer lexer;
  private final List<Part> parts = new ArrayList<>();
  private boolean ended;

  Statement(String sql) {
    this.sql = sql;
    this.lexer = new SqlBaseLexer(new UpperCaseCharStream(CharStreams.fromString(sql)));
    lexer.removeErrorListeners();
  }

  /** Token {@code i}, comments and blanks not counted; null after the last. */
  Part at(int i) {
    while (parts.size() <= i && !ended) {
      Token token = lexer.nextToken();
      if (token.getType() == Token.EOF) {
        ended = true;
      } else if (token.getChannel() == Token.DEFAULT_CHANNEL) {
        String name = lexer.getVocabulary().getSymbolicName(token.getType());
        int from = token.getStartIndex();
        int to = token.getStopIndex() + 1;
        parts.add(new Part(name.toUpperCase(Locale.ROOT), text(from, to), from, to));
      }
    }
    return i < parts.size() ? parts.get(i) : null;
  }

  /** Whether token {@code i} is this word, in any case. */
  boolean is(int i, String word) {
    Part part = at(i);
    return part != null && part.is(word);
  }

  /** The statement from one code point to another. */
  String text(int from, int to) {
    return sql.substring(sql.offsetByCodePoints(0, from), sql.offsetByCodePoints(0, to));
  }

  /**
   * As {@link #text}, with blanks in front so that everything stands where it stands in the
   * statement: Spark tells parameter markers apart by their position.
   */
  String inPlace(int from, int to) {
    return " ".repeat(from) + text(from, to);
  }
}
