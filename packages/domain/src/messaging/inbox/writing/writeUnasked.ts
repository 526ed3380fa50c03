import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { Contacts } from "../../../crm/index.ts"
import { nextId, NotFound } from "../../../kernel/index.ts"
import { Conversations, type Pair } from "../Conversations.ts"
import { ConversationId } from "../Ids.ts"
import type { NewMessage } from "../Message.ts"
import { begun, conversationFor } from "../receiving/inbound.ts"
import { urgency } from "../sending/urgency.ts"
import { authorNow } from "./authorNow.ts"
import { writeMessage } from "./writeMessage.ts"

/** Writes to a contact what nobody of the team has written: a resolved conversation stays so, until the contact answers. */
export const writeUnasked = Effect.fnUntraced(function* (conversationId: ConversationId, said: NewMessage) {
  const how = { author: yield* authorNow, priority: yield* urgency, reopens: false }
  const message = yield* writeMessage(conversationId, said, how)
  const { id, kind } = message
  yield* record("message.sent", { kind: "message", id }, { after: { conversationId, kind } })
  return message
})

/**
 * The conversation for what is written to a contact with whom none is going on: the one that an answer will open. Where there is none
 * yet it begins resolved, and nobody is told of it.
 */
export const restingConversation = Effect.fnUntraced(function* (pair: Pair) {
  const [contact] = yield* (yield* Contacts).lock([pair.contactId])
  if (contact === undefined) return yield* new NotFound({ resource: "contact" })
  const conversations = yield* Conversations
  const [latest] = yield* conversations.lockLatest([pair])
  const now = yield* DateTime.now
  const found = conversationFor(latest ?? null, now)
  if (found !== null) return found.id
  const id = yield* nextId(ConversationId)
  yield* Effect.orDie(conversations.insert([begun(id, pair, true, now, now)]))
  return id
})
