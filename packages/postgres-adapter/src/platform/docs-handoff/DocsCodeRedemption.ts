import { DocsCodeRedemption, type DocsReader } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { storagePort } from "../../kernel/tenantPort.ts"

export const layer = Layer.effect(
  DocsCodeRedemption,
  Effect.map(SqlClient.SqlClient, (sql) =>
    storagePort(DocsCodeRedemption, {
      redeem: Effect.fnUntraced(function* (digest, now) {
        const [owner] = yield* sql<DocsReader>`
          UPDATE docs_codes SET redeemed_at = ${stamp(now)}
          WHERE digest = ${digest} AND redeemed_at IS NULL AND expires_at > ${stamp(now)} AND session_id IS NOT NULL
          RETURNING organization_id AS "organizationId", session_id AS "sessionId", user_id AS "userId"`
        return owner ?? null
      })
    })
  )
)
