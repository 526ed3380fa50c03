import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Has everything counted again from the first event of each log on, by the subscriber that counts: what it counts has become more. What was
 * counted of erased people stays, in the quarter hours and days that are begun anew.
 */
export const countAnew = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`DELETE FROM analytics_kept`
  yield* sql`DELETE FROM analytics_quarters`
  yield* sql`DELETE FROM analytics_days`
  yield* sql`UPDATE analytics_books SET edition = 1, position = 0, recount_edition = NULL, recount_position = NULL`
  yield* sql`
    INSERT INTO analytics_quarters (organization_id, edition, scope, figure, quarter, step, amount)
    SELECT organization_id, 1, scope, figure, quarter, step, amount FROM analytics_erased`
  yield* sql`
    INSERT INTO analytics_days (organization_id, edition, scope, date, figure, step, amount)
    SELECT e.organization_id, 1, e.scope, (to_timestamp(e.quarter * 900.0) AT TIME ZONE coalesce(b.timezone, o.timezone))::date, e.figure, e.step,
      sum(e.amount)
    FROM analytics_erased AS e JOIN organizations AS o ON o.id = e.organization_id
    LEFT JOIN analytics_books AS b ON b.organization_id = e.organization_id
    GROUP BY e.organization_id, e.scope, 4, e.figure, e.step`
  yield* sql`UPDATE subscriptions SET position = 0 WHERE subscriber = 'analytics.count'`
})
