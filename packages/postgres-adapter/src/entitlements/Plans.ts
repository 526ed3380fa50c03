import { CurrentOrganization, type PlanName, Plans } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { driverFailuresDie } from "../kernel/defects.ts"
import { RecentReads } from "../kernel/RecentReads.ts"

export const layer = Layer.effect(
  Plans,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const recent = yield* RecentReads

    const planOf = yield* recent.remember(
      Effect.fnUntraced(function* (organizationId) {
        const [row] = yield* sql<{ readonly plan: PlanName }>`
          SELECT plan FROM organizations WHERE id = ${organizationId}`
        return row === undefined
          ? yield* Effect.die(new Error(`There is no organization ${organizationId}.`))
          : row.plan
      })
    )

    return Plans.of({
      current: () => Effect.flatMap(CurrentOrganization, ({ id }) => planOf(id)),
      usage: Effect.fnUntraced(function* () {
        const organization = yield* CurrentOrganization
        const [row] = yield* sql<{
          readonly seats: number
          readonly contacts: number | null
          readonly chatAccounts: number
        }>`
          SELECT (SELECT count(*)::integer FROM members WHERE organization_id = ${organization.id}) AS seats,
            (SELECT count FROM contact_counts WHERE organization_id = ${organization.id}) AS contacts,
            (SELECT count(*)::integer FROM chat_accounts
              WHERE organization_id = ${organization.id} AND removed_at IS NULL) AS "chatAccounts"`
        // What nothing can use yet is not used.
        return {
          seats: row?.seats ?? 0,
          contacts: row?.contacts ?? 0,
          chatAccounts: row?.chatAccounts ?? 0,
          storeConnections: 0,
          broadcastRecipientsPerMonth: 0
        }
      }, driverFailuresDie)
    })
  })
)
