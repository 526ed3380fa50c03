import { Effect, Schema } from "effect"
import {
  CrmEvent,
  defineFilterField,
  type Filter,
  negateFilter,
  searchReindex,
  nonEmptyList,
  valueReader
} from "../../crm/index.ts"
import {
  idInput,
  defineArea,
  defineEventResource,
  type EventShape,
  decodeIdField,
  type OrganizationId,
  defineEvents
} from "../../kernel/index.ts"
import { type Lane, organizationLane, sweepOrganizations, type TaskName } from "../../platform/background/index.ts"
import { defineDeliverySource } from "../../platform/deliveries/index.ts"
import { defineEventConsumer } from "../../platform/events/index.ts"
import { IdentityEvent } from "../../platform/identity/index.ts"
import {
  applyAccountUpdates,
  applyNumberUpdates,
  applyNotices,
  applyTemplateUpdates,
  type ReceivedEvent,
  channelFor,
  chatSource
} from "../chat/index.ts"
import { CannedReplies } from "./CannedReplies.ts"
import { ContactConversations } from "./ContactConversations.ts"
import { ConversationStatus } from "./Conversation.ts"
import { Conversations } from "./Conversations.ts"
import { MediaLibrary, MediaSweep } from "./MediaLibrary.ts"
import { ConversationId, Message, MessageId } from "./Message.ts"
import { MessageCharges } from "./MessageCharges.ts"
import { Messages } from "./Messages.ts"
import { Notes } from "./Notes.ts"
import { OneTimeCodes, sealedOneTimeCodes } from "./OneTimeCodes.ts"
import { SendQueue, QueuedSends } from "./SendQueue.ts"
import { AssignedConversations } from "./assignees.ts"
import { AssignmentQueue, scheduleAssignments, Workloads } from "./assigning/AssignmentQueue.ts"
import { assignmentTask } from "./assigning/waitingAssignments.ts"
import { ExpandedConversation } from "./conversationViews.ts"
import { InboxEvent } from "./events.ts"
import { conversationData } from "./conversationMerges/conversationData.ts"
import { applyMessages } from "./receiving/batchStorage.ts"
import { sendTask } from "./sending/dueSends.ts"
import { SnoozeTimers, snoozeTask } from "./snoozing.ts"
import { getConversation } from "./use-cases/conversations.ts"
import { getMessage } from "./use-cases/messages.ts"
import { Waits } from "./waiting/Waits.ts"

const inboxStorage = [
  AssignedConversations,
  AssignmentQueue,
  CannedReplies,
  ContactConversations,
  Conversations,
  MediaLibrary,
  MediaSweep,
  MessageCharges,
  Messages,
  Notes,
  OneTimeCodes,
  SendQueue,
  QueuedSends,
  SnoozeTimers,
  Waits,
  Workloads
] as const

/** Schedules the assignment of waiting conversations after events that can free a member. */
const scheduleWaitingAssignments = defineEventConsumer({
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
  handle: () => scheduleAssignments
})

const inboxEventConsumers = [scheduleWaitingAssignments] as const

/** Name of the background task that updates the search terms of messages. */
const messageReindexTaskName: TaskName = "message refolds"

/** Each organization has one lane. */
export const messageReindexLane = (organizationId: OrganizationId): Lane =>
  organizationLane(messageReindexTaskName, organizationId)

/** Updates messages whose search terms were stored under an older folding. */
export const messageReindex = searchReindex(messageReindexTaskName, (limit) =>
  Effect.flatMap(Messages, (messages) => messages.refold(limit))
)

/** Background tasks: send messages, wake snoozed conversations, assign waiting conversations, and update search terms; delete unused files
 * and expired codes.
 */
export const inboxTasks = [
  sendTask,
  snoozeTask,
  assignmentTask,
  messageReindex,
  sweepOrganizations(
    "media",
    Effect.flatMap(MediaSweep, (media) => media.sweep())
  ),
  sweepOrganizations(
    "one-time codes",
    Effect.flatMap(OneTimeCodes, (codes) => codes.sweep())
  )
] as const

const readStatuses = valueReader(
  nonEmptyList(ConversationStatus),
  `Expected some of: ${ConversationStatus.literals.join(", ")}`
)

const statusFilter = (values: ReadonlyArray<string>): Filter => ({
  kind: "known",
  condition: "conversation_status",
  values
})

/** Whether a contact has a conversation with one of these statuses. */
const conversationStatusField = defineFilterField({
  name: "conversationStatus",
  type: "choice",
  choices: ConversationStatus.literals,
  permission: "conversations.read",
  conditions: ["conversation_status"],
  operators: () => ({
    any_of: (value, fail) => readStatuses(value, fail, statusFilter),
    none_of: (value, fail) => readStatuses(value, fail, (statuses) => negateFilter(statusFilter(statuses)))
  }),
  names: null,
  find: () => Effect.succeed([])
})

const messageInput = (event: EventShape): { readonly id: ConversationId; readonly messageId: MessageId } | null => {
  const [id, messageId] = [
    decodeIdField(event, "conversationId", ConversationId),
    decodeIdField(event, "messageId", MessageId)
  ]
  return id === null || messageId === null ? null : { id, messageId }
}

/** Resources of the events of this area, as returned by GET. */
const inboxResources = [
  defineEventResource("conversation", getConversation, ExpandedConversation, idInput("conversationId", ConversationId)),
  defineEventResource("message", getMessage, Message, messageInput)
] as const

type EventKind = ReceivedEvent["kind"]

const filterByKinds = <const Kinds extends ReadonlyArray<EventKind>>(
  events: ReadonlyArray<ReceivedEvent>,
  kinds: Kinds
) =>
  events.filter((event): event is Extract<ReceivedEvent, { readonly kind: Kinds[number] }> =>
    kinds.includes(event.kind)
  )

/** Applies these events in the current unit of work. Unknown events have no effect. */
const applyEvents = Effect.fnUntraced(function* (provider: string, events: ReadonlyArray<ReceivedEvent>) {
  const templates = filterByKinds(events, ["template"])
  const numbers = filterByKinds(events, ["number"])
  const accounts = filterByKinds(events, ["account"])
  const notices = filterByKinds(events, ["notice"])
  const messages = filterByKinds(events, ["message", "echo", "history", "address", "receipt", "payment", "preference"])
  // Updates of templates also lock accounts. Accounts are always locked first to prevent deadlocks.
  if (numbers.length > 0) yield* applyNumberUpdates(provider, numbers)
  if (accounts.length > 0) yield* applyAccountUpdates(provider, accounts)
  if (notices.length > 0) yield* applyNotices(provider, notices)
  if (templates.length > 0) yield* applyTemplateUpdates(provider, templates)
  if (messages.length > 0) yield* Effect.orDie(applyMessages(provider, messages))
})

/** Deliveries of chat providers: messages of contacts, receipts, and decisions about numbers. */
export const chatDeliveries = defineDeliverySource({
  name: chatSource,
  read: Effect.fnUntraced(function* (provider, { body, id: deliveryId, receivedAt: at }) {
    const { read } = yield* Effect.orDie(channelFor({ provider }, "deliveries"))
    return (
      read(body)?.map((event, position): ReceivedEvent => ({ ...event, arrival: { deliveryId, at, position } })) ?? null
    )
  }),
  isUnknown: ({ kind }) => kind === "unknown",
  apply: applyEvents
})

export const inboxArea = defineArea({
  name: "messaging/inbox",
  storage: inboxStorage,
  events: defineEvents(InboxEvent, {
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
  permissions: ["conversations.read", "conversations.manage", "messages.send_provider"],
  backgroundTasks: inboxTasks,
  eventConsumers: inboxEventConsumers,
  contactFilterFields: [conversationStatusField],
  contactDataOwners: [conversationData],
  deliverySources: [chatDeliveries],
  sealedValues: [sealedOneTimeCodes],
  eventResources: inboxResources
})
