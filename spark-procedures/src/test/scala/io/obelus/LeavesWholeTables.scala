package io.obelus

import io.obelus.testing.{DamagesTables, WholeTables}
import org.scalatest.{BeforeAndAfterEach, Suite}

/** Nothing may be wrong with the tables that a test makes, unless its suite `@DamagesTables`. */
trait LeavesWholeTables extends BeforeAndAfterEach { this: Suite =>

  override protected def beforeEach(): Unit = {
    WholeTables.expect(getClass.getAnnotation(classOf[DamagesTables]))
    super.beforeEach()
  }

  override protected def afterEach(): Unit =
    try WholeTables.look()
    finally super.afterEach()
}
