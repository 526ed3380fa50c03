import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { ChatAccounts, channelFor, type MessageSending } from "../../chat/index.ts"
import { type Contact, Contacts } from "../../../crm/index.ts"
import { nextId, NotFound, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { takeAssignee } from "../assignees.ts"
import { Conversation, type NewConversation } from "../Conversation.ts"
import { Conversations } from "../Conversations.ts"
import { ConversationExists } from "../Errors.ts"
import { ConversationId } from "../Ids.ts"
import { audited } from "../keepConversations.ts"
import { defaultWay, reachedBy, waysTo, windowsFor } from "../recipients.ts"
import { chosenWay } from "../writing/reach.ts"
import { showConversation } from "../changeConversation.ts"
import { Workloads } from "../assigning/Workloads.ts"
import { stretchAfter } from "../waiting/stretches.ts"

/** Takes the contact, so that it is not deleted while its conversation begins. */
const takePair = Effect.fnUntraced(function* ({ chatAccountId, contactId }: NewConversation) {
  const [contact] = yield* (yield* Contacts).lock([contactId])
  if (contact === undefined) return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
  const [account] = yield* (yield* ChatAccounts).find([chatAccountId])
  if (account === undefined) return yield* new NotFound({ resource: "chat account", pointer: "/chatAccountId" })
  return { contact, sending: yield* channelFor(account, "sending") }
})

/** The windows are those of the contact and the number: they do not end with a conversation. */
const windowsIn = (last: Conversation | undefined) => ({
  recipient: last?.recipient ?? null,
  windowExpiresAt: last?.windowExpiresAt ?? null,
  otherWindows: last?.otherWindows ?? []
})

/** Whom the conversation is opened to: whoever is chosen, else whoever may be written to by the latest open window. */
const addressedTo = Effect.fnUntraced(function* (
  contact: Contact,
  chosen: NewConversation["recipient"],
  last: Conversation | undefined,
  sending: MessageSending,
  now: DateTime.Utc
) {
  const windows = windowsIn(last)
  const recipient =
    chosen === undefined
      ? defaultWay(reachedBy(waysTo(contact), sending), windows, now)
      : yield* chosenWay(contact, chosen, sending)
  return recipient === null
    ? { ...windows, recipientAt: null }
    : { ...windowsFor(windows, recipient), recipientAt: chosen === undefined ? null : now }
})

/** Opens a conversation with a contact, if there is no unresolved one. */
export const openConversation = useCase(
  "conversations.open",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (said: NewConversation) {
    const { chatAccountId, contactId, labels = [], priority = "none" } = said
    const conversations = yield* Conversations
    const { assigneeId, fits } = yield* takeAssignee(said.assigneeId ?? null, "/assigneeId")
    const { contact, sending } = yield* takePair(said)
    yield* fits
    const [last] = yield* conversations.lockLatest([{ contactId, chatAccountId }])
    if (last !== undefined && last.status !== "resolved") {
      return yield* new ConversationExists({ conversationId: last.id })
    }
    const now = yield* DateTime.now
    const id = yield* nextId(ConversationId)
    const conversation = new Conversation({
      id,
      contactId,
      chatAccountId,
      status: "open",
      priority,
      assigneeId,
      snoozedUntil: null,
      labels,
      inboundCount: 0,
      readCount: 0,
      lastMessage: null,
      lastInboundAt: null,
      ...(yield* addressedTo(contact, said.recipient, last, sending, now)),
      stretch: stretchAfter(null, now),
      resolvedAt: null,
      lastActivityAt: now,
      createdAt: now,
      updatedAt: now,
      version: 1
    })
    yield* conversations.insert([conversation])
    if (assigneeId !== null) yield* (yield* Workloads).handed([assigneeId], now)
    yield* record(
      "conversation.opened",
      { kind: "conversation", id },
      { after: { contactId, chatAccountId, ...audited(conversation) } }
    )
    yield* appendEvent({ type: "conversation.opened", conversationId: id, contactId, chatAccountId, status: "open" })
    return yield* showConversation(id)
  }, transact)
)
