import { Record as Records } from "effect"
import type { Permission } from "../../../kernel/index.ts"
import type { Trigger, TriggerEvent } from "./Trigger.ts"

/** Facts that an event provides: a group, or a single fact of the event itself. */
export type FactGroup =
  | "contact"
  | "conversation"
  | "message"
  | "note"
  | "order"
  | "cart"
  | "webhook"
  | "steps"
  | "event.isFirst"
  | "event.from"
  | "event.tagIds"
  | "event.fields"
  | "event.assigneeId"
  | "event.amount"
  | "event.broadcastId"

/** Permission to read each group. */
export const permissionOfGroup: Readonly<Record<FactGroup, Permission>> = {
  contact: "contacts.read",
  conversation: "conversations.read",
  message: "conversations.read",
  note: "conversations.read",
  order: "commerce.read",
  cart: "commerce.read",
  webhook: "contacts.read",
  steps: "contacts.read",
  "event.isFirst": "conversations.read",
  "event.from": "conversations.read",
  "event.tagIds": "contacts.read",
  "event.fields": "contacts.read",
  "event.assigneeId": "conversations.read",
  "event.amount": "commerce.read",
  "event.broadcastId": "broadcasts.read"
}

export const isFactGroup = (name: string): name is FactGroup => Object.hasOwn(permissionOfGroup, name)

/** Facts that conditions and texts can name. */
export type FactGroups = ReadonlySet<FactGroup>

const order = ["order", "event.amount"] as const

const groupsByTrigger: { readonly [Event in TriggerEvent]: ReadonlyArray<FactGroup> } = {
  "message.received": ["conversation", "message", "event.isFirst"],
  "message.read": ["conversation", "message"],
  "message.failed": ["conversation", "message"],
  "conversation.opened": ["conversation", "event.from"],
  "conversation.resolved": ["conversation", "event.from"],
  "conversation.assigned": ["conversation", "event.assigneeId"],
  "conversation.idle": ["conversation", "message"],
  "contact.created": [],
  "contact.updated": ["event.fields"],
  "contact.tagged": ["event.tagIds"],
  "contact.untagged": ["event.tagIds"],
  "contact.opted_out": [],
  "note.created": ["conversation", "note"],
  "order.created": order,
  "order.paid": order,
  "order.fulfilled": order,
  "order.cancelled": order,
  "order.refunded": order,
  "cart.abandoned": ["cart"],
  "broadcast.replied": ["conversation", "message", "event.broadcastId"],
  "webhook.received": ["webhook"],
  "schedule.reached": [],
  "contact.date_reached": []
}

export const allFactGroups: ReadonlySet<FactGroup> = new Set(["contact", ...Object.values(groupsByTrigger).flat()])

/** Adds the results of the nodes of a workflow. */
export const withStepGroup = (groups: FactGroups): FactGroups => new Set<FactGroup>([...groups, "steps"])

/** Facts without a start event. */
export const contactFactGroups: ReadonlySet<FactGroup> = new Set<FactGroup>(["contact"])

const factGroupsByTrigger = Records.map(
  groupsByTrigger,
  (beside): FactGroups => new Set<FactGroup>(["contact", ...beside])
)

/** Facts that the event provides. */
export const factGroupsOf = ({ event }: Pick<Trigger, "event">): FactGroups => factGroupsByTrigger[event]
