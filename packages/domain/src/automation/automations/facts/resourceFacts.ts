import { DateTime, Effect } from "effect"
import {
  type CartId,
  type OrderId,
  toCartViews,
  toOrderViews,
  StoreCarts,
  type StoreLine,
  StoreOrders
} from "../../../commerce/index.ts"
import { type ContactId, Contacts } from "../../../crm/index.ts"
import {
  type Conversation,
  Conversations,
  type ConversationWithContact,
  type Message,
  Messages,
  type Note,
  toConversationViews
} from "../../../messaging/inbox/index.ts"
import { type GroupFacts, groupFacts } from "./Facts.ts"

export const conversationFacts = Effect.fnUntraced(function* (found: ConversationWithContact) {
  const shown = yield* toConversationViews([found])
  return shown.map(
    ({
      assigneeId,
      chatAccountId,
      createdAt,
      firstRepliedAt,
      id,
      labels,
      priority,
      status,
      unreadCount,
      waitingSince,
      window
    }) =>
      groupFacts("conversation", {
        id,
        status,
        priority,
        assigneeId,
        chatAccountId,
        labels,
        unreadCount,
        createdAt,
        waitingSince,
        firstRepliedAt,
        windowOpen: window.open
      })
  )
})

const replyIdOf = ({ interactive }: Message): string | null => (interactive?.type === "reply" ? interactive.id : null)

export const messageFacts = (message: Message): GroupFacts =>
  groupFacts("message", {
    id: message.id,
    kind: message.kind,
    text: message.text,
    replyId: replyIdOf(message),
    hasMedia: message.media !== null,
    status: message.status,
    errorCode: message.error?.code ?? null,
    authorKind: message.author.kind
  })

export const noteFacts = ({ author, id, mentions, text }: Note): GroupFacts =>
  groupFacts("note", { id, text, authorId: author.kind === "user" ? author.id : null, mentions })

/** Number of earlier conversations to search. A contact with more is not writing for the first time. */
const maxScanned = 50

const anyConversation = {
  statuses: null,
  assignee: null,
  unread: null,
  awaitingReply: null,
  priorities: null,
  labels: null,
  chatAccountId: null,
  words: null,
  sort: "createdAt"
} as const

/** Whether the contact sent no message before this one. */
export const isFirstMessage = Effect.fnUntraced(function* (conversation: Conversation, message: Message) {
  const messages = yield* Messages
  const { rows } = yield* (yield* Conversations).list(
    { ...anyConversation, contactId: conversation.contactId },
    { limit: maxScanned, after: null }
  )
  const before = rows
    .map((row) => row.conversation)
    .filter(({ createdAt, id }) => id !== conversation.id && DateTime.isLessThan(createdAt, message.createdAt))
  if (rows.length === maxScanned || before.some(({ inboundCount }) => inboundCount > 0)) return false
  let after: ReadonlyArray<string> = [DateTime.formatIso(message.at), message.id]
  while (true) {
    const earlier = yield* messages.list(conversation.id, { limit: maxScanned, after })
    if (earlier.some(({ direction }) => direction === "inbound")) return false
    const last = earlier.at(-1)
    if (last === undefined || earlier.length < maxScanned) return true
    after = [DateTime.formatIso(last.at), last.id]
  }
})

const productIdsOf = (lines: ReadonlyArray<StoreLine>) => [
  ...new Set(lines.flatMap(({ productId }) => productId ?? []))
]

const skusOf = (lines: ReadonlyArray<StoreLine>) => [...new Set(lines.flatMap(({ sku }) => sku ?? []))]

const itemsOf = (lines: ReadonlyArray<StoreLine>) => lines.reduce((sum, { quantity }) => sum + quantity, 0)

/** Whether the contact has no earlier order that counts. */
const isFirstOrder = Effect.fnUntraced(function* (contactId: ContactId, placedAt: DateTime.Utc) {
  const before = { kind: "known", condition: "first_order_before", values: [DateTime.formatIso(placedAt)] } as const
  const filter = { kind: "all", of: [{ kind: "oneOf", ids: [contactId] }, before] } as const
  return (yield* (yield* Contacts).countOf({ filter, search: null })) === 0
})

export const orderFacts = Effect.fnUntraced(function* (id: OrderId, contactId: ContactId) {
  const [order] = yield* toOrderViews([yield* (yield* StoreOrders).get(id)])
  if (order === undefined) return []
  const { fulfilmentStatus, lines, name, paymentStatus, placedAt, statusUrl, storeConnectionId, total } = order
  const facts = groupFacts("order", {
    id,
    name,
    total,
    itemCount: itemsOf(lines),
    productIds: productIdsOf(lines),
    skus: skusOf(lines),
    paymentStatus,
    fulfilmentStatus,
    storeConnectionId,
    placedAt,
    isFirst: yield* isFirstOrder(contactId, placedAt),
    statusUrl
  })
  return [facts]
})

export const cartFacts = Effect.fnUntraced(function* (id: CartId) {
  const carts = yield* toCartViews([yield* (yield* StoreCarts).get(id)])
  return carts.map(({ lastActivityAt, lines, recoveryUrl, storeConnectionId, total }) =>
    groupFacts("cart", {
      id,
      total,
      itemCount: itemsOf(lines),
      productIds: productIdsOf(lines),
      skus: skusOf(lines),
      storeConnectionId,
      lastActivityAt,
      recoveryUrl
    })
  )
})
