import { Effect } from "effect"
import { type ContactId, Contacts } from "../../../crm/index.ts"
import type { LoggedEvent } from "../../../events/index.ts"
import { type ConversationId, Conversations } from "../../../inbox/index.ts"
import type { SourceEvent } from "../../triggers/SourceEvent.ts"

/** Whom a conversation is with; `null` where it is gone. */
const contactOf = Effect.fnUntraced(function* (id: ConversationId) {
  const found = yield* Effect.option((yield* Conversations).get(id))
  return found._tag === "None" ? null : found.value.conversation.contactId
})

/** Whom an event is about; `null` where it is about nobody who is known. */
export const whoseEvent = ({ event }: LoggedEvent<SourceEvent>) => {
  if ("contactId" in event) return Effect.succeed(event.contactId)
  return "conversationId" in event ? contactOf(event.conversationId) : Effect.succeed(null)
}

/** Those of these contacts for whom anything may start: they are there, and not blocked. */
export const reachable = Effect.fnUntraced(function* (ids: ReadonlyArray<ContactId>) {
  if (ids.length === 0) return new Set<ContactId>()
  const found = yield* (yield* Contacts).find([...new Set(ids)])
  return new Set(found.flatMap(({ blockedAt, id }) => (blockedAt === null ? [id] : [])))
})
