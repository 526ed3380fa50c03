import type { FastifyInstance } from "fastify"
import type { Pool } from "pg"
import { beyondIds } from "../../inbox/seededInbox.ts"
import { askings, conversationsPage, messagesPage } from "../../inbox/statements.ts"
import { type Admit, isAdmitted, refuse, uuid } from "./admission.ts"

interface ConversationRow {
  readonly id: string
  readonly contactId: string
  readonly inboundCount: number
  readonly readCount: number
  readonly windowExpiresAt: Date | null
  readonly lastActivityAt: Date
  readonly contactName: string | null
  readonly contactPhone: string | null
}

interface MessageRow {
  readonly id: string
  readonly at: Date
  readonly authorKind: string
  readonly authorId: string
}

const text = { type: "string" } as const
const textOrNull = { type: ["string", "null"] } as const
const time = { type: "string", format: "date-time" } as const
const timeOrNull = { type: ["string", "null"], format: "date-time" } as const
const integer = { type: "integer" } as const
const anything = { type: ["object", "null"], additionalProperties: true } as const

const recipientOrNull = { type: ["object", "null"], properties: { kind: text, value: text } } as const

const conversationSchema = {
  type: "object",
  properties: {
    id: text,
    contact: { type: "object", properties: { id: text, name: textOrNull, phone: textOrNull } },
    chatAccountId: text,
    recipient: recipientOrNull,
    status: text,
    priority: text,
    assigneeId: textOrNull,
    snoozedUntil: timeOrNull,
    unreadCount: integer,
    lastMessage: {
      type: ["object", "null"],
      properties: { id: text, direction: text, kind: text, text: textOrNull, at: text }
    },
    lastInboundAt: timeOrNull,
    lastActivityAt: time,
    waitingSince: timeOrNull,
    firstRepliedAt: timeOrNull,
    window: { type: "object", properties: { open: { type: "boolean" }, expiresAt: timeOrNull } },
    labels: { type: "array", items: text },
    createdAt: time,
    updatedAt: time,
    version: integer
  }
} as const

const messageSchema = {
  type: "object",
  properties: {
    id: text,
    conversationId: text,
    direction: text,
    kind: text,
    text: textOrNull,
    media: anything,
    template: anything,
    interactive: anything,
    location: anything,
    contacts: { type: ["array", "null"], items: { type: "object", additionalProperties: true } },
    order: anything,
    referral: anything,
    raw: anything,
    replyToId: textOrNull,
    author: { type: "object", properties: { kind: text, id: text } },
    recipient: recipientOrNull,
    status: text,
    error: anything,
    pricing: anything,
    providerMessageId: textOrNull,
    at: time,
    sentAt: timeOrNull,
    deliveredAt: timeOrNull,
    readAt: timeOrNull,
    failedAt: timeOrNull,
    editedAt: timeOrNull,
    revokedAt: timeOrNull,
    createdAt: time
  }
} as const

const cursorForm = `^[0-9TZ:.-]{20,30}_${uuid.slice(1)}`

const paging = {
  limit: { type: "integer", minimum: 1, maximum: 100 },
  cursor: { type: "string", pattern: cursorForm }
} as const

const pageOf = <const Item>(items: Item) => ({
  200: { type: "object", properties: { data: { type: "array", items }, nextCursor: textOrNull } }
})

const list = {
  querystring: {
    type: "object",
    properties: {
      ...paging,
      status: { type: "string", enum: ["open", "pending", "snoozed", "resolved"] },
      assignee: { type: "string", enum: ["me"] },
      unread: { type: "boolean" },
      label: { type: "string", minLength: 1, maxLength: 40 }
    }
  },
  response: pageOf(conversationSchema)
} as const

const messages = {
  params: { type: "object", required: ["id"], properties: { id: { type: "string", pattern: uuid } } },
  querystring: { type: "object", properties: paging },
  response: pageOf(messageSchema)
} as const

interface Paging {
  readonly limit?: number
  readonly cursor?: string
}

interface ListQuery extends Paging {
  readonly status?: string
  readonly assignee?: "me"
  readonly unread?: boolean
  readonly label?: string
}

const mayRead = new Set(["owner", "admin", "agent", "viewer"])

const afterOf = ({ cursor }: Paging) => cursor?.split("_") ?? ["infinity", beyondIds]

const cursorAfter = (at: Date | undefined, id: string | undefined) =>
  at === undefined || id === undefined ? null : `${at.toISOString()}_${id}`

const viewOf = (
  { contactId, contactName, contactPhone, inboundCount, readCount, windowExpiresAt, ...row }: ConversationRow,
  now: number
) => ({
  ...row,
  contact: { id: contactId, name: contactName, phone: contactPhone },
  unreadCount: Math.max(0, inboundCount - readCount),
  window: { open: windowExpiresAt !== null && windowExpiresAt.getTime() > now, expiresAt: windowExpiresAt }
})

/** The search condition. The benchmarks use only one at a time. */
const askingOf = ({ assignee, label, status, unread }: ListQuery, userId: string) => {
  if (status !== undefined) return { name: "status", asking: askings.status, values: [status] }
  if (assignee !== undefined) return { name: "assignee", asking: askings.assignee, values: [userId] }
  if (unread === true) return { name: "unread", asking: askings.unread, values: [] }
  if (label !== undefined) return { name: "label", asking: askings.label, values: [label] }
  return { name: "all", asking: askings.all, values: [] }
}

const listText = (asking: Parameters<typeof conversationsPage>[0]) =>
  conversationsPage(asking, "$1", "$5", ["$2::timestamptz", "$3::uuid"], "$4")

/** The lists of conversations and of their messages. */
export const conversations = (app: FastifyInstance, pool: Pool, admit: Admit) => {
  app.get<{ Querystring: ListQuery }>("/api/v1/conversations", { schema: list }, async (request, reply) => {
    const admitted = await admit(request, reply, mayRead)
    if (!isAdmitted(admitted)) return admitted
    const { limit = 50 } = request.query
    const { asking, name, values } = askingOf(request.query, admitted.userId)
    const { rows } = await pool.query<ConversationRow>({
      name: `conversations by ${name}`,
      text: listText(asking),
      values: [admitted.organizationId, ...afterOf(request.query), limit + 1, ...values]
    })
    const data = rows.slice(0, limit)
    const last = rows.length > limit ? data.at(-1) : undefined
    const now = Date.now()
    return { data: data.map((row) => viewOf(row, now)), nextCursor: cursorAfter(last?.lastActivityAt, last?.id) }
  })

  app.get<{ Params: { id: string }; Querystring: Paging }>(
    "/api/v1/conversations/:id/messages",
    { schema: messages },
    async (request, reply) => {
      const admitted = await admit(request, reply, mayRead)
      if (!isAdmitted(admitted)) return admitted
      const { organizationId } = admitted
      const { limit = 50 } = request.query
      const found = await pool.query({
        name: "conversation",
        text: "SELECT 1 FROM conversations WHERE organization_id = $1 AND id = $2",
        values: [organizationId, request.params.id]
      })
      if (found.rows.length === 0) return refuse(reply, 404, "not_found")
      const { rows } = await pool.query<MessageRow>({
        name: "messages",
        text: messagesPage("$1", "$2", ["$3::timestamptz", "$4::uuid"], "$5"),
        values: [organizationId, request.params.id, ...afterOf(request.query), limit + 1]
      })
      const data = rows.slice(0, limit)
      const last = rows.length > limit ? data.at(-1) : undefined
      return {
        data: data.map(({ authorId, authorKind, ...row }) => ({ ...row, author: { kind: authorKind, id: authorId } })),
        nextCursor: cursorAfter(last?.at, last?.id)
      }
    }
  )
}
