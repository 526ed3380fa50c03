import { PgTypes } from "@effect/sql-pg"
import type { ContactId } from "@parley/domain/crm"
import type { RollupStore, ContactActivity } from "@parley/domain/analytics"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { uuids } from "../kernel/uuids.ts"
import type { TenantMethods } from "../kernel/tenantPort.ts"

type Port = TenantMethods<
  Pick<(typeof RollupStore)["Service"], "activity" | "holders" | "activeContacts" | "saveActivity" | "removeActivity">
>

/** Times at which contacts wrote, in the rows of `analytics_presence`. */
export const activityRows = (sql: SqlClient.SqlClient): Port => ({
  activity: Effect.fnUntraced(function* ({ id }, version, contactIds) {
    if (contactIds.length === 0) return []
    return yield* sql<ContactActivity>`
      SELECT contact_id AS "contactId", conversation_id AS "conversationId", quarter FROM analytics_presence
      WHERE organization_id = ${id} AND rollup_version = ${version} AND contact_id = ANY(${uuids(contactIds)})`
  }),
  holders: Effect.fnUntraced(function* ({ id }, version, conversationIds) {
    if (conversationIds.length === 0) return new Map()
    const rows = yield* sql<Omit<ContactActivity, "quarter">>`
      SELECT DISTINCT contact_id AS "contactId", conversation_id AS "conversationId" FROM analytics_presence
      WHERE organization_id = ${id} AND rollup_version = ${version} AND conversation_id = ANY(${uuids(conversationIds)})`
    return new Map(rows.map(({ contactId, conversationId }) => [conversationId, contactId]))
  }),
  activeContacts: Effect.fnUntraced(function* ({ id }, version, after, limit) {
    const rows = yield* sql<{ readonly contactId: ContactId }>`
      SELECT DISTINCT contact_id AS "contactId" FROM analytics_presence
      WHERE organization_id = ${id} AND rollup_version = ${version} ${after === null ? sql`` : sql`AND contact_id > ${after}`}
      ORDER BY contact_id LIMIT ${limit}`
    return rows.map(({ contactId }) => contactId)
  }),
  saveActivity: Effect.fnUntraced(function* ({ id }, version, activity) {
    if (activity.length === 0) return
    yield* sql`
      INSERT INTO analytics_presence (organization_id, rollup_version, conversation_id, quarter, contact_id)
      SELECT ${id}, ${version}, r."conversationId", r.quarter, r."contactId"
      FROM json_to_recordset(${PgTypes.json(activity)}) AS r ("conversationId" uuid, quarter integer, "contactId" uuid)
      ON CONFLICT (organization_id, rollup_version, conversation_id, quarter) DO UPDATE SET contact_id = EXCLUDED.contact_id`
  }),
  removeActivity: Effect.fnUntraced(function* ({ id }, version, contactIds) {
    if (contactIds.length === 0) return
    yield* sql`
      DELETE FROM analytics_presence
      WHERE organization_id = ${id} AND rollup_version = ${version} AND contact_id = ANY(${uuids(contactIds)})`
  })
})
