import { ButtonTaps, type VariantKey } from "@parley/domain/campaigns"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { tenantPort } from "../kernel/tenantPort.ts"

interface Row {
  readonly variant: VariantKey | ""
  readonly button: string
  readonly count: number
}

export const layer = Layer.effect(
  ButtonTaps,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(ButtonTaps, {
      // Rows are inserted in one order, so concurrent inserts of the same taps cannot deadlock.
      add: Effect.fnUntraced(function* (organization, taps) {
        if (taps.length === 0) return
        yield* sql`
          INSERT INTO broadcast_button_taps AS t (organization_id, broadcast_id, variant, button, taps)
          SELECT ${organization.id}, a."broadcastId", coalesce(a.variant, ''), a.button, sum(a.count)
          FROM json_to_recordset(${PgTypes.json(taps)})
            AS a ("broadcastId" uuid, variant text, button text, count integer)
          GROUP BY 2, 3, 4 ORDER BY 2, 3, 4
          ON CONFLICT (organization_id, broadcast_id, variant, button) DO UPDATE SET taps = t.taps + EXCLUDED.taps`
      }),
      tally: Effect.fnUntraced(function* (organization, id) {
        const rows = yield* sql<Row>`
          SELECT variant, button, taps AS count FROM broadcast_button_taps
          WHERE organization_id = ${organization.id} AND broadcast_id = ${id}`
        return rows.map(({ variant, ...row }) => ({ ...row, variant: variant === "" ? null : variant }))
      })
    })
  )
)
