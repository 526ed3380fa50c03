import { unvalidated } from "@parley/domain/kernel"
import {
  type ChatAccountId,
  type EndedWait,
  Message,
  type MessagePricing,
  searchableText
} from "@parley/domain/messaging"
import { DateTime } from "effect"
import { type Instant, utc, utcOrNull } from "../../kernel/columns.ts"
import { instant } from "./instant.ts"
import { spokenWords } from "./messageWords.ts"

type Times =
  | "at"
  | "sentAt"
  | "deliveredAt"
  | "readAt"
  | "playedAt"
  | "failedAt"
  | "editedAt"
  | "revokedAt"
  | "createdAt"

interface PricingRow extends Omit<MessagePricing, "at" | "freeEntryPointExpiresAt"> {
  readonly at: string
  readonly freeEntryPointExpiresAt: string | null
}

const pricingOf = ({ at, freeEntryPointExpiresAt: until, ...pricing }: PricingRow): MessagePricing => ({
  ...pricing,
  freeEntryPointExpiresAt: until === null ? null : DateTime.makeUnsafe(until),
  at: DateTime.makeUnsafe(at)
})

export interface MessageRow extends Omit<Message, Times | "author" | "pricing"> {
  readonly authorKind: Message["author"]["kind"]
  readonly authorId: string
  readonly authorRunId: string | null
  readonly at: Instant
  readonly sentAt: Instant | null
  readonly deliveredAt: Instant | null
  readonly readAt: Instant | null
  readonly playedAt: Instant | null
  readonly failedAt: Instant | null
  readonly editedAt: Instant | null
  readonly revokedAt: Instant | null
  readonly pricing: PricingRow | null
  readonly createdAt: Instant
}

/** Author of a message or an entry of a timeline. */
export const authorOf = (row: Pick<MessageRow, "authorKind" | "authorId" | "authorRunId">): Message["author"] => ({
  kind: row.authorKind,
  id: row.authorId,
  ...(row.authorRunId !== null && { runId: row.authorRunId })
})

/** The only time in this column. */
const interactiveOf = (stored: Message["interactive"]): Message["interactive"] => {
  if (stored?.type !== "reply" || stored.callPermission === undefined) return stored
  const { expiresAt } = stored.callPermission
  return {
    ...stored,
    callPermission: { ...stored.callPermission, expiresAt: expiresAt === null ? null : DateTime.makeUnsafe(expiresAt) }
  }
}

const changedBy = (kind: "edit" | "revocation") => `(
    SELECT ${kind === "edit" ? "max" : "min"}(change.at) FROM messages AS change
    WHERE change.organization_id = messages.organization_id AND change.chat_account_id = messages.chat_account_id
      AND change.reply_to_provider_id = messages.provider_message_id
      AND change.conversation_id = messages.conversation_id AND change.kind = '${kind}'
      AND change.direction = messages.direction
  )`

const editedAt = changedBy("edit")
const revokedAt = changedBy("revocation")

const replyToId = `CASE WHEN reply_to_provider_id IS NULL THEN reply_to_id ELSE (
    SELECT answered.id FROM messages AS answered
    WHERE answered.organization_id = messages.organization_id AND answered.chat_account_id = messages.chat_account_id
      AND answered.provider_message_id = messages.reply_to_provider_id
      AND answered.conversation_id = messages.conversation_id
  ) END`

export const messageColumns = `id, conversation_id AS "conversationId", direction, kind, text, media, template, interactive,
  location, contacts, order_items AS "order", referral, details, raw, pricing, ${editedAt} AS "editedAt",
  ${revokedAt} AS "revokedAt", ${replyToId} AS "replyToId", author_kind AS "authorKind", author_id AS "authorId", author_run_id AS "authorRunId", recipient, status, error,
  provider_message_id AS "providerMessageId", at, sent_at AS "sentAt", delivered_at AS "deliveredAt", read_at AS "readAt", played_at AS "playedAt",
  failed_at AS "failedAt", created_at AS "createdAt"`

/** Columns that a message is rendered from. */
export const renderedMessage = `record_send(ROW(id, conversation_id, direction, kind, text, media, template, interactive, location, contacts,
  order_items, referral, details, raw, ${replyToId}, author_kind, author_id, author_run_id, recipient, status, error, pricing, provider_message_id, at, sent_at,
  delivered_at, read_at, played_at, failed_at, ${editedAt}, ${revokedAt}, created_at))`

const restored = unvalidated(Message)

export const messageOf = (row: MessageRow): Message =>
  restored({
    id: row.id,
    conversationId: row.conversationId,
    direction: row.direction,
    kind: row.kind,
    text: row.text,
    media: row.media,
    template: row.template,
    interactive: interactiveOf(row.interactive),
    location: row.location,
    contacts: row.contacts,
    order: row.order,
    referral: row.referral,
    details: row.details,
    raw: row.raw,
    replyToId: row.replyToId,
    author: authorOf(row),
    recipient: row.recipient,
    status: row.status,
    error: row.error,
    pricing: row.pricing === null ? null : pricingOf(row.pricing),
    providerMessageId: row.providerMessageId,
    at: utc(row.at),
    sentAt: utcOrNull(row.sentAt),
    deliveredAt: utcOrNull(row.deliveredAt),
    readAt: utcOrNull(row.readAt),
    playedAt: utcOrNull(row.playedAt),
    failedAt: utcOrNull(row.failedAt),
    editedAt: utcOrNull(row.editedAt),
    revokedAt: utcOrNull(row.revokedAt),
    createdAt: utc(row.createdAt)
  })

/** Stored form of the price of a message. */
const pricingRecordOf = ({ pricing }: Message) =>
  pricing === null
    ? null
    : {
        ...pricing,
        freeEntryPointExpiresAt:
          pricing.freeEntryPointExpiresAt === null ? null : DateTime.formatIso(pricing.freeEntryPointExpiresAt),
        at: DateTime.formatIso(pricing.at)
      }

/** Stored form of a message without its organization. `messageRecord` has the names and types of the columns. */
export const messageRecordOf = (
  chat_account_id: ChatAccountId,
  message: Message,
  reply_to_provider_id: string | null = null
) => ({
  chat_account_id,
  id: message.id,
  conversation_id: message.conversationId,
  direction: message.direction,
  kind: message.kind,
  text: message.text,
  media: message.media,
  media_id: message.media?.id ?? null,
  template: message.template,
  interactive: message.interactive,
  location: message.location,
  contacts: message.contacts,
  order_items: message.order,
  referral: message.referral,
  details: message.details,
  raw: message.raw,
  reply_to_id: message.replyToId,
  reply_to_provider_id,
  author_kind: message.author.kind,
  author_id: message.author.id,
  author_run_id: message.author.runId ?? null,
  recipient: message.recipient,
  status: message.status,
  error: message.error,
  pricing: pricingRecordOf(message),
  provider_message_id: message.providerMessageId,
  at: instant(message.at),
  sent_at: instant(message.sentAt),
  delivered_at: instant(message.deliveredAt),
  read_at: instant(message.readAt),
  played_at: instant(message.playedAt),
  failed_at: instant(message.failedAt),
  created_at: instant(message.createdAt),
  words: spokenWords(searchableText(message))
})

/** Stored form of a message's progress and recipient. `progressRecord` has the names and types of the columns. */
export const progressRecordOf = (message: Message, ending?: EndedWait | null) => ({
  id: message.id,
  status: message.status,
  error: message.error,
  details: message.details,
  pricing: pricingRecordOf(message),
  provider_message_id: message.providerMessageId,
  sent_at: instant(message.sentAt),
  delivered_at: instant(message.deliveredAt),
  read_at: instant(message.readAt),
  played_at: instant(message.playedAt),
  failed_at: instant(message.failedAt),
  recipient: message.recipient,
  ends: ending !== undefined,
  answered_wait_since: instant(ending?.since ?? null),
  wait_number: ending?.round ?? null
})

export const progressRecord = `id uuid, status text, error json, details json, pricing json, provider_message_id text, sent_at timestamptz,
  delivered_at timestamptz, read_at timestamptz, played_at timestamptz, failed_at timestamptz, recipient json, ends boolean, answered_wait_since timestamptz,
  wait_number integer`

export const messageRecord = `chat_account_id uuid, id uuid, conversation_id uuid, direction text,
  kind text, text text, media json, media_id uuid, template json, interactive json, location json, contacts json,
  order_items json, referral json, details json, raw json, pricing json,
  reply_to_id uuid, reply_to_provider_id text, author_kind text, author_id text, author_run_id uuid, recipient json, status text, error json, provider_message_id text, at timestamptz,
  sent_at timestamptz, delivered_at timestamptz, read_at timestamptz, played_at timestamptz, failed_at timestamptz, created_at timestamptz,
  words text[]`

/** Columns of a record except the words, whose stored type differs. */
export const messageFields = messageRecord
  .split(",")
  .map((column) => column.trim().split(" ")[0] ?? "")
  .filter((name) => name !== "words")
  .join(", ")
