import { CurrentOrganization, Organizations, VersionConflict } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { driverFailuresDie } from "../../kernel/defects.ts"
import { RecentReads } from "../../kernel/RecentReads.ts"
import { organizationColumns, organizationOf, type OrganizationRow } from "./organizationRow.ts"

export const layer = Layer.effect(
  Organizations,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const recent = yield* RecentReads
    const columns = sql.literal(organizationColumns)

    const current = Effect.fnUntraced(function* () {
      const { id } = yield* CurrentOrganization
      const [row] = yield* sql<OrganizationRow>`SELECT ${columns} FROM organizations AS o WHERE o.id = ${id}`
      return row === undefined ? yield* Effect.die(new Error(`There is no organization ${id}.`)) : organizationOf(row)
    })

    return Organizations.of({
      current: () => driverFailuresDie(current()),
      save: Effect.fnUntraced(function* (organization, expected) {
        const { id } = yield* CurrentOrganization
        const { currency, locale, name, plan, status, timezone } = organization
        const [row] = yield* sql<OrganizationRow>`
          UPDATE organizations AS o SET name = ${name}, plan = ${plan}, timezone = ${timezone}, locale = ${locale},
            currency = ${currency}, status = ${status}, version = o.version + 1
          WHERE o.id = ${id} ${expected === null ? sql`` : sql`AND o.version = ${expected}`}
          RETURNING ${columns}`
        if (row === undefined) return yield* new VersionConflict({ current: (yield* current()).version })
        yield* recent.forget
        return organizationOf(row)
      }, driverFailuresDie)
    })
  })
)
