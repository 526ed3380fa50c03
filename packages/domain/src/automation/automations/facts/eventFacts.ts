import { DateTime, Effect, Option, Schema } from "effect"
import { CampaignEvent } from "../../../campaigns/index.ts"
import { StoreEvent } from "../../../commerce/index.ts"
import { type ContactId, Contacts, CrmEvent } from "../../../crm/index.ts"
import type { NotFound } from "../../../kernel/index.ts"
import {
  type ConversationId,
  Conversations,
  InboxEvent,
  type MessageId,
  Messages,
  Notes
} from "../../../messaging/inbox/index.ts"
import { EventLog, makeEventDecoder } from "../../../platform/events/index.ts"
import type { ScheduleId } from "../../schedules/index.ts"
import { AutomationTriggered } from "../triggerUrls/AutomationTriggered.ts"
import { TriggerCalls } from "../triggerUrls/TriggerCalls.ts"
import { changedContactFields, type SourceEvent } from "../triggers/Trigger.ts"
import { contactTexts, type Facts, type FactValue, type GroupFacts, groupFacts, organizationFacts } from "./Facts.ts"
import { cartFacts, conversationFacts, isFirstMessage, messageFacts, noteFacts, orderFacts } from "./resourceFacts.ts"

/** Event with its log position. */
export interface EventOccurrence {
  readonly event: SourceEvent
  readonly position: number
  readonly at: DateTime.Utc
}

const noFacts: ReadonlyArray<GroupFacts> = []

const noneIfGone = <A, R>(found: Effect.Effect<A, NotFound, R>) => Effect.option(found)

/** Returns no facts if the resource is deleted. */
const orNoFacts = <R>(found: Effect.Effect<ReadonlyArray<GroupFacts>, NotFound, R>) =>
  Effect.orElseSucceed(found, () => noFacts)

const conversationIdOf = (event: SourceEvent): ConversationId | null =>
  "conversationId" in event ? event.conversationId : null

const messageIdOf = (event: SourceEvent): MessageId | null => ("messageId" in event ? event.messageId : null)

/** Finds the conversation of a broadcast reply, because the event does not contain it. */
const findRepliedConversation = Effect.fnUntraced(function* (contactId: ContactId, messageId: MessageId) {
  const { rows } = yield* (yield* Conversations).list(
    {
      statuses: null,
      assignee: null,
      unread: null,
      awaitingReply: null,
      priorities: null,
      labels: null,
      chatAccountId: null,
      words: null,
      contactId,
      sort: "-lastActivityAt"
    },
    { limit: 20, after: null }
  )
  for (const row of rows) {
    const found = yield* noneIfGone((yield* Messages).get(row.conversation.id, messageId))
    if (Option.isSome(found)) return row
  }
  return null
})

const findEventConversation = Effect.fnUntraced(function* (event: SourceEvent, contactId: ContactId | null) {
  const id = conversationIdOf(event)
  if (id !== null) return Option.getOrNull(yield* noneIfGone((yield* Conversations).get(id)))
  const whose = contactId ?? ("contactId" in event ? event.contactId : null)
  return event.type === "broadcast.replied" && whose !== null
    ? yield* findRepliedConversation(whose, event.messageId)
    : null
})

/** Facts that only the event contains. */
const ownFacts = (event: SourceEvent): Record<string, FactValue> => {
  switch (event.type) {
    case "conversation.status_changed":
      return { from: event.from }
    case "conversation.assigned":
      return { assigneeId: event.assigneeId }
    case "contact.updated":
      return { fields: changedContactFields(event) }
    case "contact.tagged":
    case "contact.untagged":
      return { tagIds: event.tagIds }
    case "broadcast.replied":
      return { broadcastId: event.broadcastId }
    case "order.refunded":
      return { amount: event.amount }
    default:
      return {}
  }
}

/**
 * Loads the current facts about the subject of an event. Returns `null` if its contact does not exist, or its
 * conversation belongs to another contact. `contactId` is the current contact, if it differs from the contact of the event.
 * Only these schedules are loaded.
 */
export const factsForEvent = Effect.fnUntraced(function* (
  { at, event, position }: EventOccurrence,
  contactId: ContactId | null,
  schedules: ReadonlyArray<ScheduleId>
) {
  const conversing = yield* findEventConversation(event, contactId)
  const whose = contactId ?? conversing?.conversation.contactId ?? ("contactId" in event ? event.contactId : null)
  const nobody: Facts | null = null
  if (whose === null) return nobody
  // The conversation of a merged contact returns to that contact when the merge is undone.
  if (conversing !== null && conversing.conversation.contactId !== whose) return nobody
  const [contact] = yield* (yield* Contacts).find([whose])
  if (contact === undefined) return nobody
  const now = yield* DateTime.now

  const messageId = conversing === null ? null : messageIdOf(event)
  const message =
    conversing === null || messageId === null
      ? null
      : Option.getOrNull(yield* noneIfGone((yield* Messages).get(conversing.conversation.id, messageId)))
  const note =
    conversing !== null && "noteId" in event
      ? yield* orNoFacts(
          Effect.map((yield* Notes).get(conversing.conversation.id, event.noteId), (found) => [noteFacts(found)])
        )
      : noFacts
  const order = "orderId" in event ? yield* orNoFacts(orderFacts(event.orderId, contact.id)) : noFacts
  const cart = "cartId" in event ? yield* orNoFacts(cartFacts(event.cartId)) : noFacts
  const isFirst =
    conversing !== null && message !== null && event.type === "message.received"
      ? { isFirst: yield* isFirstMessage(conversing.conversation, message) }
      : {}
  const total = order.flatMap(({ seen }) => seen.filter(([name]) => name === "order.total"))[0]?.[1]
  const own = groupFacts("event", {
    type: event.type,
    position,
    at,
    ...isFirst,
    ...(total !== undefined && { amount: total }),
    ...ownFacts(event)
  })
  const groups = [
    ...(conversing === null ? noFacts : yield* conversationFacts(conversing)),
    ...(message === null ? noFacts : [messageFacts(message)]),
    ...note,
    ...order,
    ...cart,
    own
  ]
  const call = event.type === "automation.triggered" ? yield* (yield* TriggerCalls).find(event.callId) : null
  const { open, texts } = yield* organizationFacts(now, schedules)
  const facts: Facts = {
    at: now,
    contact,
    contactId: contact.id,
    ...(call !== null && { data: call.data }),
    conversationId: conversing?.conversation.id ?? null,
    messageId: message?.id ?? null,
    seen: new Map(groups.flatMap(({ seen }) => seen)),
    schedules: open,
    texts: Object.assign(
      { contact: contactTexts(contact), webhook: call?.data ?? {}, ...texts },
      ...groups.map((group) => group.texts)
    )
  }
  return facts
})

/** Loads the current facts of a contact without an event; `null` if it does not exist. */
export const factsForContact = Effect.fnUntraced(function* (
  contactId: ContactId,
  schedules: ReadonlyArray<ScheduleId>
) {
  const [contact] = yield* (yield* Contacts).find([contactId])
  const nobody: Facts | null = null
  if (contact === undefined) return nobody
  const now = yield* DateTime.now
  const { open, texts } = yield* organizationFacts(now, schedules)
  const facts: Facts = {
    at: now,
    contact,
    contactId,
    conversationId: null,
    messageId: null,
    seen: new Map(),
    schedules: open,
    texts: { contact: contactTexts(contact), ...texts }
  }
  return facts
})

/** All events of the areas that can start automations and workflows. */
export const AnySourceEvent = Schema.Union([
  ...CrmEvent.members,
  ...InboxEvent.members,
  ...CampaignEvent.members,
  ...StoreEvent.members,
  AutomationTriggered
])

const read = makeEventDecoder({ schema: AnySourceEvent })

/** Loads the current facts for the event at a position; `null` if the contact is deleted. */
export const buildEventContext = Effect.fnUntraced(function* (
  position: number,
  contactId: ContactId | null,
  schedules: ReadonlyArray<ScheduleId>
) {
  const [logged] = yield* read(yield* (yield* EventLog).at([position]))
  return logged === undefined ? null : yield* factsForEvent(logged, contactId, schedules)
})
