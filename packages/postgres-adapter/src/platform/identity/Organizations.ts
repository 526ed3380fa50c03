import { VersionConflict } from "@parley/domain/kernel"
import { Organizations } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { RecentReads } from "../../kernel/RecentReads.ts"
import { type Organization, tenantPort } from "../../kernel/tenantPort.ts"
import { organizationColumns, organizationOf, type OrganizationRow } from "./organizationRow.ts"

export const layer = Layer.effect(
  Organizations,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const recent = yield* RecentReads
    const columns = sql.literal(organizationColumns)

    const current = Effect.fnUntraced(function* ({ id }: Organization) {
      const [row] = yield* sql<OrganizationRow>`SELECT ${columns} FROM organizations AS o WHERE o.id = ${id}`
      return row === undefined ? yield* Effect.die(new Error(`There is no organization ${id}.`)) : organizationOf(row)
    })

    return tenantPort(Organizations, {
      current,
      save: Effect.fnUntraced(function* (own, organization, expected) {
        const { currency, locale, name, plan, status, timezone } = organization
        const [row] = yield* sql<OrganizationRow>`
          UPDATE organizations AS o SET name = ${name}, plan = ${plan}, timezone = ${timezone}, locale = ${locale},
            currency = ${currency}, status = ${status}, version = o.version + 1
          WHERE o.id = ${own.id} ${expected === null ? sql`` : sql`AND o.version = ${expected}`}
          RETURNING ${columns}`
        if (row === undefined) return yield* new VersionConflict({ current: (yield* current(own)).version })
        yield* recent.forget
        return organizationOf(row)
      })
    })
  })
)
