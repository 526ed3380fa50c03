/** The columns of a conversation, of `conversations AS c`, as Parley reads them. */
const conversationColumns = `c.id, c.contact_id AS "contactId", c.chat_account_id AS "chatAccountId", c.status,
  c.priority, c.assignee_id AS "assigneeId", c.snoozed_until AS "snoozedUntil", c.labels,
  c.inbound_count AS "inboundCount", c.read_count AS "readCount", c.last_message AS "lastMessage",
  c.last_inbound_at AS "lastInboundAt", c.recipient, c.window_expires_at AS "windowExpiresAt", c.resolved_at AS "resolvedAt",
  c.last_activity_at AS "lastActivityAt", c.waiting_since AS "waitingSince", c.first_replied_at AS "firstRepliedAt", c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.version`

const changedBy = (kind: "edit" | "revocation") => `(
    SELECT ${kind === "edit" ? "max" : "min"}(change.at) FROM messages AS change
    WHERE change.organization_id = m.organization_id AND change.chat_account_id = m.chat_account_id
      AND change.reply_to_provider_id = m.provider_message_id AND change.conversation_id = m.conversation_id
      AND change.kind = '${kind}'
  )`

const messageColumns = `m.id, m.conversation_id AS "conversationId", m.direction, m.kind, m.text, m.media, m.template,
  m.interactive, m.location, m.contacts, m.ordered AS "order", m.referral, m.raw, m.pricing,
  ${changedBy("edit")} AS "editedAt", ${changedBy("revocation")} AS "revokedAt",
  CASE WHEN m.reply_to_provider_id IS NULL THEN m.reply_to_id ELSE (
    SELECT answered.id FROM messages AS answered
    WHERE answered.organization_id = m.organization_id AND answered.chat_account_id = m.chat_account_id
      AND answered.provider_message_id = m.reply_to_provider_id AND answered.conversation_id = m.conversation_id
  ) END AS "replyToId", m.author_kind AS "authorKind", m.author_id AS "authorId", m.recipient, m.status, m.error,
  m.provider_message_id AS "providerMessageId", m.at, m.sent_at AS "sentAt", m.delivered_at AS "deliveredAt",
  m.read_at AS "readAt", m.failed_at AS "failedAt", m.created_at AS "createdAt"`

/** Conversations of a page: the values in its index, and the further conditions. */
export interface Asking {
  readonly inOrder: string
  readonly meeting: string
  /** How many are looked at for a page. */
  readonly most: number
}

const furthest = 5_000
const stroll = 500

/** Possible requests in the terms of Parley's statements. `$` is the placeholder of the searched value. */
export const askings = {
  all: { inOrder: "TRUE", meeting: "TRUE", most: furthest },
  status: { inOrder: "c.status = $", meeting: "c.status = ANY(ARRAY[$]::text[])", most: furthest },
  assignee: {
    inOrder: "TRUE",
    meeting: "c.assignee_id = $::uuid",
    most: furthest
  },
  unread: {
    inOrder: "c.inbound_count > c.read_count",
    meeting: "c.inbound_count > c.read_count",
    most: furthest
  },
  label: { inOrder: "TRUE", meeting: "c.labels @> ARRAY[$]::text[] AND c.labels <> '{}'", most: stroll }
} as const satisfies Record<string, Asking>

/** A page of conversations, latest activity first: one more than shown. */
export const conversationsPage = (
  { inOrder, meeting, most }: Asking,
  organization: string,
  value: string,
  [at, id]: readonly [string, string],
  limit: string
) => {
  const [within, meets] = [inOrder, meeting].map((condition) => condition.replaceAll("$", () => value))
  return `WITH c AS MATERIALIZED (
    SELECT c.* FROM (
      SELECT * FROM conversations AS c WHERE c.organization_id = ${organization} AND ${within}
        AND (c.last_activity_at, c.id) < (${at}, ${id}) ORDER BY c.last_activity_at DESC, c.id DESC LIMIT ${most}
    ) AS c WHERE ${meets} LIMIT ${limit}
  )
  SELECT ${conversationColumns}, p.name AS "contactName", p.phone AS "contactPhone" FROM c
  LEFT JOIN LATERAL (
    SELECT name, phone FROM contacts AS p WHERE p.organization_id = ${organization} AND p.id = c.contact_id LIMIT 1
  ) AS p ON TRUE
  ORDER BY c.last_activity_at DESC, c.id DESC`
}

/** A page of the messages of a conversation, newest first: one more than shown. */
export const messagesPage = (
  organization: string,
  conversation: string,
  [at, id]: readonly [string, string],
  limit: string
) => `SELECT ${messageColumns} FROM messages AS m WHERE m.organization_id = ${organization}
    AND m.conversation_id = ${conversation} AND (m.at, m.id) < (${at}, ${id}) ORDER BY m.at DESC, m.id DESC LIMIT ${limit}`
