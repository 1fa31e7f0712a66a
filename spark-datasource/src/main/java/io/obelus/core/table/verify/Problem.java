package io.obelus.core.table.verify;

import java.io.Serializable;

/**
 * A finding whose remedy is not looked up yet.
 *
 * @param table name of the table or branch that the remedy is for; null = the one that is verified
 * @param subject what {@code mend} is about: a file's name without directory, a tag, a number; null
 *     if it needs none
 */
record Problem(
    Finding.Severity severity,
    String check,
    Where where,
    String message,
    String table,
    Mend mend,
    String subject)
    implements Serializable {}
