import type { OrganizationId } from "@parley/domain/kernel"
import type { SqlClient, Statement } from "effect/sql"

/** Maximum number of rows of the tallies that one statement folds. */
const mostFolded = 20

/**
 * Parts of a statement that add the column `by` of the query `change` to the number of contacts with the tag `tag_id`, which is unique in it. The number
 * is the sum of several rows, because writers must not wait for each other. Locked rows are skipped and folded by a later writer.
 */
export const tagTally = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  change: Statement.Fragment
): Statement.Fragment => sql`
  change AS MATERIALIZED (SELECT * FROM (${change}) AS change WHERE by <> 0),
  folded AS (
    DELETE FROM tag_counts WHERE organization_id = ${organizationId} AND (tag_id, id) IN (
      SELECT tag_id, id FROM tag_counts
      WHERE organization_id = ${organizationId} AND tag_id IN (SELECT tag_id FROM change)
      LIMIT ${mostFolded} FOR UPDATE SKIP LOCKED
    ) RETURNING tag_id, contacts
  ),
  tallied AS (
    INSERT INTO tag_counts (organization_id, tag_id, contacts)
    SELECT ${organizationId}::uuid, tag_id,
      by + coalesce((SELECT sum(contacts) FROM folded WHERE folded.tag_id = change.tag_id), 0)
    FROM change
  )`

/** Number of contacts with the tag of the row `tags`. */
export const contactCountOfTag = `(
  SELECT coalesce(sum(n.contacts), 0)::integer FROM tag_counts AS n
  WHERE n.organization_id = tags.organization_id AND n.tag_id = tags.id
)`
