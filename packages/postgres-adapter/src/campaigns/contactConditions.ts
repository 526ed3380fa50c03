import type { SqlClient, Statement } from "effect/sql"
import type { OrganizationId } from "@parley/domain/kernel"
import type { CompileCondition } from "../crm/CompileCondition.ts"

const accepted = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  condition: Statement.Fragment
) => sql`EXISTS (
  SELECT FROM broadcast_recipients AS r WHERE r.organization_id = ${organizationId} AND r.contact_id = c.id
    AND r.status IN ('sent', 'delivered', 'read') AND ${condition})`

/** Recipients that were left at the end of a broadcast keep their status. */
const neverSent = ["pending", "waiting", "never_sent"]

/** Conditions of filters on this area. */
export const contactConditions = {
  broadcast_ever: (sql, organizationId) => accepted(sql, organizationId, sql`r.sent_at IS NOT NULL`),
  broadcast_before: (sql, organizationId, [at = ""]) => sql`(
    ${accepted(sql, organizationId, sql`r.sent_at < ${at}::timestamptz`)}
    AND NOT ${accepted(sql, organizationId, sql`r.sent_at >= ${at}::timestamptz`)})`,
  broadcast_since: (sql, organizationId, [at = ""]) =>
    accepted(sql, organizationId, sql`r.sent_at >= ${at}::timestamptz`),
  broadcast_received: (sql, organizationId, ids) =>
    accepted(sql, organizationId, sql`r.broadcast_id = ANY(${ids}::uuid[])`),
  broadcast_read: (sql, organizationId, ids) =>
    accepted(sql, organizationId, sql`r.broadcast_id = ANY(${ids}::uuid[]) AND r.status = 'read'`),
  broadcast_retried: (sql, organizationId, [id = "", statuses = "", ...codes]) => {
    const stored = statuses.split(" ").flatMap((status) => (status === "never_sent" ? neverSent : [status]))
    // A contact that got the message under another identity, before a merge, is not tried again.
    const reached = ["sent", "delivered", "read", ...(stored.includes("in_doubt") ? [] : ["in_doubt"])]
    const isMeant =
      codes.length === 0 ? sql`TRUE` : sql`(r.status <> 'failed' OR r.error ->> 'code' = ANY(${codes}::text[]))`
    return sql`c.id IN (
      SELECT r.contact_id FROM broadcast_recipients AS r
      WHERE r.organization_id = ${organizationId} AND r.broadcast_id = ${id}::uuid AND r.status = ANY(${stored}::text[])
        AND ${isMeant} AND NOT EXISTS (
          SELECT FROM broadcast_claims AS w
          WHERE w.organization_id = ${organizationId} AND w.broadcast_id = ${id}::uuid AND r.seq = ANY(w.seqs))
        AND NOT EXISTS (
          SELECT FROM broadcast_recipients AS o
          WHERE o.organization_id = ${organizationId} AND o.contact_id = r.contact_id AND o.broadcast_id = ${id}::uuid
            AND o.status = ANY(${reached}::text[])))`
  },
  broadcast_replied: (sql, organizationId, ids) => sql`EXISTS (
    SELECT FROM broadcast_recipients AS r WHERE r.organization_id = ${organizationId} AND r.contact_id = c.id
      AND r.broadcast_id = ANY(${ids}::uuid[]) AND r.replied_at IS NOT NULL)`
} as const satisfies Readonly<Record<string, CompileCondition>>
