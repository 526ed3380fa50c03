import type { OrganizationId } from "@parley/domain/kernel"
import type { Contact } from "@parley/domain/crm"
import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Extent } from "./contactLists.ts"

const mostApartMillis = 30_000

/** Whether the id has the same time as the contact's creation. */
export const tellsTime = ({ createdAt, id }: Contact) =>
  Math.abs(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) - DateTime.toEpochMillis(createdAt)) <= mostApartMillis

/** Counts of contacts. */
export const contactCounts = (sql: SqlClient.SqlClient) => ({
  extent: Effect.fnUntraced(function* (organizationId: string) {
    const [row] = yield* sql<Extent>`
      SELECT count, ids_tell_time AS "idsTellTime" FROM contact_counts WHERE organization_id = ${organizationId}`
    return row ?? { count: 0, idsTellTime: true }
  }),
  subtract: (organizationId: OrganizationId, removed: number) => sql`
    UPDATE contact_counts SET count = count - ${removed} WHERE organization_id = ${organizationId}`
})
