import { SeriesFigure } from "@parley/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const whole = "00000000-0000-0000-0000-000000000000"

const durations = ["firstResponse", "reply", "resolution"]

/** Figures that are stored as amounts: no durations, rates and currencies. */
const amounts = SeriesFigure.literals.filter((figure) => !/Seconds$|Rate$|^commerce|\.count$/u.test(figure))

/**
 * Rollups of a number of days with every kind of event in each quarter hour, day and night, and durations of 512 lengths: more than any
 * organization has.
 */
export const seedBooks = Effect.fnUntraced(function* (organizationId: string, days: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM analytics_quarters WHERE organization_id = ${organizationId}`
  yield* sql`DELETE FROM analytics_days WHERE organization_id = ${organizationId}`
  yield* sql`
    INSERT INTO analytics_rollups (organization_id, rollup_version, timezone, position)
    VALUES (${organizationId}, 1, 'Europe/Berlin', 1000000) ON CONFLICT DO NOTHING`
  for (const { figures, step } of [
    { figures: amounts, step: sql`0` },
    { figures: durations, step: sql`hashtext(quarter::text) & 511` }
  ]) {
    yield* sql`
      INSERT INTO analytics_quarters (organization_id, rollup_version, scope, figure, quarter, step, amount)
      SELECT ${organizationId}, b.rollup_version, ${whole}, figure, quarter, ${step}, 1 + quarter % 7
      FROM analytics_rollups AS b, unnest(${figures}::text[]) AS f (figure), generate_series(
        (extract(epoch FROM now()) / 900)::integer - ${days}::integer * 96,
        (extract(epoch FROM now()) / 900)::integer - 1
      ) AS q (quarter)
      WHERE b.organization_id = ${organizationId}`
  }
  yield* sql`
    INSERT INTO analytics_days (organization_id, rollup_version, scope, date, figure, step, amount)
    SELECT organization_id, rollup_version, scope, (to_timestamp(quarter * 900.0) AT TIME ZONE 'Europe/Berlin')::date, figure, step,
      sum(amount)
    FROM analytics_quarters WHERE organization_id = ${organizationId} GROUP BY 1, 2, 3, 4, figure, step`
  yield* sql`VACUUM ANALYZE analytics_quarters, analytics_days`
  const [row] = yield* sql<{ readonly count: number }>`
    SELECT count(*)::integer AS count FROM analytics_quarters WHERE organization_id = ${organizationId}`
  return row?.count ?? 0
})
