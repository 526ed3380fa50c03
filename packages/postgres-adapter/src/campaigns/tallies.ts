import type { OrganizationId } from "@parley/domain/kernel"
import type { SqlClient, Statement } from "effect/sql"

/** Tally of a recipient `r`. */
export const shareOf = (sql: SqlClient.SqlClient) => sql`
  r.broadcast_id, coalesce(r.variant::text, '') AS variant, CASE r.status WHEN 'waiting' THEN 'pending' ELSE r.status END AS status,
  CASE r.status WHEN 'excluded' THEN coalesce(r.reason, '') WHEN 'failed' THEN coalesce(r.error ->> 'code', '') ELSE '' END AS cause`

/**
 * Tally changes for changed recipients, from rows `m` with broadcast, variant, `replied` and `opted_out`. Recipients move from the status and cause
 * `was` and `was_cause`, unless that is null, to `status` and `cause`. Waiting recipients count as pending.
 */
export const movesOf = (sql: SqlClient.SqlClient, moved: Statement.Fragment) => sql`
  SELECT g.broadcast_id, coalesce(g.variant::text, '') AS variant,
    CASE e.status WHEN 'waiting' THEN 'pending' ELSE e.status END AS status, e.cause,
    e.sign * g.amount AS amount, e.sign * g.replied AS replied, e.sign * g.opted_out AS opted_out
  FROM (
    SELECT m.broadcast_id, m.variant, m.status, m.cause, m.was, m.was_cause, count(*) AS amount,
      count(*) FILTER (WHERE m.replied) AS replied, count(*) FILTER (WHERE m.opted_out) AS opted_out
    FROM (${moved}) AS m GROUP BY m.broadcast_id, m.variant, m.status, m.cause, m.was, m.was_cause
  ) AS g, LATERAL (VALUES (g.status, g.cause, 1), (g.was, g.was_cause, -1)) AS e (status, cause, sign)
  WHERE e.status IS NOT NULL`

/**
 * Adds moves to the tallies of their broadcasts. It is part of the statement that changes the recipients. That statement must lock the statistics of
 * their broadcasts first. If the statement does not read from it, it comes last.
 */
export const tally = (sql: SqlClient.SqlClient, organizationId: OrganizationId, moves: Statement.Fragment) => sql`
  INSERT INTO broadcast_counts AS t (organization_id, broadcast_id, variant, status, cause, recipients, replied, opted_out)
  SELECT ${organizationId}, d.broadcast_id, d.variant, d.status, d.cause, sum(d.amount)::integer, sum(d.replied)::integer,
    sum(d.opted_out)::integer
  FROM (${moves}) AS d GROUP BY d.broadcast_id, d.variant, d.status, d.cause
  HAVING sum(d.amount) <> 0 OR sum(d.replied) <> 0 OR sum(d.opted_out) <> 0
  ORDER BY d.broadcast_id, d.variant, d.status, d.cause
  ON CONFLICT (organization_id, broadcast_id, variant, status, cause) DO UPDATE SET
    recipients = t.recipients + EXCLUDED.recipients, replied = t.replied + EXCLUDED.replied,
    opted_out = t.opted_out + EXCLUDED.opted_out`
