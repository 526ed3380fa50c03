import type { Conversation, MessageAuthor, Episode } from "@parley/domain/messaging"
import type { AnalyticsRecords, ConversationRecord, FirstReply } from "@parley/domain/analytics"
import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { type Instant, utc } from "../kernel/columns.ts"
import { uuids } from "../kernel/uuids.ts"
import type { TenantMethods } from "../kernel/tenantPort.ts"
import { type EpisodeRow, episodeOf } from "../messaging/inbox/conversationRow.ts"

interface Row extends Pick<ConversationRecord, "id" | "chatAccountId" | "isOpen" | "isWaiting">, EpisodeRow {
  readonly replierKind: MessageAuthor["kind"] | null
  readonly replierId: string | null
  readonly repliedAt: Instant | null
  readonly waitedSince: Instant | null
  /** Earlier episodes. */
  readonly past: ReadonlyArray<
    Omit<EpisodeRow, "episodeStartedAt" | "episodeResolvedAt"> & {
      readonly episodeStartedAt: string
      readonly episodeResolvedAt: string | null
    }
  > | null
}

const pastOf = ({ past }: Row): ReadonlyArray<Episode> =>
  (past ?? []).flatMap(({ episodeResolvedAt, episodeStartedAt, ...row }): ReadonlyArray<Episode> => {
    const { episode: number, episodeResolverId: id, episodeResolverKind: kind } = row
    if (number === null) return []
    return [
      {
        number,
        startedAt: DateTime.makeUnsafe(episodeStartedAt),
        resolvedAt: episodeResolvedAt === null ? null : DateTime.makeUnsafe(episodeResolvedAt),
        resolvedBy: kind === null || id === null ? null : { kind, id }
      }
    ]
  })

const firstReplyOf = ({ repliedAt, replierId: id, replierKind: kind, waitedSince }: Row): FirstReply | null =>
  repliedAt === null || waitedSince === null || kind === null || id === null
    ? null
    : { author: { kind, id }, acceptedAt: utc(repliedAt), endedWaitSince: utc(waitedSince) }

const recordOf = (row: Row): ConversationRecord => ({
  id: row.id,
  chatAccountId: row.chatAccountId,
  isOpen: row.isOpen,
  isWaiting: row.isWaiting,
  episodes: [...pastOf(row), episodeOf(row) ?? []].flat(),
  firstReply: firstReplyOf(row)
})

type Port = TenantMethods<Pick<(typeof AnalyticsRecords)["Service"], "owners" | "conversations" | "conversationsWith">>

/** Counted columns of conversations. */
export const conversationRecords = (sql: SqlClient.SqlClient): Port => {
  const select = (organizationId: string) => sql`
    SELECT c.id, c.chat_account_id AS "chatAccountId", c.status = 'open' AS "isOpen",
      c.waiting_since IS NOT NULL AS "isWaiting", c.episode, c.episode_started_at AS "episodeStartedAt",
      c.episode_resolved_at AS "episodeResolvedAt", c.episode_resolver_kind AS "episodeResolverKind",
      c.episode_resolver_id AS "episodeResolverId", c.first_replied_at AS "repliedAt",
      r.author_kind AS "replierKind", r.author_id AS "replierId", r.answered_wait_since AS "waitedSince", (
        SELECT json_agg(json_build_object('episode', s.episode, 'episodeStartedAt', s.started_at,
          'episodeResolvedAt', s.resolved_at, 'episodeResolverKind', s.resolver_kind,
          'episodeResolverId', s.resolver_id) ORDER BY s.episode)
        FROM conversation_episodes AS s WHERE s.organization_id = ${organizationId} AND s.conversation_id = c.id
      ) AS past
    FROM conversations AS c
    LEFT JOIN messages AS r ON r.organization_id = ${organizationId} AND r.id = c.first_reply_id`

  return {
    owners: Effect.fnUntraced(function* ({ id }, conversationIds, contactIds) {
      if (conversationIds.length === 0 && contactIds.length === 0) return new Map()
      const rows = yield* sql<Pick<Conversation, "id" | "contactId">>`
        SELECT c.id, c.contact_id AS "contactId" FROM conversations AS c
        WHERE c.organization_id = ${id} AND c.id = ANY(${uuids(conversationIds)})
        UNION
        SELECT c.id, c.contact_id FROM conversations AS c
        WHERE c.organization_id = ${id} AND c.contact_id = ANY(${uuids(contactIds)})`
      return new Map(rows.map((row) => [row.id, row.contactId]))
    }),
    conversations: Effect.fnUntraced(function* ({ id }, ids) {
      if (ids.length === 0) return []
      const rows = yield* sql<Row>`
        ${select(id)} WHERE c.organization_id = ${id} AND c.id = ANY(${uuids(ids)})`
      return rows.map(recordOf)
    }),
    conversationsWith: Effect.fnUntraced(function* ({ id }, contactIds, after, limit) {
      if (contactIds.length === 0) return []
      const rows = yield* sql<Row>`
        ${select(id)} WHERE c.organization_id = ${id} AND c.contact_id = ANY(${uuids(contactIds)})
          ${after === null ? sql`` : sql`AND c.id > ${after}`}
        ORDER BY c.id LIMIT ${limit}`
      return rows.map(recordOf)
    })
  }
}
