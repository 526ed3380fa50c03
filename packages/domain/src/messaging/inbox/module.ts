import { Effect, Schema } from "effect"
import { CrmEvent, defineFilterField, type Filter, negated, refolding, someOf, valueReader } from "../../crm/index.ts"
import {
  byId,
  defineArea,
  eventResource,
  type EventShape,
  idIn,
  type OrganizationId,
  seenWith
} from "../../kernel/index.ts"
import { type Lane, organizationLane, sweepTenants, type WorkName } from "../../platform/background/index.ts"
import { deliverySource } from "../../platform/deliveries/index.ts"
import { defineSubscriber } from "../../platform/events/index.ts"
import { IdentityEvent } from "../../platform/identity/index.ts"
import {
  applyAccountUpdates,
  applyNumberUpdates,
  applyTemplateUpdates,
  type Arrived,
  channelFor,
  chatSource
} from "../chat/index.ts"
import { CannedReplies } from "./CannedReplies.ts"
import { ContactConversations } from "./ContactConversations.ts"
import { ConversationStatus } from "./Conversation.ts"
import { Conversations } from "./Conversations.ts"
import { MediaLibrary, MediaSweep } from "./MediaLibrary.ts"
import { ConversationId, Message, MessageId } from "./Message.ts"
import { Messages } from "./Messages.ts"
import { Notes } from "./Notes.ts"
import { SendQueue, Sends } from "./SendQueue.ts"
import { AssignedConversations, conversationAssignment } from "./assignees.ts"
import { AssignmentQueue, openAssignments, Workloads } from "./assigning/AssignmentQueue.ts"
import { assignments } from "./assigning/waitingAssignments.ts"
import { ExpandedConversation } from "./conversationViews.ts"
import { InboxEvent } from "./events.ts"
import { conversationHolding } from "./joins/conversationHolding.ts"
import { applyMessages } from "./receiving/batchStorage.ts"
import { sends } from "./sending/dueSends.ts"
import { SnoozeClock, snoozes } from "./snoozing.ts"
import { getConversation } from "./use-cases/conversations.ts"
import { getMessage } from "./use-cases/messages.ts"
import { Waits } from "./waiting/Waits.ts"

/** The ports that a storage adapter provides of this area. */
const inboxStorage = [
  AssignedConversations,
  AssignmentQueue,
  CannedReplies,
  ContactConversations,
  Conversations,
  MediaLibrary,
  MediaSweep,
  Messages,
  Notes,
  SendQueue,
  Sends,
  SnoozeClock,
  Waits,
  Workloads
] as const

/** Has somebody look at the conversations that wait for a member, once somebody may be free. */
const handOutWaiting = defineSubscriber({
  name: "inbox.hand_out_waiting",
  schema: Schema.Union([...IdentityEvent.members, ...CrmEvent.members, ...InboxEvent.members]),
  events: [
    "organization.plan_changed",
    "organization.status_changed",
    "member.joined",
    "member.role_changed",
    "member.availability_changed",
    "contact.deleted",
    "conversation.assigned",
    "conversation.status_changed"
  ],
  beginsWith: "next_event",
  batch: 500,
  handle: () => openAssignments
})

/** What this area does about events. */
const inboxReactions = [handOutWaiting] as const

/** What bringing the words of messages up to date is called among the works. */
const messageRefoldsWork: WorkName = "message refolds"

/** Each organization has one lane. */
export const messageRefoldsLane = (organizationId: OrganizationId): Lane =>
  organizationLane(messageRefoldsWork, organizationId)

/** Messages that were stored under another folding are found under the present one. */
export const messageRefolds = refolding(messageRefoldsWork, (limit) =>
  Effect.flatMap(Messages, (messages) => messages.refold(limit))
)

/** Messages are sent, snoozed conversations woken, those that wait for a member handed out, and the words of messages brought up to date. */
export const inboxWorks = [
  sends,
  snoozes,
  assignments,
  messageRefolds,
  sweepTenants(
    "media",
    Effect.flatMap(MediaSweep, (media) => media.sweep())
  )
] as const

const someStatuses = valueReader(
  someOf(ConversationStatus),
  `Expected some of: ${ConversationStatus.literals.join(", ")}`
)

const holds = (values: ReadonlyArray<string>): Filter => ({ kind: "known", condition: "conversation_status", values })

/** Whether a contact has a conversation with one of these statuses. */
const conversationStatusField = defineFilterField({
  name: "conversationStatus",
  permission: "conversations.read",
  conditions: ["conversation_status"],
  operators: () => ({
    any_of: (value, fail) => someStatuses(value, fail, holds),
    none_of: (value, fail) => someStatuses(value, fail, (statuses) => negated(holds(statuses)))
  }),
  names: null,
  find: () => Effect.succeed([])
})

/** Without optional relations. */
const conversation = (event: EventShape): [id: ConversationId] | null => byId("conversationId", ConversationId)(event)

const message = (event: EventShape): [ConversationId, MessageId] | null => {
  const [conversationId, messageId] = [
    idIn(event, "conversationId", ConversationId),
    idIn(event, "messageId", MessageId)
  ]
  return conversationId === null || messageId === null ? null : [conversationId, messageId]
}

/** The resources of the events of this area, as GET answers them. */
const inboxResources = [
  eventResource("conversation", getConversation, ExpandedConversation, conversation),
  eventResource("message", getMessage, Message, message)
] as const

type Kind = Arrived["kind"]

const ofKinds = <const Kinds extends ReadonlyArray<Kind>>(events: ReadonlyArray<Arrived>, kinds: Kinds) =>
  events.filter((event): event is Extract<Arrived, { readonly kind: Kinds[number] }> => kinds.includes(event.kind))

/** Applies these events in this unit of work. Unknown events change nothing. */
const applyEvents = Effect.fnUntraced(function* (provider: string, events: ReadonlyArray<Arrived>) {
  const templates = ofKinds(events, ["template"])
  const numbers = ofKinds(events, ["number"])
  const accounts = ofKinds(events, ["account"])
  const messages = ofKinds(events, ["message", "echo", "receipt", "preference"])
  // Updates of templates touch accounts, too: accounts are locked first everywhere, so that there are no deadlocks.
  if (numbers.length > 0) yield* applyNumberUpdates(provider, numbers)
  if (accounts.length > 0) yield* applyAccountUpdates(provider, accounts)
  if (templates.length > 0) yield* applyTemplateUpdates(provider, templates)
  if (messages.length > 0) yield* Effect.orDie(applyMessages(provider, messages))
})

/** What chat providers deliver: what contacts have written, what became of messages, and what was decided about numbers. */
export const chatDeliveries = deliverySource({
  name: chatSource,
  read: Effect.fnUntraced(function* (provider, { body, id: deliveryId, receivedAt: at }) {
    const { read } = yield* Effect.orDie(channelFor({ provider }, "deliveries"))
    return read(body)?.map((event, position): Arrived => ({ ...event, arrival: { deliveryId, at, position } })) ?? null
  }),
  isUnknown: ({ kind }) => kind === "unknown",
  apply: applyEvents
})

/** What this area says of itself. */
export const inboxArea = defineArea({
  name: "messaging/inbox",
  storage: inboxStorage,
  events: seenWith(InboxEvent, {
    "conversation.opened": "conversations.read",
    "conversation.status_changed": "conversations.read",
    "conversation.assigned": "conversations.read",
    "conversation.updated": "conversations.read",
    "conversation.read": "conversations.read",
    "conversation.unread": "conversations.read",
    "message.received": "conversations.read",
    "message.echoed": "conversations.read",
    "message.queued": "conversations.read",
    "message.status_changed": "conversations.read",
    "message.updated": "conversations.read",
    "note.created": "conversations.read",
    "note.updated": "conversations.read",
    "note.deleted": "conversations.read",
    "canned_reply.created": "conversations.read",
    "canned_reply.updated": "conversations.read",
    "canned_reply.deleted": "conversations.read"
  }),
  permissions: ["conversations.read", "conversations.manage"],
  works: inboxWorks,
  reactions: inboxReactions,
  assignments: [conversationAssignment],
  contactFilterFields: [conversationStatusField],
  contactHoldings: [conversationHolding],
  deliverySources: [chatDeliveries],
  eventResources: inboxResources
})
