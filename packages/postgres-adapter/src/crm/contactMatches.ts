import type { OrganizationId } from "@parley/domain/kernel"
import type { ContactQuery } from "@parley/domain/crm"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { anyTagOf, conjuncts, driversOf } from "./drivers.ts"
import { filterSql } from "./filterSql.ts"
import { searchSql } from "./searchSql.ts"
import { contactCountOfTag } from "./tagTally.ts"

/** Counts the contacts that match a filter and a search. A single tag without a search uses its stored count. */
export const contactMatches = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (organizationId: OrganizationId, { filter, search }: Omit<ContactQuery, "sort">) {
    const parts = conjuncts(filter)
    const [part] = parts
    const [tag, ...others] = part === undefined || parts.length > 1 ? [] : (anyTagOf(part) ?? [])
    if (tag !== undefined && others.length === 0 && search === null) {
      const [row] = yield* sql<{ readonly count: number }>`
        SELECT ${sql.literal(contactCountOfTag)} AS count FROM tags
        WHERE organization_id = ${organizationId} AND id = ${tag}`
      return row?.count ?? 0
    }
    const [best] = driversOf(sql, organizationId, parts, search)
    const [row] = yield* sql<{ readonly count: number }>`
      SELECT count(*)::integer AS count FROM contacts AS c WHERE c.organization_id = ${organizationId}
        ${best?.kind === "ids" ? sql`AND c.id IN (${best.ids})` : sql``}
        ${best?.kind === "where" ? sql`AND ${best.where}` : sql``}
        AND ${filterSql(sql, organizationId, filter)}
        ${search === null ? sql`` : sql`AND ${searchSql(sql, search)}`}`.unprepared
    return row?.count ?? 0
  })
