import { templateSyncLaneAccountId, TemplateSyncs } from "@parley/domain/messaging"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utcOrNull } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"
import { isOwned } from "../../platform/background/isOwned.ts"

export const layer = Layer.effect(
  TemplateSyncs,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(TemplateSyncs, {
      begin: Effect.fnUntraced(function* (organization, lane, { again, now }) {
        const [row] = yield* sql<{ readonly revision: number }>`
          UPDATE chat_accounts SET template_sync_requested_at = ${stamp(again)}, template_sync_started = true,
            template_sync_revision = template_sync_revision + 1
          WHERE organization_id = ${organization.id} AND id = ${templateSyncLaneAccountId(lane)}
            AND template_sync_requested_at <= ${stamp(now)} AND ${isOwned(sql, lane)}
          RETURNING template_sync_revision AS revision`
        return row === undefined ? null : { lane, revision: row.revision }
      }),
      settle: Effect.fnUntraced(function* (organization, { lane, revision }) {
        yield* sql`
          UPDATE chat_accounts SET template_sync_requested_at = NULL, template_sync_started = false,
            template_sync_revision = template_sync_revision + 1
          WHERE organization_id = ${organization.id} AND id = ${templateSyncLaneAccountId(lane)}
            AND template_sync_revision = ${revision} AND ${isOwned(sql, lane)}`
      }),
      nextDue: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<{ readonly wantedAt: Instant | null }>`
          SELECT template_sync_requested_at AS "wantedAt" FROM chat_accounts
          WHERE organization_id = ${organization.id} AND id = ${id}`
        return utcOrNull(row?.wantedAt ?? null)
      })
    })
  )
)
