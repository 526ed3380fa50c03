import type { OrganizationId } from "@parley/domain/kernel"
import type { SqlClient, Statement } from "effect/sql"

/** Maximum number of rows of a tally that one statement folds into one. */
const mostFolded = 20

/**
 * Parts of a statement that add the column `by` of the query `change` to the number of resolved conversations. The number is the sum of several rows,
 * because writers must not wait for each other. Locked rows are skipped and folded by a later writer.
 */
export const resolvedTally = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  change: Statement.Fragment
): Statement.Fragment => sql`
  change AS MATERIALIZED (${change}),
  folded AS (
    DELETE FROM conversation_counts WHERE organization_id = ${organizationId} AND id IN (
      SELECT id FROM conversation_counts
      WHERE organization_id = ${organizationId} AND EXISTS (SELECT FROM change WHERE by <> 0)
      LIMIT ${mostFolded} FOR UPDATE SKIP LOCKED
    ) RETURNING resolved
  ),
  tallied AS (
    INSERT INTO conversation_counts (organization_id, resolved)
    SELECT ${organizationId}::uuid, by + coalesce((SELECT sum(resolved) FROM folded), 0) FROM change WHERE by <> 0
  )`
