import { OrganizationDirectory, SlugTaken } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { storagePort } from "../../kernel/tenantPort.ts"
import { organizationColumns, organizationOf, type OrganizationRow } from "./organizationRow.ts"

export const layer = Layer.effect(
  OrganizationDirectory,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(organizationColumns)
    const only = ([row]: ReadonlyArray<OrganizationRow>) => (row === undefined ? null : organizationOf(row))

    return storagePort(OrganizationDirectory, {
      insert: Effect.fnUntraced(function* (organization) {
        const { createdAt, currency, id, locale, name, plan, slug, status, timezone, version } = organization
        const inserted = yield* sql`
          INSERT INTO organizations (id, name, slug, plan, timezone, locale, currency, status, created_at, version)
          VALUES (${id}, ${name}, ${slug}, ${plan}, ${timezone}, ${locale}, ${currency}, ${status}, ${stamp(createdAt)}, ${version})
          ON CONFLICT ON CONSTRAINT organizations_slug DO NOTHING RETURNING 1`
        if (inserted.length === 0) return yield* new SlugTaken({ slug })
      }),
      find: Effect.fnUntraced(function* (id) {
        return only(yield* sql<OrganizationRow>`SELECT ${columns} FROM organizations AS o WHERE o.id = ${id}`)
      }),
      findBySlug: Effect.fnUntraced(function* (slug) {
        return only(yield* sql<OrganizationRow>`SELECT ${columns} FROM organizations AS o WHERE o.slug = ${slug}`)
      }),
      list: Effect.fnUntraced(function* ({ after, limit }) {
        const rows = yield* sql<OrganizationRow>`
          SELECT ${columns} FROM organizations AS o ${after === null ? sql`` : sql`WHERE o.id > ${after[0]}`}
          ORDER BY o.id LIMIT ${limit}`
        return rows.map(organizationOf)
      })
    })
  })
)
