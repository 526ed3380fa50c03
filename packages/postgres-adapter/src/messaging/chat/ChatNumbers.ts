import type { OrganizationId } from "@parley/domain/kernel"
import { ChatNumbers } from "@parley/domain/messaging"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { storagePort } from "../../kernel/tenantPort.ts"

interface Row {
  readonly organizationId: OrganizationId
  readonly businessId: string
  readonly phoneId: string
}

export const layer = Layer.effect(
  ChatNumbers,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(`organization_id AS "organizationId", external_account_id AS "businessId",
      external_phone_id AS "phoneId"`)

    // Never cached: a number can move to another organization, and its deliveries must reach that one.
    return storagePort(ChatNumbers, {
      ownersOf: Effect.fnUntraced(function* (provider, numbers) {
        if (numbers.length === 0) return []
        const phones = numbers.flatMap(({ phoneId }) => phoneId ?? [])
        const businesses = numbers.flatMap(({ businessId, phoneId }) => (phoneId === null ? [businessId] : []))
        return yield* sql<Row>`
          SELECT ${columns} FROM chat_accounts
          WHERE mode = 'platform_app' AND provider = ${provider} AND external_phone_id = ANY(${phones}::text[]) AND removed_at IS NULL
          UNION
          SELECT ${columns} FROM chat_accounts
          WHERE mode = 'platform_app' AND provider = ${provider} AND external_account_id = ANY(${businesses}::text[]) AND removed_at IS NULL
          UNION
          SELECT organization_id AS "organizationId", messaging_account_id AS "businessId", external_phone_id AS "phoneId" FROM chat_accounts
          WHERE mode = 'platform_app' AND provider = ${provider} AND messaging_account_id = ANY(${businesses}::text[]) AND removed_at IS NULL`
      })
    })
  })
)
