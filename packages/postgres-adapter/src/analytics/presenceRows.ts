import { PgTypes } from "@effect/sql-pg"
import { type RollupStore, type ContactId, CurrentOrganization, type ContactPresence } from "@parley/domain"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { driverFailuresDie } from "../kernel/defects.ts"
import { uuids } from "../kernel/uuids.ts"

type Port = Pick<
  (typeof RollupStore)["Service"],
  "presence" | "holders" | "present" | "savePresence" | "removePresence"
>

/** Times at which contacts wrote, in the rows of `analytics_presence`. */
export const presenceRows = (sql: SqlClient.SqlClient): Port => ({
  presence: Effect.fnUntraced(function* (edition, contactIds) {
    if (contactIds.length === 0) return []
    const { id } = yield* CurrentOrganization
    return yield* sql<ContactPresence>`
      SELECT contact_id AS "contactId", conversation_id AS "conversationId", quarter FROM analytics_presence
      WHERE organization_id = ${id} AND rollup_version = ${edition} AND contact_id = ANY(${uuids(contactIds)})`
  }, driverFailuresDie),
  holders: Effect.fnUntraced(function* (edition, conversationIds) {
    if (conversationIds.length === 0) return new Map()
    const { id } = yield* CurrentOrganization
    const rows = yield* sql<Omit<ContactPresence, "quarter">>`
      SELECT DISTINCT contact_id AS "contactId", conversation_id AS "conversationId" FROM analytics_presence
      WHERE organization_id = ${id} AND rollup_version = ${edition} AND conversation_id = ANY(${uuids(conversationIds)})`
    return new Map(rows.map(({ contactId, conversationId }) => [conversationId, contactId]))
  }, driverFailuresDie),
  present: Effect.fnUntraced(function* (edition, after, limit) {
    const { id } = yield* CurrentOrganization
    const rows = yield* sql<{ readonly contactId: ContactId }>`
      SELECT DISTINCT contact_id AS "contactId" FROM analytics_presence
      WHERE organization_id = ${id} AND rollup_version = ${edition} ${after === null ? sql`` : sql`AND contact_id > ${after}`}
      ORDER BY contact_id LIMIT ${limit}`
    return rows.map(({ contactId }) => contactId)
  }, driverFailuresDie),
  savePresence: Effect.fnUntraced(function* (edition, presence) {
    if (presence.length === 0) return
    const { id } = yield* CurrentOrganization
    yield* sql`
      INSERT INTO analytics_presence (organization_id, rollup_version, conversation_id, quarter, contact_id)
      SELECT ${id}, ${edition}, r."conversationId", r.quarter, r."contactId"
      FROM json_to_recordset(${PgTypes.json(presence)}) AS r ("conversationId" uuid, quarter integer, "contactId" uuid)
      ON CONFLICT (organization_id, rollup_version, conversation_id, quarter) DO UPDATE SET contact_id = EXCLUDED.contact_id`
  }, driverFailuresDie),
  removePresence: Effect.fnUntraced(function* (edition, contactIds) {
    if (contactIds.length === 0) return
    const { id } = yield* CurrentOrganization
    yield* sql`
      DELETE FROM analytics_presence
      WHERE organization_id = ${id} AND rollup_version = ${edition} AND contact_id = ANY(${uuids(contactIds)})`
  }, driverFailuresDie)
})
