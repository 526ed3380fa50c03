import type { SqlClient, Statement } from "effect/sql"
import type { OrganizationId } from "@parley/domain"
import type { CompileCondition } from "../crm/CompileCondition.ts"

const accepted = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  condition: Statement.Fragment
) => sql`EXISTS (
  SELECT FROM broadcast_recipients AS r WHERE r.organization_id = ${organizationId} AND r.contact_id = c.id
    AND r.status IN ('sent', 'delivered', 'read') AND ${condition})`

/** What filters ask this area of a contact. */
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
  broadcast_replied: (sql, organizationId, ids) => sql`EXISTS (
    SELECT FROM broadcast_recipients AS r WHERE r.organization_id = ${organizationId} AND r.contact_id = c.id
      AND r.broadcast_id = ANY(${ids}::uuid[]) AND r.replied_at IS NOT NULL)`
} as const satisfies Readonly<Record<string, CompileCondition>>
