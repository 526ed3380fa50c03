import { type DocsCodeOwner, DocsCodeRedemption } from "@parley/domain"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"
import { sweepInBatches } from "../kernel/sweepInBatches.ts"

export const layer = Layer.effect(
  DocsCodeRedemption,
  Effect.map(SqlClient.SqlClient, (sql) =>
    DocsCodeRedemption.of({
      redeem: Effect.fnUntraced(function* (digest, now) {
        const [owner] = yield* sql<DocsCodeOwner>`
          UPDATE docs_codes SET redeemed_at = ${stamp(now)}
          WHERE digest = ${digest} AND redeemed_at IS NULL AND expires_at > ${stamp(now)}
          RETURNING organization_id AS "organizationId", user_id AS "userId"`
        return owner ?? null
      }, driverFailuresDie),
      sweep: Effect.gen(function* () {
        const before = DateTime.subtract(yield* DateTime.now, { days: 1 })
        return yield* sweepInBatches(
          (most) => sql`
            DELETE FROM docs_codes WHERE (organization_id, digest) IN (
              SELECT organization_id, digest FROM docs_codes WHERE expires_at <= ${stamp(before)}
              LIMIT ${most} FOR UPDATE SKIP LOCKED
            ) RETURNING 1`
        )
      }).pipe(driverFailuresDie)
    })
  )
)
