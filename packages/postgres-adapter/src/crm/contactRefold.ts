import { normalizeForSearch, type OrganizationId } from "@parley/domain/kernel"
import { normalizeName, contactSearchText } from "@parley/domain/crm"
import { PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { refolds } from "../kernel/refolds.ts"
import { contactColumns, contactOf, type ContactRow } from "./contactRow.ts"
import { searchForm } from "./searchForm.ts"
import { words } from "./words.ts"

/** Words of a name that differ from their folded form. */
const unfoldedWords = (name: string | null) =>
  normalizeName(name ?? "")
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => normalizeForSearch(word) !== word)

/** Updates the search texts of contacts that were stored with another folding. */
export const contactRefold = (sql: SqlClient.SqlClient) => {
  const refolding = refolds(sql, "contacts")
  const spoken = words(sql)

  return (organizationId: OrganizationId, limit: number) =>
    refolding(
      organizationId,
      limit,
      Effect.fnUntraced(function* (after) {
        const rows = yield* sql<ContactRow & { readonly search: string }>`
          SELECT ${contactColumns(sql, organizationId)}, c.search FROM contacts AS c
          WHERE c.organization_id = ${organizationId} AND c.id > ${after} ORDER BY c.id LIMIT ${limit} FOR UPDATE OF c`
        const changed = rows.flatMap((row) => {
          const search = searchForm(contactSearchText(contactOf(row)))
          return search === row.search ? [] : [{ id: row.id, name: row.name, search }]
        })
        if (changed.length === 0) return rows
        const names = changed.map(({ name }) => name)
        yield* spoken.enter(organizationId, names)
        yield* sql`
          DELETE FROM contact_search_words
          WHERE organization_id = ${organizationId} AND word = ANY(${[...new Set(names.flatMap(unfoldedWords))]}::text[])`
        yield* sql`
          UPDATE contacts AS c SET search = r.search
          FROM json_to_recordset(${PgTypes.json(changed)}) AS r (id uuid, search text)
          WHERE c.organization_id = ${organizationId} AND c.id = r.id`
        return rows
      })
    )
}
