import { NotFound, type OrganizationId, VersionConflict } from "@parley/domain/kernel"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** Changes of rows with a version. Hidden rows do not exist for callers. */
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
  /** Reason why no row was changed. */
  conflict: Effect.fnUntraced(function* (organizationId: OrganizationId, id: string) {
    const [row] = yield* sql<{ readonly version: number }>`
      SELECT version FROM ${sql(table)} 
      WHERE organization_id = ${organizationId} AND id = ${id} AND ${shown}`
    return yield* row === undefined ? new NotFound({ resource }) : new VersionConflict({ current: row.version })
  })
})
