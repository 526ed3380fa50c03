import { PgTypes } from "@effect/sql-pg"
import { type MessageRate, RateCards } from "@parley/domain/messaging"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { storagePort } from "../../kernel/tenantPort.ts"

interface RateRow extends Omit<MessageRate, "amount"> {
  readonly amount: string
}

const toRate = ({ amount, ...row }: RateRow): MessageRate => ({ ...row, amount: Number(amount) })

export const layer = Layer.effect(
  RateCards,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(
      `nullif(country, '') AS country, category, currency, amount::text AS amount, valid_from::text AS "validFrom"`
    )
    return storagePort(RateCards, {
      put: Effect.fnUntraced(function* (rates) {
        if (rates.length === 0) return
        yield* sql`
          INSERT INTO rates (currency, category, country, valid_from, amount)
          SELECT t.currency, t.category, coalesce(t.country, ''), t."validFrom", t.amount
          FROM json_to_recordset(${PgTypes.json(rates)}) AS t (currency text, category text, country text,
            "validFrom" date, amount bigint)
          ORDER BY 1, 2, 3, 4
          ON CONFLICT (currency, category, country, valid_from) DO UPDATE SET amount = excluded.amount`
      }),
      list: Effect.fnUntraced(function* ({ after, limit }) {
        const [currency, category, country, validFrom] = after ?? []
        const rows = yield* sql<RateRow>`
          SELECT ${columns} FROM rates
          ${
            after === null
              ? sql``
              : sql`WHERE (currency, category, country, valid_from) > (${currency}, ${category}, ${country}, ${validFrom}::date)`
          }
          ORDER BY rates.currency, rates.category, rates.country, rates.valid_from LIMIT ${limit}`
        return rows.map(toRate)
      }),
      find: Effect.fnUntraced(function* (currency) {
        return (yield* sql<RateRow>`SELECT ${columns} FROM rates WHERE currency = ${currency}`).map(toRate)
      }),
      remove: Effect.fnUntraced(function* (currency, validFrom) {
        const removed = yield* sql`
          DELETE FROM rates WHERE currency = ${currency} AND valid_from = ${validFrom}::date RETURNING 1`
        return removed.length
      })
    })
  })
)
