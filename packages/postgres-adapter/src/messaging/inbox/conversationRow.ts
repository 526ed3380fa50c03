import { type OrganizationId, type UserId, unvalidated } from "@parley/domain/kernel"
import type { ContactId, IdentityRef } from "@parley/domain/crm"
import {
  type ChatAccountId,
  type ContactWindows,
  type ConversationId,
  type ConversationWithContact,
  type IdentityWindow,
  type LastMessage,
  type MessageId,
  type Recipient,
  type Episode,
  type ConversationWait,
  Conversation,
  recipientIdentities
} from "@parley/domain/messaging"
import { DateTime } from "effect"
import type { SqlClient } from "effect/sql"
import { type Instant, utc, utcOrNull } from "../../kernel/columns.ts"
import { instant } from "./instant.ts"

interface WindowRow extends Omit<IdentityWindow, "expiresAt"> {
  readonly expiresAt: string
}

interface LastMessageRow extends Omit<LastMessage, "at"> {
  readonly at: string
}

export interface ConversationRow {
  readonly id: ConversationId
  readonly contactId: ContactId
  readonly chatAccountId: ChatAccountId
  readonly status: Conversation["status"]
  readonly priority: Conversation["priority"]
  readonly assigneeId: UserId | null
  readonly snoozedUntil: Instant | null
  readonly labels: ReadonlyArray<string>
  readonly inboundCount: number
  readonly readCount: number
  readonly lastMessage: LastMessageRow | null
  readonly lastInboundAt: Instant | null
  readonly recipient: Recipient | null
  readonly recipientAt: Instant | null
  readonly windowExpiresAt: Instant | null
  readonly otherWindows: ReadonlyArray<WindowRow>
  readonly waitingSince: Instant | null
  readonly firstRepliedAt: Instant | null
  readonly firstReplyId: MessageId | null
  readonly waitRound: number
  readonly episode: number | null
  readonly episodeStartedAt: Instant | null
  readonly episodeResolvedAt: Instant | null
  readonly episodeResolverKind: NonNullable<Episode["resolvedBy"]>["kind"] | null
  readonly episodeResolverId: string | null
  readonly resolvedAt: Instant | null
  readonly lastActivityAt: Instant
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}

/** A conversation and its contact, as read. */
export interface ConversingRow extends ConversationRow {
  readonly contactName: string | null
  readonly contactPhone: string | null
  readonly contactIdentities: ReadonlyArray<IdentityRef> | null
  readonly provider: string | null
  readonly freeUntil: string | null
}

/** Columns of a conversation, from `conversations AS c`. */
export const conversationColumns = `c.id, c.contact_id AS "contactId", c.chat_account_id AS "chatAccountId", c.status,
  c.priority, c.assignee_id AS "assigneeId", c.snoozed_until AS "snoozedUntil", c.labels,
  c.inbound_count AS "inboundCount", c.read_count AS "readCount", c.last_message AS "lastMessage",
  c.last_inbound_at AS "lastInboundAt", c.recipient, c.recipient_at AS "recipientAt",
  c.window_expires_at AS "windowExpiresAt", c.other_windows AS "otherWindows",
  c.waiting_since AS "waitingSince", c.first_replied_at AS "firstRepliedAt", c.first_reply_id AS "firstReplyId",
  c.wait_number AS "waitRound", c.episode, c.episode_started_at AS "episodeStartedAt",
  c.episode_resolved_at AS "episodeResolvedAt", c.episode_resolver_kind AS "episodeResolverKind",
  c.episode_resolver_id AS "episodeResolverId", c.resolved_at AS "resolvedAt",
  c.last_activity_at AS "lastActivityAt", c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.version`

/** Provider of a conversation's number, from `conversations AS c`. */
export const providerOf = (sql: SqlClient.SqlClient, organizationId: OrganizationId) => sql`(
  SELECT a.provider FROM chat_accounts AS a WHERE a.organization_id = ${organizationId} AND a.id = c.chat_account_id
) AS provider`

/** Latest end of a free entry point, from `conversations AS c`. ISO times of one length sort as texts. */
export const freeUntilOf = (sql: SqlClient.SqlClient, organizationId: OrganizationId) => sql`(
  SELECT max(m.pricing ->> 'freeEntryPointExpiresAt') FROM messages AS m
  WHERE m.organization_id = ${organizationId} AND m.conversation_id = c.id
    AND (m.pricing ->> 'freeEntryPointExpiresAt') IS NOT NULL
) AS "freeUntil"`

/** Columns that decide the service windows of a conversation. */
export type WindowsRow = Pick<ConversationRow, "contactId" | "recipient" | "windowExpiresAt" | "otherWindows">

const windowOf = (row: WindowRow): IdentityWindow => ({ ...row, expiresAt: DateTime.makeUnsafe(row.expiresAt) })

export const windowsOf = ({ otherWindows, windowExpiresAt, ...row }: WindowsRow): ContactWindows => ({
  ...row,
  windowExpiresAt: utcOrNull(windowExpiresAt),
  otherWindows: otherWindows.map(windowOf)
})

/** Columns of a wait. */
export type WaitingRow = Pick<ConversationRow, "id" | "waitingSince" | "firstRepliedAt" | "firstReplyId" | "waitRound">

/** Columns of the wait of a conversation, from `conversations AS c`. */
export const waitingColumns = `c.id, c.waiting_since AS "waitingSince", c.first_replied_at AS "firstRepliedAt",
  c.first_reply_id AS "firstReplyId", c.wait_number AS "waitRound"`

export const waitingOf = ({
  firstRepliedAt,
  firstReplyId,
  id,
  waitRound,
  waitingSince
}: WaitingRow): ConversationWait => ({
  id,
  waitingSince: utcOrNull(waitingSince),
  firstRepliedAt: utcOrNull(firstRepliedAt),
  firstReplyId,
  waitRound
})

/** Columns of an episode. */
export type EpisodeRow = Pick<
  ConversationRow,
  "episode" | "episodeStartedAt" | "episodeResolvedAt" | "episodeResolverKind" | "episodeResolverId"
>

export const episodeOf = (row: EpisodeRow): Episode | null => {
  const { episode: number, episodeResolverId: id, episodeResolverKind: kind, episodeStartedAt: startedAt } = row
  if (number === null || startedAt === null) return null
  return {
    number,
    startedAt: utc(startedAt),
    resolvedAt: utcOrNull(row.episodeResolvedAt),
    resolvedBy: kind === null || id === null ? null : { kind, id }
  }
}

const restored = unvalidated(Conversation)

export const conversationOf = (row: ConversationRow): Conversation =>
  restored({
    contactId: row.contactId,
    chatAccountId: row.chatAccountId,
    status: row.status,
    priority: row.priority,
    assigneeId: row.assigneeId,
    snoozedUntil: utcOrNull(row.snoozedUntil),
    labels: row.labels,
    inboundCount: row.inboundCount,
    readCount: row.readCount,
    lastMessage: row.lastMessage === null ? null : { ...row.lastMessage, at: DateTime.makeUnsafe(row.lastMessage.at) },
    lastInboundAt: utcOrNull(row.lastInboundAt),
    recipient: row.recipient,
    recipientAt: utcOrNull(row.recipientAt),
    windowExpiresAt: utcOrNull(row.windowExpiresAt),
    otherWindows: row.otherWindows.map(windowOf),
    ...waitingOf(row),
    episode: episodeOf(row),
    resolvedAt: utcOrNull(row.resolvedAt),
    lastActivityAt: utc(row.lastActivityAt),
    createdAt: utc(row.createdAt),
    updatedAt: utc(row.updatedAt),
    version: row.version
  })

export const conversingOf = (row: ConversingRow): ConversationWithContact => ({
  conversation: conversationOf(row),
  contact: { id: row.contactId, name: row.contactName, phone: row.contactPhone },
  ways: recipientIdentities({ phone: row.contactPhone, identities: row.contactIdentities ?? [] }),
  provider: row.provider,
  freeEntryPointExpiresAt: row.freeUntil === null ? null : DateTime.makeUnsafe(row.freeUntil)
})

/** Columns that a message of the team changes. `writtenRecord` has their names and types. */
export const writtenRecordOf = ({
  id,
  lastActivityAt,
  lastMessage,
  readCount,
  recipient,
  recipientAt,
  updatedAt
}: Conversation) => ({
  id,
  read_count: readCount,
  last_message: lastMessage === null ? null : { ...lastMessage, at: DateTime.formatIso(lastMessage.at) },
  last_activity_at: instant(lastActivityAt),
  updated_at: instant(updatedAt),
  recipient,
  recipient_at: instant(recipientAt)
})

export const writtenRecord = `id uuid, read_count integer, last_message json, last_activity_at timestamptz,
  updated_at timestamptz, recipient json, recipient_at timestamptz`

/** Stored columns of a changed conversation. `conversationRecord` has their names and types. */
export const conversationRecordOf = (conversation: Conversation) => ({
  ...writtenRecordOf(conversation),
  contact_id: conversation.contactId,
  chat_account_id: conversation.chatAccountId,
  status: conversation.status,
  priority: conversation.priority,
  assignee_id: conversation.assigneeId,
  snoozed_until: instant(conversation.snoozedUntil),
  labels: conversation.labels,
  inbound_count: conversation.inboundCount,
  last_inbound_at: instant(conversation.lastInboundAt),
  window_expires_at: instant(conversation.windowExpiresAt),
  resolved_at: instant(conversation.resolvedAt),
  created_at: instant(conversation.createdAt),
  version: conversation.version,
  other_windows: conversation.otherWindows.map(({ expiresAt, kind, value }) => ({
    kind,
    value,
    expiresAt: instant(expiresAt)
  })),
  waiting_since: instant(conversation.waitingSince),
  first_replied_at: instant(conversation.firstRepliedAt),
  first_reply_id: conversation.firstReplyId,
  wait_number: conversation.waitRound,
  episode: conversation.episode?.number ?? null,
  episode_started_at: instant(conversation.episode?.startedAt ?? null),
  episode_resolved_at: instant(conversation.episode?.resolvedAt ?? null),
  episode_resolver_kind: conversation.episode?.resolvedBy?.kind ?? null,
  episode_resolver_id: conversation.episode?.resolvedBy?.id ?? null
})

export const conversationRecord = `id uuid, contact_id uuid, chat_account_id uuid, status text, priority text,
  assignee_id uuid, snoozed_until timestamptz, labels text[], inbound_count integer, read_count integer,
  last_message json, last_inbound_at timestamptz, window_expires_at timestamptz, resolved_at timestamptz,
  last_activity_at timestamptz, created_at timestamptz, updated_at timestamptz, version integer,
  recipient json, recipient_at timestamptz, other_windows json, waiting_since timestamptz, first_replied_at timestamptz,
  first_reply_id uuid, wait_number integer, episode integer, episode_started_at timestamptz,
  episode_resolved_at timestamptz, episode_resolver_kind text, episode_resolver_id text`
