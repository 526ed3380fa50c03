import { NotFound, type OrganizationId } from "@parley/domain/kernel"
import type { ContactId } from "@parley/domain/crm"
import {
  type Conversation,
  type ConversationCounts,
  ConversationExists,
  type ConversationId,
  Conversations
} from "@parley/domain/messaging"
import { deferToNext } from "@parley/pg-pipeline"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { unlessTaken } from "../../crm/unlessTaken.ts"
import { isAmong, isOneOf } from "../../kernel/isOneOf.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"
import { conversationLists } from "./conversationLists.ts"
import {
  conversationColumns,
  conversationOf,
  type ConversationRow,
  conversingOf,
  type ConversingRow,
  freeUntilOf,
  providerOf,
  windowsOf,
  type WindowsRow,
  writtenRecord,
  writtenRecordOf
} from "./conversationRow.ts"
import { conversationChange, conversationRecordset } from "./conversationChange.ts"
import { involvedConversations } from "./involvedConversations.ts"
import { resolvedTally } from "./resolvedTally.ts"

const isResolved = ({ status }: Conversation) => status === "resolved"

const pairOf = ({ chatAccountId, contactId }: Pick<Conversation, "chatAccountId" | "contactId">) =>
  `${contactId} ${chatAccountId}`

const columnsOf = (conversations: ReadonlyArray<Pick<Conversation, "chatAccountId" | "contactId">>) => ({
  contacts: conversations.map(({ contactId }) => contactId),
  accounts: conversations.map(({ chatAccountId }) => chatAccountId)
})

export const layer = Layer.effect(
  Conversations,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(conversationColumns)
    const recordset = conversationRecordset(sql)
    const list = conversationLists(sql)

    /** Unresolved conversation that conflicts with these: an existing one, or another one of them. */
    const inTheWay = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      conversations: ReadonlyArray<Conversation>
    ) {
      const unresolved = conversations.filter((each) => !isResolved(each))
      const { accounts, contacts } = columnsOf(unresolved)
      const ids = conversations.map(({ id }) => id)
      const [other] = yield* sql<{ readonly id: ConversationId }>`
        SELECT c.id FROM unnest(${contacts}::uuid[], ${accounts}::uuid[]) AS pair (contact_id, chat_account_id)
        JOIN conversations AS c USING (contact_id, chat_account_id)
        WHERE c.organization_id = ${organizationId} AND c.status <> 'resolved' AND NOT c.id = ANY(${ids}::uuid[]) LIMIT 1`
      const twin = unresolved.find((one) =>
        unresolved.some((another) => another.id !== one.id && pairOf(another) === pairOf(one))
      )
      return other?.id ?? twin?.id ?? null
    })

    const unlessExists = Effect.fnUntraced(function* <A>(
      organizationId: OrganizationId,
      conversations: ReadonlyArray<Conversation>,
      statement: Effect.Effect<A, SqlError.SqlError>
    ) {
      while (true) {
        const done = yield* unlessTaken(sql, "conversations_unresolved_pair", statement)
        if (done !== null) return done
        const conversationId = yield* inTheWay(organizationId, conversations)
        if (conversationId !== null) return yield* new ConversationExists({ conversationId })
        // It was resolved concurrently, so the conflict is gone.
      }
    })

    const add = (organizationId: OrganizationId, conversations: ReadonlyArray<Conversation>) => sql`
      WITH added AS (
        INSERT INTO conversations (organization_id, id, contact_id, chat_account_id, status, priority, assignee_id,
          snoozed_until, labels, inbound_count, read_count, last_message, last_inbound_at, window_expires_at, resolved_at,
          last_activity_at, created_at, updated_at, version, recipient, recipient_at, other_windows,
          waiting_since, first_replied_at, first_reply_id, wait_number, episode, episode_started_at, episode_resolved_at,
          episode_resolver_kind, episode_resolver_id)
        SELECT ${organizationId}::uuid, s.* FROM ${recordset(conversations)} ORDER BY contact_id, chat_account_id
      ),
      ${resolvedTally(sql, organizationId, sql`SELECT ${conversations.filter(isResolved).length}::integer AS by`)}
      SELECT`

    const change = conversationChange(sql)
    const involved = involvedConversations(sql)

    return tenantPort(Conversations, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<ConversingRow>`
          SELECT ${columns}, p.name AS "contactName", p.phone AS "contactPhone", p.identities AS "contactIdentities", 
            ${providerOf(sql, organization.id)}, ${freeUntilOf(sql, organization.id)}
          FROM conversations AS c
          LEFT JOIN contacts AS p ON p.organization_id = c.organization_id AND p.id = c.contact_id
          WHERE c.organization_id = ${organization.id} AND c.id = ${id}`
        return row === undefined ? yield* new NotFound({ resource: "conversation" }) : conversingOf(row)
      }),
      lock: Effect.fnUntraced(function* (organization, ids) {
        if (ids.length === 0) return []
        const rows = yield* sql<ConversationRow>`
          SELECT ${columns} FROM conversations AS c
          WHERE c.organization_id = ${organization.id} AND ${isOneOf(sql, "c.id", ids)} ORDER BY c.id FOR UPDATE`
        return rows.map(conversationOf)
      }),
      lockFree: Effect.fnUntraced(function* (organization, ids) {
        if (ids.length === 0) return []
        const rows = yield* sql<ConversationRow>`
          SELECT ${columns} FROM conversations AS c
          WHERE c.organization_id = ${organization.id} AND ${ids.length === 1 ? isOneOf(sql, "c.id", ids) : isAmong(sql, "c.id", ids)}
          ORDER BY c.id FOR UPDATE SKIP LOCKED`
        return rows.map(conversationOf)
      }),
      lockLatest: Effect.fnUntraced(function* (organization, pairs) {
        return (yield* involved(organization.id, pairs, [])).latest
      }),
      lockInvolved: Effect.fnUntraced(function* (organization, pairs, receipted) {
        return yield* involved(organization.id, pairs, receipted)
      }),
      list: Effect.fnUntraced(function* (organization, query, slice) {
        return yield* list(organization.id, query, slice)
      }),
      windows: Effect.fnUntraced(function* (organization, chatAccountId, contactIds) {
        const rows = yield* sql<WindowsRow>`
          SELECT contact_id AS "contactId", recipient, window_expires_at AS "windowExpiresAt",
            other_windows AS "otherWindows"
          FROM conversations
          WHERE organization_id = ${organization.id} AND contact_id = ANY(${Array.from(contactIds)}::uuid[])
            AND chat_account_id = ${chatAccountId}
            AND (window_expires_at IS NOT NULL OR json_array_length(other_windows) > 0)`
        return rows.map(windowsOf)
      }),
      talking: Effect.fnUntraced(function* (organization, chatAccountId, contactIds) {
        const rows = yield* sql<{ readonly contactId: ContactId }>`
          SELECT contact_id AS "contactId" FROM conversations
          WHERE organization_id = ${organization.id} AND contact_id = ANY(${Array.from(contactIds)}::uuid[])
            AND chat_account_id = ${chatAccountId} AND status <> 'resolved'`
        return new Set(rows.map(({ contactId }) => contactId))
      }),
      counts: Effect.fnUntraced(function* (organization, me) {
        const unresolved = sql`FROM conversations WHERE organization_id = ${organization.id} AND status <> 'resolved'`
        const having = (status: "open" | "pending" | "snoozed") =>
          sql`(SELECT count(*)::integer FROM conversations
            WHERE organization_id = ${organization.id} AND status = ${sql.literal(`'${status}'`)})`
        const [row] = yield* sql<ConversationCounts>`
          SELECT ${having("open")} AS open, ${having("pending")} AS pending, ${having("snoozed")} AS snoozed,
            (SELECT coalesce(sum(resolved), 0)::integer FROM conversation_counts
              WHERE organization_id = ${organization.id}) AS resolved,
            ${me === null ? sql`0` : sql`(SELECT count(*)::integer ${unresolved} AND assignee_id = ${me})`} AS mine,
            (SELECT count(*)::integer ${unresolved} AND assignee_id IS NULL) AS unassigned,
            (SELECT count(*)::integer ${unresolved} AND inbound_count > read_count) AS unread`
        return row ?? (yield* Effect.die(new Error("A statement that gives a row gave none.")))
      }),
      insert: Effect.fnUntraced(function* (organization, conversations) {
        if (conversations.length === 0) return
        yield* unlessExists(organization.id, conversations, add(organization.id, conversations))
      }),
      saveAll: Effect.fnUntraced(function* (organization, conversations) {
        if (conversations.length === 0) return []
        // Resolved conversations are stored first, because they free the place of others.
        const parts = [conversations.filter(isResolved), conversations.filter((each) => !isResolved(each))]
        const saved = yield* unlessExists(
          organization.id,
          conversations,
          Effect.forEach(
            parts.filter(({ length }) => length > 0),
            (part) => change(organization.id, part)
          )
        )
        return saved.flat().map((row) => conversationOf(row))
      }),
      saveWritten: Effect.fnUntraced(function* (organization, conversations) {
        if (conversations.length === 0) return
        const records = conversations.map(writtenRecordOf)
        yield* sql`
          UPDATE conversations AS c SET last_message = s.last_message, last_activity_at = s.last_activity_at,
            updated_at = s.updated_at, read_count = s.read_count, recipient = s.recipient, recipient_at = s.recipient_at,
            version = c.version + 1
          FROM json_to_recordset(${PgTypes.json(records)}) AS s (${sql.literal(writtenRecord)})
          WHERE c.organization_id = ${organization.id} AND c.id = s.id`.pipe(deferToNext)
      })
    })
  })
)
