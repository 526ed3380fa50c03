import type { OrganizationId, Slice } from "@parley/domain/kernel"
import type { ContactId } from "@parley/domain/crm"
import type { ConversationId, FoundMessages, MessageId, MessageQuery } from "@parley/domain/messaging"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { messageColumns, messageOf, type MessageRow } from "./messageRow.ts"
import { wordsQuery } from "./messageWords.ts"

/** Number of messages, newest first, that are scanned before the word index is used. */
const scan = 2_000

/** Maximum number of messages that one page scans. The next page resumes from there. */
const furthest = 10_000

/** Maximum number of messages from the index that are sorted. */
const mostGathered = 4_000

/** The index is used for at most this number of matches in a scan. The index returns all matches before the first is read. */
const mostInScan = 20

interface ContactRow {
  readonly conversationId: ConversationId
  readonly id: ContactId
  readonly name: string | null
  readonly phone: string | null
}

/** Searches messages by words in time that does not grow with the organization. */
export const messageSearch = (sql: SqlClient.SqlClient) => {
  /** Messages with these ids and their contacts, newest first. */
  const read = Effect.fnUntraced(function* (organizationId: OrganizationId, ids: ReadonlyArray<MessageId>) {
    if (ids.length === 0) return []
    const rows = yield* sql<MessageRow>`
      SELECT ${sql.literal(messageColumns)} FROM messages
      WHERE organization_id = ${organizationId} AND id = ANY(${Array.from(ids)}::uuid[]) ORDER BY id DESC`
    const messages = rows.map(messageOf)
    const conversations = [...new Set(messages.map(({ conversationId }) => conversationId))]
    const contacts = yield* sql<ContactRow>`
      SELECT c.id AS "conversationId", p.id, p.name, p.phone FROM conversations AS c
      JOIN contacts AS p ON p.organization_id = ${organizationId} AND p.id = c.contact_id
      WHERE c.organization_id = ${organizationId} AND c.id = ANY(${conversations}::uuid[])`
    const whose = new Map(contacts.map(({ conversationId, ...contact }) => [conversationId, contact]))
    return messages.flatMap((message) => {
      const contact = whose.get(message.conversationId)
      return contact === undefined ? [] : [{ message, contact }]
    })
  })

  return Effect.fnUntraced(function* (organizationId: OrganizationId, query: MessageQuery, { after, limit }: Slice) {
    const { contactId, conversationId, direction, from, to, words } = query
    const own = sql`m.organization_id = ${organizationId}`
    const [last] = after ?? []
    const beyond = last === undefined ? sql`TRUE` : sql`m.id < ${last}::uuid`
    const input = wordsQuery(words)
    const meets = sql.and([
      beyond,
      ...(direction === null ? [] : [sql`m.direction = ${direction}`]),
      ...(from === null ? [] : [sql`m.at >= ${stamp(from)}`]),
      ...(to === null ? [] : [sql`m.at < ${stamp(to)}`])
    ])
    /** For one message. The word index would search all messages. */
    const says = sql`(m.words || ''::tsvector) @@ ${input}::tsquery`
    const idsOf = (statement: Statement.Statement<{ readonly id: MessageId }>) =>
      Effect.map(statement.unprepared, (rows) => rows.map(({ id }) => id))
    const whole = (ids: ReadonlyArray<MessageId>) =>
      Effect.map(read(organizationId, ids), (rows): FoundMessages => ({ rows, resume: null }))

    if (conversationId !== null || contactId !== null) {
      const conversations = sql.and([
        sql`c.organization_id = ${organizationId}`,
        ...(conversationId === null ? [] : [sql`c.id = ${conversationId}::uuid`]),
        ...(contactId === null ? [] : [sql`c.contact_id = ${contactId}::uuid`])
      ])
      const ids = yield* idsOf(sql`
        SELECT m.id FROM messages AS m WHERE ${own} AND ${says} AND ${meets}
          AND m.conversation_id = ANY(ARRAY(SELECT c.id FROM conversations AS c WHERE ${conversations}))
        ORDER BY m.id DESC LIMIT ${limit}`)
      return yield* whole(ids)
    }

    const inOrder = (most: number) =>
      sql`SELECT * FROM messages AS m WHERE ${own} AND ${beyond} ORDER BY m.id DESC LIMIT ${most}`
    const walk = (most: number) =>
      idsOf(sql`SELECT m.id FROM (${inOrder(most)}) AS m WHERE ${says} AND ${meets} LIMIT ${limit}`)
    const turnAfter = Effect.fnUntraced(function* (most: number) {
      const [turn] = yield* idsOf(sql`SELECT m.id FROM (${inOrder(most)}) AS m OFFSET ${most - 1} LIMIT 1`)
      return turn === undefined ? null : [turn]
    })

    const near = yield* walk(scan)
    if (near.length === limit || (yield* turnAfter(scan)) === null) return yield* whole(near)
    if (near.length <= mostInScan) {
      const [gathered] = yield* sql<{ readonly count: number; readonly ids: ReadonlyArray<MessageId> }>`
        WITH found AS MATERIALIZED (
          SELECT m.id FROM messages AS m WHERE ${own} AND m.words @@ ${input}::tsquery AND ${meets} LIMIT ${mostGathered + 1})
        SELECT (SELECT count(*)::integer FROM found) AS count,
          ARRAY(SELECT id FROM found ORDER BY id DESC LIMIT ${limit}) AS ids`.unprepared
      if (gathered !== undefined && gathered.count <= mostGathered) return yield* whole(gathered.ids)
    }
    const far = yield* walk(furthest)
    const rows = yield* read(organizationId, far)
    return { rows, resume: far.length === limit ? null : yield* turnAfter(furthest) } satisfies FoundMessages
  })
}
