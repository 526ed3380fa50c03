import type { OrganizationId } from "@parley/domain/kernel"
import type { AudiencePlan, AudienceSnapshotId, ContactClock } from "@parley/domain/campaigns"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { audienceSql } from "./audienceSql.ts"

/** Contacts of audiences as statement sources: identity, due time and outcome. */
export const audienceContacts = (sql: SqlClient.SqlClient) => {
  /** Contacts of a source, each with its outcome. Each step runs once for each contact. */
  const judgedSql = (organizationId: OrganizationId, plan: AudiencePlan, source: Statement.Fragment) => {
    const { heldOut, reason, variant, way } = audienceSql(sql, organizationId, plan)
    return sql`
      SELECT c.id, c.key, c.transferred_by, c.way, c.due, c.variant, c.reason, (c.reason IS NULL AND ${heldOut}) AS held FROM (
        SELECT c.id, c.key, c.transferred_by, c.way, c.due, c.variant, ${reason("each")} AS reason FROM (
          SELECT c.*, ${way} AS way, ${variant} AS variant FROM (${source}) AS c OFFSET 0
        ) AS c OFFSET 0
      ) AS c`
  }

  /** The same for contacts of a stored list. Contacts that have since opted out get nothing. */
  const judgedOnceMore = (organizationId: OrganizationId, plan: AudiencePlan, source: Statement.Fragment) => {
    const { heldOut, variant } = audienceSql(sql, organizationId, plan)
    return sql`
      SELECT c.id, c.key, c.transferred_by, c.way, c.due, c.variant, c.reason, (c.reason IS NULL AND ${heldOut}) AS held FROM (
        SELECT c.id, c.key, c.transferred_by, c.way, c.due, ${variant} AS variant, CASE
          WHEN NOT c.there THEN 'contact_gone'
          WHEN c.kept_reason IS NOT NULL THEN c.kept_reason
          ${plan.isMarketing ? sql`WHEN c.marketing <> 'subscribed' THEN 'not_subscribed'` : sql``}
          WHEN c.blocked_at IS NOT NULL THEN 'blocked'
          WHEN c.skipped THEN 'local_time_passed' END AS reason
        FROM (${source}) AS c OFFSET 0
      ) AS c`
  }

  const beyond = (column: string, after: string | null) =>
    after === null ? sql`` : sql`AND ${sql.literal(column)} > ${after}::uuid`

  const live = (organizationId: OrganizationId, plan: AudiencePlan, after: string | null = null, rest = sql``) => {
    const { matched } = audienceSql(sql, organizationId, plan)
    return sql`
      SELECT c.*, c.id AS key, NULL::uuid[] AS transferred_by FROM contacts AS c
      WHERE c.organization_id = ${organizationId} ${beyond("c.id", after)} AND ${matched} ${rest}`
  }

  /** Places belong to the contacts at the time of the list, even if those were merged since. */
  const kept = (organizationId: OrganizationId, id: AudienceSnapshotId, after: string | null, limit: number) => sql`
    SELECT COALESCE(k.transferred_to, k.contact_id) AS id, k.contact_id AS key, k.transferred_by, k.reason AS kept_reason, k.address_kind || ':' || k.address AS way, c.id IS NOT NULL AS there,
      c.phone, c.timezone, c.marketing, c.blocked_at
    FROM (
      SELECT * FROM audience_snapshot_contacts AS k
      WHERE k.organization_id = ${organizationId} AND k.snapshot_id = ${id} ${beyond("k.contact_id", after)}
      ORDER BY k.contact_id LIMIT ${limit}
    ) AS k
    LEFT JOIN contacts AS c ON c.organization_id = ${organizationId} AND c.id = COALESCE(k.transferred_to, k.contact_id)`

  /** Contacts of a source, each with its due time by its own clock. Includes their number if it had to be counted. */
  const timed = Effect.fnUntraced(function* (plan: AudiencePlan, source: Statement.Fragment) {
    const { times } = plan
    if (times === null) {
      return { source: sql`SELECT c.*, NULL::timestamptz AS due, FALSE AS skipped FROM (${source}) AS c`, size: null }
    }
    const clocked = yield* sql<ContactClock & { readonly id: string }>`
      SELECT c.key AS id, c.phone, c.timezone FROM (${source}) AS c`.unprepared
    const dues = clocked.map((contact) => {
      const due = times.dueAt(contact)
      return { id: contact.id, due: DateTime.formatIso(due), skipped: times.skips(due) }
    })
    return {
      source: sql`
        SELECT c.*, d.due, d.skipped FROM (${source}) AS c
        JOIN json_to_recordset(${PgTypes.json(dues)}) AS d (id uuid, due timestamptz, skipped boolean) ON d.id = c.key`,
      size: clocked.length
    }
  })

  /** The order without contact time zones. */
  const inOrder = (organizationId: OrganizationId, plan: AudiencePlan) => sql`
    SELECT c.*, NULL::timestamptz AS due, FALSE AS skipped
    FROM (${live(organizationId, plan, null, sql`ORDER BY c.id`)}) AS c`

  return { inOrder, judgedOnceMore, judgedSql, kept, live, timed }
}
