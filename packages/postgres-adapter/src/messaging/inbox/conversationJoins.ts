import { PgTypes } from "@effect/sql-pg"
import type { OrganizationId } from "@parley/domain/kernel"
import type { ContactMergeId } from "@parley/domain/crm"
import { type Conversation, ConversationMerge } from "@parley/domain/messaging"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { conversationChange } from "./conversationChange.ts"

interface Change {
  readonly before: Conversation
  readonly after: Conversation
}

/** Changes of conversations through joins. */
export const changesOf = (joins: ReadonlyArray<ConversationMerge>): ReadonlyArray<Change> =>
  joins.flatMap(({ after, before }) => [
    { before: before.kept, after: after.kept },
    { before: before.other, after: after.other }
  ])

const encode = Schema.encodeSync(ConversationMerge)
const decode = Schema.decodeUnknownSync(ConversationMerge)

/** Stores joins of conversations and the joined conversations. */
export const conversationJoins = (sql: SqlClient.SqlClient) => {
  const change = conversationChange(sql)
  return {
    change: Effect.fnUntraced(function* (organizationId: OrganizationId, changes: ReadonlyArray<Change>) {
      const after = changes.map((each) => each.after)
      // Resolved conversations are stored first, because they free the place of others.
      const parts = [
        after.filter(({ status }) => status === "resolved"),
        after.filter(({ status }) => status !== "resolved")
      ]
      yield* Effect.forEach(
        parts.filter(({ length }) => length > 0),
        (part) => change(organizationId, part),
        { discard: true }
      )
    }),
    keep: Effect.fnUntraced(function* (organizationId: OrganizationId, joins: ReadonlyArray<ConversationMerge>) {
      if (joins.length === 0) return
      const records = joins
        .map((join) => encode(join))
        .map(({ after, before, mergeId }) => ({
          merge_id: mergeId,
          kept_id: before.kept.id,
          other_id: before.other.id,
          before,
          after
        }))
      yield* sql`
        INSERT INTO conversation_joins (organization_id, merge_id, kept_id, other_id, before, after)
        SELECT ${organizationId}::uuid, s.* FROM json_to_recordset(${PgTypes.json(records)})
          AS s (merge_id uuid, kept_id uuid, other_id uuid, before json, after json)`
    }),
    /** In merge order. */
    ofMerges: Effect.fnUntraced(function* (organizationId: OrganizationId, merges: ReadonlyArray<ContactMergeId>) {
      const rows = yield* sql<Record<string, unknown>>`
        SELECT merge_id AS "mergeId", before, after FROM conversation_joins
        WHERE organization_id = ${organizationId} AND merge_id = ANY(${Array.from(merges)}::uuid[])`
      const joins = rows.map((row) => decode(row))
      return merges.flatMap((id) => joins.filter(({ mergeId }) => mergeId === id))
    }),
    forget: (organizationId: OrganizationId, merges: ReadonlyArray<ContactMergeId>) => sql`
      DELETE FROM conversation_joins
      WHERE organization_id = ${organizationId} AND merge_id = ANY(${Array.from(merges)}::uuid[])`
  }
}
