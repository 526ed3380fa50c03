import type { PlanName } from "@parley/domain/kernel"
import { Plans } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { RecentReads } from "../../kernel/RecentReads.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

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

    return tenantPort(Plans, {
      current: ({ id }) => planOf(id)
    })
  })
)
