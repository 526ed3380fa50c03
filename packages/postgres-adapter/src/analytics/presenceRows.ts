import { PgTypes } from "@effect/sql-pg"
import type { RollupStore, ContactId, ContactPresence } from "@parley/domain"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { uuids } from "../kernel/uuids.ts"
import type { TenantMethods } from "../kernel/tenantPort.ts"

type Port = TenantMethods<
  Pick<(typeof RollupStore)["Service"], "presence" | "holders" | "present" | "savePresence" | "removePresence">
>

/** Times at which contacts wrote, in the rows of `analytics_presence`. */
export const presenceRows = (sql: SqlClient.SqlClient): Port => ({
  presence: Effect.fnUntraced(function* ({ id }, edition, contactIds) {
    if (contactIds.length === 0) return []
    return yield* sql<ContactPresence>`
      SELECT contact_id AS "contactId", conversation_id AS "conversationId", quarter FROM analytics_presence
      WHERE organization_id = ${id} AND rollup_version = ${edition} AND contact_id = ANY(${uuids(contactIds)})`
  }),
  holders: Effect.fnUntraced(function* ({ id }, edition, conversationIds) {
    if (conversationIds.length === 0) return new Map()
    const rows = yield* sql<Omit<ContactPresence, "quarter">>`
      SELECT DISTINCT contact_id AS "contactId", conversation_id AS "conversationId" FROM analytics_presence
      WHERE organization_id = ${id} AND rollup_version = ${edition} AND conversation_id = ANY(${uuids(conversationIds)})`
    return new Map(rows.map(({ contactId, conversationId }) => [conversationId, contactId]))
  }),
  present: Effect.fnUntraced(function* ({ id }, edition, after, limit) {
    const rows = yield* sql<{ readonly contactId: ContactId }>`
      SELECT DISTINCT contact_id AS "contactId" FROM analytics_presence
      WHERE organization_id = ${id} AND rollup_version = ${edition} ${after === null ? sql`` : sql`AND contact_id > ${after}`}
      ORDER BY contact_id LIMIT ${limit}`
    return rows.map(({ contactId }) => contactId)
  }),
  savePresence: Effect.fnUntraced(function* ({ id }, edition, presence) {
    if (presence.length === 0) return
    yield* sql`
      INSERT INTO analytics_presence (organization_id, rollup_version, conversation_id, quarter, contact_id)
      SELECT ${id}, ${edition}, r."conversationId", r.quarter, r."contactId"
      FROM json_to_recordset(${PgTypes.json(presence)}) AS r ("conversationId" uuid, quarter integer, "contactId" uuid)
      ON CONFLICT (organization_id, rollup_version, conversation_id, quarter) DO UPDATE SET contact_id = EXCLUDED.contact_id`
  }),
  removePresence: Effect.fnUntraced(function* ({ id }, edition, contactIds) {
    if (contactIds.length === 0) return
    yield* sql`
      DELETE FROM analytics_presence
      WHERE organization_id = ${id} AND rollup_version = ${edition} AND contact_id = ANY(${uuids(contactIds)})`
  })
})
