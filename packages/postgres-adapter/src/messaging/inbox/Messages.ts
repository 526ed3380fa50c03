import { NotFound, type OrganizationId, type Slice } from "@parley/domain/kernel"
import {
  type ChatAccountId,
  type ConversationId,
  type EarlyReceipt,
  type MessageId,
  Messages,
  systemAuthor
} from "@parley/domain/messaging"
import { deferToNext } from "@parley/pg-pipeline"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { advisoryKey } from "../../kernel/advisoryKey.ts"
import { type Instant, stamp, utc } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"
import type { Recorded } from "../../rendering/rendering.ts"
import { instant } from "./instant.ts"
import { messageRendering } from "./messageRendering.ts"
import { messageRefold } from "./messageRefold.ts"
import { messageSearch } from "./messageSearch.ts"
import {
  messageColumns,
  messageFields,
  messageOf,
  messageRecord,
  messageRecordOf,
  type MessageRow,
  progressRecord,
  progressRecordOf,
  renderedMessage
} from "./messageRow.ts"

/** Days that a receipt waits for its message. After that, the message is not one of ours. */
const earlyDays = 30

/** Maximum number of receipts without a message that one statement removes. */
const mostForgotten = 100

interface RenderedMessageRow extends Recorded, Pick<MessageRow, "at" | "id"> {}

type EarlyPricing = NonNullable<EarlyReceipt["pricing"]>

interface EarlyPricingRow extends Omit<EarlyPricing, "freeEntryPointExpiresAt"> {
  readonly freeEntryPointExpiresAt?: string
}

interface EarlyRow extends Omit<EarlyReceipt, "at" | "pricing"> {
  readonly at: Instant
  readonly pricing: EarlyPricingRow | null
}

const earlyPricingOf = ({ freeEntryPointExpiresAt: until, ...pricing }: EarlyPricingRow): EarlyPricing =>
  until === undefined ? pricing : { ...pricing, freeEntryPointExpiresAt: DateTime.makeUnsafe(until) }

export const layer = Layer.effect(
  Messages,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(messageColumns)
    const fields = sql.literal(messageFields)
    const refold = messageRefold(sql)
    const search = messageSearch(sql)
    const render = messageRendering()
    const listed = (organizationId: OrganizationId, conversationId: ConversationId, { after, limit }: Slice) => {
      const [at, id] = after ?? []
      return sql`FROM messages WHERE organization_id = ${organizationId} AND conversation_id = ${conversationId}
        ${at === undefined || id === undefined ? sql`` : sql`AND (at, id) < (${at}::timestamptz, ${id}::uuid)`}
        ORDER BY at DESC, id DESC LIMIT ${limit}`
    }
    // Callers that set provider ids share this lock. A caller that stores receipts without a message holds it exclusively.
    const naming = (organizationId: OrganizationId, chatAccountId: ChatAccountId) =>
      advisoryKey(sql, "earlyReceipts", organizationId, chatAccountId)

    return tenantPort(Messages, {
      get: Effect.fnUntraced(function* (organization, conversationId, id) {
        const [row] = yield* sql<MessageRow>`
          SELECT ${columns} FROM messages
          WHERE organization_id = ${organization.id} AND id = ${id} AND conversation_id = ${conversationId}`
        return row === undefined ? yield* new NotFound({ resource: "message" }) : messageOf(row)
      }),
      list: Effect.fnUntraced(function* (organization, conversationId, slice) {
        const rows = yield* sql<MessageRow>`SELECT ${columns} ${listed(organization.id, conversationId, slice)}`
        return rows.map(messageOf)
      }),
      render: Effect.fnUntraced(function* (organization, conversationId, slice) {
        const rows = yield* sql<RenderedMessageRow>`
          SELECT ${sql.literal(renderedMessage)} AS record, at, id ${listed(organization.id, conversationId, slice)}`
        return render(rows, ({ at, id }) => [DateTime.formatIso(utc(at)), id])
      }),
      automatedSince: Effect.fnUntraced(function* (organization, contactId, since, limit) {
        const rows = yield* sql<{ readonly at: Instant }>`
          SELECT m.at FROM conversations AS c JOIN messages AS m ON m.organization_id = ${organization.id}
            AND m.conversation_id = c.id
          WHERE c.organization_id = ${organization.id} AND c.contact_id = ${contactId} AND m.at > ${stamp(since)}
            AND m.author_kind = 'automation' AND m.direction = 'outbound' AND m.author_id <> ${systemAuthor.id}
          ORDER BY m.at DESC LIMIT ${limit}`
        return rows.map(({ at }) => utc(at))
      }),
      search: Effect.fnUntraced(function* (organization, query, slice) {
        return yield* search(organization.id, query, slice)
      }),
      refold: Effect.fnUntraced(function* (organization, limit) {
        return yield* refold(organization.id, limit)
      }),
      lock: Effect.fnUntraced(function* (organization, chatAccountId, ids) {
        if (ids.length === 0) return []
        const rows = yield* sql<MessageRow>`
          SELECT ${columns} FROM messages
          WHERE organization_id = ${organization.id} AND chat_account_id = ${chatAccountId}
            AND id = ANY(${Array.from(ids)}::uuid[])
          ORDER BY id FOR NO KEY UPDATE`
        return rows.map(messageOf)
      }),
      lockByProvider: Effect.fnUntraced(function* (organization, chatAccountId, providerMessageIds) {
        if (providerMessageIds.length === 0) return []
        const rows = yield* sql<MessageRow>`
          SELECT ${columns} FROM messages
          WHERE organization_id = ${organization.id} AND chat_account_id = ${chatAccountId}
            AND provider_message_id = ANY(${Array.from(providerMessageIds)}::text[])
          ORDER BY id FOR NO KEY UPDATE`
        return rows.map(messageOf)
      }),
      insert: Effect.fnUntraced(function* (organization, chatAccountId, messages, answered) {
        if (messages.length === 0) return []
        const records = messages.map((message) => messageRecordOf(chatAccountId, message, answered?.get(message.id)))
        // Messages are inserted in one order to prevent deadlocks.
        const added = yield* sql<{ readonly id: MessageId }>`
          INSERT INTO messages (organization_id, ${fields}, words)
          SELECT ${organization.id}::uuid, ${fields}, array_to_tsvector(words)
          FROM json_to_recordset(${PgTypes.json(records)}) AS s (${sql.literal(messageRecord)})
          ORDER BY provider_message_id
          ON CONFLICT (organization_id, chat_account_id, provider_message_id) WHERE provider_message_id IS NOT NULL
          DO NOTHING RETURNING id`
        return added.map(({ id }) => id)
      }),
      saveAll: Effect.fnUntraced(function* (organization, _, messages, endings) {
        if (messages.length === 0) return
        const records = messages.map((message) => progressRecordOf(message, endings?.get(message.id)))
        yield* sql`
          UPDATE messages AS m SET status = s.status, error = s.error, details = s.details, pricing = s.pricing,
            provider_message_id = s.provider_message_id, sent_at = s.sent_at, delivered_at = s.delivered_at,
            read_at = s.read_at, played_at = s.played_at, failed_at = s.failed_at, recipient = s.recipient,
            answered_wait_since = CASE WHEN s.ends THEN s.answered_wait_since ELSE m.answered_wait_since END,
            wait_number = CASE WHEN s.ends THEN s.wait_number ELSE m.wait_number END
          FROM json_to_recordset(${PgTypes.json(records)}) AS s (${sql.literal(progressRecord)})
          WHERE m.organization_id = ${organization.id} AND m.id = s.id`.pipe(deferToNext)
      }),
      storeEarly: Effect.fnUntraced(function* (organization, chatAccountId, receipts, now) {
        if (receipts.length === 0) return 0
        const records = receipts.map(({ at, error, pricing, providerMessageId, status }) => ({
          provider_message_id: providerMessageId,
          status,
          at: instant(at),
          error,
          pricing
        }))
        yield* sql`SELECT FROM pg_advisory_xact_lock(${naming(organization.id, chatAccountId)})`
        // A separate statement: it must see the provider ids that previous lock holders stored.
        const kept = yield* sql`
          WITH forgotten AS (
            DELETE FROM early_receipts WHERE organization_id = ${organization.id} AND id IN (
              SELECT id FROM early_receipts
              WHERE organization_id = ${organization.id} AND stored_at < ${stamp(DateTime.subtract(now, { days: earlyDays }))}
              ORDER BY stored_at LIMIT ${mostForgotten} FOR UPDATE SKIP LOCKED)
          )
          INSERT INTO early_receipts (organization_id, chat_account_id, stored_at, provider_message_id, status, at, error, pricing)
          SELECT ${organization.id}::uuid, ${chatAccountId}::uuid, ${stamp(now)}::timestamptz, s.*
          FROM json_to_recordset(${PgTypes.json(records)}) AS s (provider_message_id text, status text, at timestamptz,
            error json, pricing json)
          WHERE NOT EXISTS (
            SELECT FROM messages WHERE organization_id = ${organization.id} AND chat_account_id = ${chatAccountId}
              AND provider_message_id = s.provider_message_id
          ) RETURNING 1`
        return kept.length
      }),
      removeEarly: Effect.fnUntraced(function* (organization, chatAccountId, providerMessageIds) {
        if (providerMessageIds.length === 0) return []
        yield* sql`SELECT FROM pg_advisory_xact_lock_shared(${naming(organization.id, chatAccountId)})`.pipe(
          deferToNext
        )
        const rows = yield* sql<EarlyRow>`
          DELETE FROM early_receipts WHERE organization_id = ${organization.id} AND chat_account_id = ${chatAccountId}
            AND provider_message_id = ANY(${Array.from(providerMessageIds)}::text[])
          RETURNING provider_message_id AS "providerMessageId", status, at, error, pricing`
        return rows.map(({ at, pricing, ...row }) => ({
          ...row,
          at: utc(at),
          ...(pricing !== null && { pricing: earlyPricingOf(pricing) })
        }))
      })
    })
  })
)
