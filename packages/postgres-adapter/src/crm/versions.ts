import { NotFound, type OrganizationId, VersionConflict } from "@parley/domain"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** Changes of rows that carry a version, in one of the tables whose rows have one. Rows that are not shown are none. */
export const versions = (
  sql: SqlClient.SqlClient,
  table:
    | "tags"
    | "contact_fields"
    | "segments"
    | "chat_accounts"
    | "message_templates"
    | "canned_replies"
    | "broadcasts"
    | "store_connections"
    | "schedules"
    | "workflows",
  resource: string,
  shown: Statement.Fragment = sql`true`
) => ({
  notFound: () => new NotFound({ resource }),
  ifVersion: (expected: number | null) => (expected === null ? sql`` : sql`AND version = ${expected}`),
  /** Why no row was changed. */
  conflict: Effect.fnUntraced(function* (organizationId: OrganizationId, id: string) {
    const [row] = yield* sql<{ readonly version: number }>`
      SELECT version FROM ${sql(table)} 
      WHERE organization_id = ${organizationId} AND id = ${id} AND ${shown}`
    return yield* row === undefined ? new NotFound({ resource }) : new VersionConflict({ current: row.version })
  })
})
