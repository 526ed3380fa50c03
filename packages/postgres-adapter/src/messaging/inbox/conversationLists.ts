import type { OrganizationId, Slice } from "@parley/domain/kernel"
import {
  prioritiesByUrgency,
  type ConversationId,
  type ConversationQuery,
  type ConversationWithContact,
  isDescending
} from "@parley/domain/messaging"
import { DateTime, Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { type Instant, utc } from "../../kernel/columns.ts"
import { conversationColumns, conversingOf, type ConversingRow, freeUntilOf, providerOf } from "./conversationRow.ts"
import { wordsQuery } from "./messageWords.ts"

/** Rows of an order that a scan reads before it tries another way, because matches can be rare. */
const scan = 500

/** Maximum number of rows of an order that one page reads. The next page resumes from there. */
const furthest = 5_000

/** Maximum number of messages or conversations from an index that are sorted. */
const mostGathered = 4_000

/**
 * The word index is used for at most this number of conversations with the word in a scan. The index returns all
 * messages first.
 */
const mostSaying = 4

interface Found {
  readonly rows: ReadonlyArray<ConversationWithContact>
  readonly resume: ReadonlyArray<string> | null
}

/** Part of a list whose rows have one order; `name` is `null` if the list has no other parts. */
interface Rank {
  readonly name: string | null
  /** Condition for the conversations of this part. */
  readonly when: Statement.Fragment
  /** Conditions that an index of the order contains, so a scan reads no other rows. */
  readonly within: Statement.Fragment
  readonly key: Statement.Fragment
}

const whole = (rows: ReadonlyArray<ConversationWithContact>): Found => ({ rows, resume: null })

/**
 * Reads a page of conversations in time that does not grow with the organization. Scans along the order of the list, with a limit. Rare matches are
 * read by their own index and sorted.
 */
export const conversationLists = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(conversationColumns)

  const withinOrder = ({ assignee, awaitingReply, sort, statuses, unread }: ConversationQuery): Statement.Fragment => {
    if (sort.endsWith("createdAt")) return sql`TRUE`
    if (unread === true) return sql`c.inbound_count > c.read_count`
    const areUnresolved = awaitingReply === true || (statuses !== null && !statuses.includes("resolved"))
    if (assignee !== null && areUnresolved) {
      return assignee === "none"
        ? sql`c.assignee_id IS NULL AND c.status <> 'resolved'`
        : sql`c.assignee_id = ${assignee} AND c.status <> 'resolved'`
    }
    const [only] = statuses ?? []
    if (statuses?.length === 1 && only !== undefined) return sql`c.status = ${only}`
    return areUnresolved ? sql`c.status <> 'resolved'` : sql`TRUE`
  }

  const ranksOf = (query: ConversationQuery): ReadonlyArray<Rank> => {
    const { awaitingReply, priorities, sort } = query
    const byActivity = { within: withinOrder(query), key: sql`c.last_activity_at` }
    switch (sort) {
      case "waitingSince": {
        const isWaiting = sql`c.waiting_since IS NOT NULL`
        const waiting = { name: "0", when: isWaiting, within: isWaiting, key: sql`c.waiting_since` }
        const others = { name: "1", when: sql`c.waiting_since IS NULL`, ...byActivity }
        return awaitingReply === null ? [waiting, others] : [awaitingReply ? waiting : others]
      }
      case "priority":
        return prioritiesByUrgency.flatMap((priority, rank) => {
          if (priorities !== null && !priorities.includes(priority)) return []
          const when = sql`c.priority = ${sql.literal(`'${priority}'`)}`
          const prioritized = { ...byActivity, within: sql`${when} AND c.priority <> 'none'` }
          return [{ name: String(rank), when, ...(priority === "none" ? byActivity : prioritized) }]
        })
      case "createdAt":
      case "-createdAt":
        return [{ name: null, when: sql`TRUE`, within: withinOrder(query), key: sql`c.created_at` }]
      case "lastActivityAt":
      case "-lastActivityAt":
        return [{ name: null, when: sql`TRUE`, ...byActivity }]
    }
  }

  const meeting = (query: ConversationQuery, { when }: Rank): Statement.Fragment => {
    const { assignee, awaitingReply, chatAccountId, contactId, labels, priorities, statuses, unread } = query
    return sql.and([
      when,
      ...(awaitingReply === null
        ? []
        : [awaitingReply ? sql`c.waiting_since IS NOT NULL` : sql`c.waiting_since IS NULL`]),
      ...(statuses === null ? [] : [sql`c.status = ANY(${Array.from(statuses)}::text[])`]),
      ...(assignee === null
        ? []
        : [assignee === "none" ? sql`c.assignee_id IS NULL` : sql`c.assignee_id = ${assignee}::uuid`]),
      ...(unread === null ? [] : [unread ? sql`c.inbound_count > c.read_count` : sql`c.inbound_count <= c.read_count`]),
      ...(priorities === null ? [] : [sql`c.priority = ANY(${Array.from(priorities)}::text[])`]),
      ...(labels === null ? [] : [sql`c.labels && ${Array.from(labels)}::text[] AND c.labels <> '{}'`]),
      ...(chatAccountId === null ? [] : [sql`c.chat_account_id = ${chatAccountId}::uuid`]),
      ...(contactId === null ? [] : [sql`c.contact_id = ${contactId}::uuid`])
    ])
  }

  /** For one conversation this reads its own messages. The word index would search all messages. */
  const saying = (organizationId: OrganizationId, { words }: ConversationQuery): Statement.Fragment =>
    words === null
      ? sql``
      : sql`CROSS JOIN LATERAL (
          SELECT 1 FROM messages AS m WHERE m.organization_id = ${organizationId} AND m.conversation_id = c.id
            AND (m.words || ''::tsvector) @@ ${wordsQuery(words)}::tsquery LIMIT 1) AS matches`

  const listRank = Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    query: ConversationQuery,
    rank: Rank,
    { after, limit }: Slice
  ) {
    const { contactId, labels, sort, words } = query
    const { key, within } = rank
    const isDown = isDescending(sort, rank.name)
    const direction = sql.literal(isDown ? "DESC" : "ASC")
    const order = sql`${key} ${direction}, c.id ${direction}`
    const [time, id] = after ?? []
    const beyond =
      time === undefined || id === undefined
        ? sql`TRUE`
        : sql`(${key}, c.id) ${sql.literal(isDown ? "<" : ">")} (${time}::timestamptz, ${id}::uuid)`
    const meets = meeting(query, rank)

    const page = Effect.fnUntraced(function* (source: Statement.Fragment) {
      // Not sorted before the limit: a sort would read the whole scan first.
      const rows = yield* sql<ConversingRow>`
        WITH c AS MATERIALIZED (${source})
        SELECT ${columns}, p.name AS "contactName", p.phone AS "contactPhone",
          p.identities AS "contactIdentities", ${providerOf(sql, organizationId)},
          ${freeUntilOf(sql, organizationId)} FROM c
        LEFT JOIN LATERAL (
          SELECT name, phone, identities FROM contacts AS p WHERE p.organization_id = ${organizationId} AND p.id = c.contact_id LIMIT 1
        ) AS p ON TRUE
        ORDER BY ${order}`.unprepared
      return rows.map(conversingOf)
    })

    const inOrder = (most: number) => sql`
      SELECT * FROM conversations AS c WHERE c.organization_id = ${organizationId}
        AND ${within} AND ${beyond} ORDER BY ${order} LIMIT ${most}`
    const walk = (most: number) =>
      page(sql`SELECT c.* FROM (${inOrder(most)}) AS c ${saying(organizationId, query)} WHERE ${meets} LIMIT ${limit}`)
    /** Position where a scan of this length stops; `null` if it reaches the end before. */
    const turnAfter = Effect.fnUntraced(function* (most: number) {
      const [turn] = yield* sql<{ readonly at: Instant; readonly id: ConversationId }>`
        SELECT ${key} AS at, c.id FROM (${inOrder(most)}) AS c OFFSET ${most - 1} LIMIT 1`.unprepared
      return turn === undefined ? null : [DateTime.formatIso(utc(turn.at)), turn.id]
    })
    const among = (ids: ReadonlyArray<ConversationId>, condition: Statement.Fragment) =>
      page(sql`SELECT c.* FROM conversations AS c ${condition} WHERE c.organization_id = ${organizationId}
        AND c.id = ANY(${Array.from(ids)}::uuid[]) AND ${meets} AND ${beyond} ORDER BY ${order} LIMIT ${limit}`)

    /** The word that the fewest conversations of a scan contain; `null` if that word is frequent, too. */
    const rareWord = Effect.fnUntraced(function* (spoken: ReadonlyArray<string>) {
      const each = (of: (word: string, place: number) => Statement.Fragment) => sql.join(", ", false)(spoken.map(of))
      const [row] = yield* sql<{ readonly counts: ReadonlyArray<number> }>`
        SELECT ARRAY[${each((_, place) => sql`count(*) FILTER (WHERE s.matches[${place + 1}::integer])`)}]::integer[] AS counts
        FROM (${inOrder(scan)}) AS c CROSS JOIN LATERAL (
          SELECT ARRAY[${each((word) => sql`bool_or(m.words @@ ${wordsQuery([word])}::tsquery)`)}] AS matches FROM messages AS m
          WHERE m.organization_id = ${organizationId} AND m.conversation_id = c.id) AS s`.unprepared
      const [rarest] = spoken
        .map((word, place) => ({ word, count: row?.counts[place] ?? 0 }))
        .toSorted((one, other) => one.count - other.count)
      return rarest === undefined || rarest.count > mostSaying ? null : rarest.word
    })

    /** All possible matches, from the index that contains them; `null` if they exceed the limit. */
    const gathered = Effect.fnUntraced(function* (rare: string | null) {
      const found =
        contactId !== null
          ? sql`SELECT c.id FROM conversations AS c
              WHERE c.organization_id = ${organizationId} AND c.contact_id = ${contactId}::uuid`
          : rare !== null
            ? sql`SELECT m.conversation_id AS id FROM messages AS m
                WHERE m.organization_id = ${organizationId} AND m.words @@ ${wordsQuery([rare])}::tsquery
                  AND (m.words || ''::tsvector) @@ ${wordsQuery(words ?? [])}::tsquery`
            : sql`SELECT c.id FROM conversations AS c WHERE c.organization_id = ${organizationId}
                AND c.labels && ${Array.from(labels ?? [])}::text[] AND c.labels <> '{}'`
      const [row] = yield* sql<{ readonly count: number; readonly ids: ReadonlyArray<ConversationId> }>`
        WITH found AS MATERIALIZED (SELECT id FROM (${found}) AS f LIMIT ${mostGathered + 1})
        SELECT (SELECT count(*)::integer FROM found) AS count, ARRAY(SELECT DISTINCT id FROM found) AS ids`.unprepared
      if (row === undefined || row.count > mostGathered) return null
      return yield* among(row.ids, contactId === null ? sql`` : saying(organizationId, query))
    })

    if (contactId !== null) {
      const rows = yield* gathered(null)
      if (rows !== null) return whole(rows)
    } else if (words !== null || labels !== null) {
      const near = yield* walk(scan)
      if (near.length === limit || (yield* turnAfter(scan)) === null) return whole(near)
      // Few conversations are read individually: the index would search the messages of all organizations.
      if (words !== null && (yield* turnAfter(furthest)) === null) return whole(yield* walk(furthest))
      const rare = words === null ? null : yield* rareWord(words)
      const rows = words !== null && rare === null ? null : yield* gathered(rare)
      if (rows !== null) return whole(rows)
    }
    const rows = yield* walk(furthest)
    return rows.length === limit ? whole(rows) : { rows, resume: yield* turnAfter(furthest) }
  })

  return Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    query: ConversationQuery,
    { after, limit }: Slice
  ) {
    const ranks = ranksOf(query)
    if (ranks[0]?.name === null) return yield* listRank(organizationId, query, ranks[0], { after, limit })
    const [reached = "", ...place] = after ?? []
    const found: Array<ConversationWithContact> = []
    for (const rank of ranks) {
      const name = rank.name ?? ""
      if (name < reached) continue
      const slice = { after: after !== null && name === reached ? place : null, limit: limit - found.length }
      const { resume, rows } = yield* listRank(organizationId, query, rank, slice)
      found.push(...rows)
      if (resume !== null) return { rows: found, resume: [name, ...resume] } satisfies Found
      if (found.length >= limit) break
    }
    return whole(found)
  })
}
