import { CurrentOrganization, DocsCodes } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"

export const layer = Layer.effect(
  DocsCodes,
  Effect.map(SqlClient.SqlClient, (sql) =>
    DocsCodes.of({
      insert: Effect.fnUntraced(function* (digest, userId, expiresAt) {
        const organization = yield* CurrentOrganization
        yield* sql`
          INSERT INTO docs_codes (organization_id, digest, user_id, expires_at)
          VALUES (${organization.id}, ${digest}, ${userId}, ${stamp(expiresAt)})`
      }, driverFailuresDie)
    })
  )
)
