import { DateTime, Effect } from "effect"
import {
  type Conversation,
  type Conversing,
  Conversations,
  type Message,
  Messages,
  shownConversations
} from "../../../messaging/inbox/index.ts"
import { type GroupFacts, groupFacts } from "./Facts.ts"

/** What is known of a conversation. */
export const conversationFacts = Effect.fnUntraced(function* (found: Conversing) {
  const shown = yield* shownConversations([found])
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

/** What is known of a message. */
export const messageFacts = (message: Message): GroupFacts =>
  groupFacts("message", {
    id: message.id,
    kind: message.kind,
    text: message.text,
    replyId: replyIdOf(message),
    hasMedia: message.media !== null
  })

/** So many conversations before this one are looked through: whoever has more did not write for the first time. */
const mostLooked = 50

const everyConversation = {
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

/** Whether the contact wrote nothing before this message. */
export const isFirstMessage = Effect.fnUntraced(function* (conversation: Conversation, message: Message) {
  const messages = yield* Messages
  const { rows } = yield* (yield* Conversations).list(
    { ...everyConversation, contactId: conversation.contactId },
    { limit: mostLooked, after: null }
  )
  const before = rows
    .map((row) => row.conversation)
    .filter(({ createdAt, id }) => id !== conversation.id && DateTime.isLessThan(createdAt, message.createdAt))
  if (rows.length === mostLooked || before.some(({ inboundCount }) => inboundCount > 0)) return false
  let after: ReadonlyArray<string> = [DateTime.formatIso(message.at), message.id]
  while (true) {
    const earlier = yield* messages.list(conversation.id, { limit: mostLooked, after })
    if (earlier.some(({ direction }) => direction === "inbound")) return false
    const last = earlier.at(-1)
    if (last === undefined || earlier.length < mostLooked) return true
    after = [DateTime.formatIso(last.at), last.id]
  }
})
