import type { OrganizationId } from "@parley/domain"
import type { SqlClient, Statement } from "effect/sql"

/** How many rows of a count are taken up at once. */
const mostFolded = 20

/**
 * Parts of a statement that keep the number of resolved conversations when it changes by what the query `change` gives,
 * as a column `by`. Rows that others hold are left for those who come later.
 */
export const tallying = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  change: Statement.Fragment
): Statement.Fragment => sql`
  change AS MATERIALIZED (${change}),
  folded AS (
    DELETE FROM conversation_tallies WHERE organization_id = ${organizationId} AND id IN (
      SELECT id FROM conversation_tallies
      WHERE organization_id = ${organizationId} AND EXISTS (SELECT FROM change WHERE by <> 0)
      LIMIT ${mostFolded} FOR UPDATE SKIP LOCKED
    ) RETURNING resolved
  ),
  tallied AS (
    INSERT INTO conversation_tallies (organization_id, resolved)
    SELECT ${organizationId}::uuid, by + coalesce((SELECT sum(resolved) FROM folded), 0) FROM change WHERE by <> 0
  )`
