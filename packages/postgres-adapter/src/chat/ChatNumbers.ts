import { ChatNumbers, type OrganizationId } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { RecentReads } from "../kernel/RecentReads.ts"

interface Row {
  readonly organizationId: OrganizationId
  readonly businessId: string
  readonly phoneId: string
}

export const layer = Layer.effect(
  ChatNumbers,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const recent = yield* RecentReads
    // A provider delivers thousands of times a second, and each delivery names a number.
    const ownersBy = (column: "external_phone_id" | "external_account_id") =>
      recent.remember((id) =>
        Effect.map(
          sql<Row>`
            SELECT organization_id AS "organizationId", external_account_id AS "businessId", external_phone_id AS "phoneId"
            FROM chat_accounts WHERE mode = 'platform_app' AND ${sql(column)} = ${id}`,
          (rows) => (rows.length === 0 ? null : rows)
        )
      )
    const ofPhone = yield* ownersBy("external_phone_id")
    const ofBusiness = yield* ownersBy("external_account_id")

    return ChatNumbers.of({
      ownersOf: Effect.fnUntraced(function* (numbers) {
        const phones = new Set(numbers.flatMap(({ phoneId }) => phoneId ?? []))
        const businesses = new Set(numbers.flatMap(({ businessId, phoneId }) => (phoneId === null ? [businessId] : [])))
        const found = yield* Effect.all([...Array.from(phones, ofPhone), ...Array.from(businesses, ofBusiness)], {
          concurrency: "unbounded"
        })
        return found.flatMap((rows) => rows ?? [])
      })
    })
  })
)
