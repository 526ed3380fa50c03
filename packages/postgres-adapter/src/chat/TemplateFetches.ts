import { type TemplateFetch, TemplateFetches } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"

export const layer = Layer.effect(
  TemplateFetches,
  Effect.map(SqlClient.SqlClient, (sql) =>
    TemplateFetches.of({
      claim: Effect.fnUntraced(function* ({ fetcher, now, until }) {
        const [row] = yield* sql<TemplateFetch>`
          WITH next AS MATERIALIZED (
            SELECT organization_id AS organization, id AS account FROM chat_accounts
            WHERE templates_wanted_at <= ${stamp(now)}
            ORDER BY templates_wanted_at LIMIT 1 FOR UPDATE SKIP LOCKED
          )
          UPDATE chat_accounts SET templates_fetcher = ${fetcher}, templates_wanted_at = ${stamp(until)}
          FROM next WHERE organization_id = organization AND id = account
          RETURNING organization_id AS "organizationId", id AS "chatAccountId", templates_fetcher AS fetcher`
        return row ?? null
      }, driverFailuresDie),
      settle: Effect.fnUntraced(function* ({ chatAccountId, fetcher, organizationId }) {
        yield* sql`
          UPDATE chat_accounts SET templates_wanted_at = NULL, templates_fetcher = NULL
          WHERE organization_id = ${organizationId} AND id = ${chatAccountId} AND templates_fetcher = ${fetcher}`
      }, driverFailuresDie)
    })
  )
)
