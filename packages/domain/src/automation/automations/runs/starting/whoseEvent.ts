import { Effect } from "effect"
import { type ContactId, Contacts, wholeOf } from "../../../../crm/index.ts"
import type { LoggedEvent } from "../../../../platform/events/index.ts"
import { type ConversationId, Conversations } from "../../../../messaging/inbox/index.ts"
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

/** Who is meant by these ids: the contacts themselves, or whoever they have become a part of. Those who are gone are left out. */
export const contactsMeant = Effect.fnUntraced(function* (ids: ReadonlySet<ContactId>) {
  const contacts = yield* Contacts
  const found = new Map((yield* contacts.find([...ids])).map((contact) => [contact.id, contact]))
  for (const id of ids) {
    const whole = found.has(id) ? null : yield* wholeOf(id)
    const [contact] = whole === null ? [] : yield* contacts.find([whole])
    if (contact !== undefined) found.set(id, contact)
  }
  return found
})

/**
 * For whom anything may start that is about these contacts: they are there, and not blocked. What is about somebody who has become a part of
 * another contact meanwhile is about that one.
 */
export const reachable = Effect.fnUntraced(function* (ids: ReadonlyArray<ContactId>) {
  if (ids.length === 0) return new Map<ContactId, ContactId>()
  const meant = yield* contactsMeant(new Set(ids))
  return new Map([...meant].flatMap(([id, contact]) => (contact.blockedAt === null ? [[id, contact.id] as const] : [])))
})
