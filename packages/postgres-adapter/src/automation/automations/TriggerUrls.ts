import { type AutomationId, TriggerUrls } from "@parley/domain/automation"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

interface Row {
  readonly automationId: AutomationId
  readonly tokenDigest: string
  readonly sealedSecret: string | null
  readonly createdAt: Instant
}

const urlOf = ({ createdAt, ...row }: Row) => ({ ...row, createdAt: utc(createdAt) })

export const layer = Layer.effect(
  TriggerUrls,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(`automation_id AS "automationId", token_digest AS "tokenDigest",
      sealed_secret AS "sealedSecret", created_at AS "createdAt"`)
    return tenantPort(TriggerUrls, {
      find: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<Row>`
          SELECT ${columns} FROM automation_trigger_urls
          WHERE organization_id = ${organization.id} AND automation_id = ${id}`
        return row === undefined ? null : urlOf(row)
      }),
      put: Effect.fnUntraced(function* (organization, { automationId, createdAt, sealedSecret, tokenDigest }) {
        yield* sql`
          INSERT INTO automation_trigger_urls (organization_id, automation_id, token_digest, sealed_secret, created_at)
          VALUES (${organization.id}, ${automationId}, ${tokenDigest}, ${sealedSecret}, ${stamp(createdAt)})
          ON CONFLICT (organization_id, automation_id) DO UPDATE SET token_digest = EXCLUDED.token_digest,
            sealed_secret = EXCLUDED.sealed_secret, created_at = EXCLUDED.created_at`
      }),
      remove: Effect.fnUntraced(function* (organization, id) {
        const rows = yield* sql`
          DELETE FROM automation_trigger_urls WHERE organization_id = ${organization.id} AND automation_id = ${id}
          RETURNING 1 AS one`
        return rows.length > 0
      }),
      signed: Effect.fnUntraced(function* (organization, after, limit) {
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM automation_trigger_urls
          WHERE organization_id = ${organization.id} AND sealed_secret IS NOT NULL
            ${after === null ? sql`` : sql`AND automation_id > ${after}::uuid`}
          ORDER BY automation_id LIMIT ${limit}`
        return rows.map(urlOf)
      })
    })
  })
)
