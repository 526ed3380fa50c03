import { Result, Schema } from "effect"
import { BroadcastId } from "../../../campaigns/index.ts"
import { FulfilmentStatus, PaymentStatus, ProductId, StoreConnectionId } from "../../../commerce/index.ts"
import { everybody, type Filter, type FilterFieldOfArea, type Operators, TagId } from "../../../crm/index.ts"
import { type Permission, UserId } from "../../../kernel/index.ts"
import { ChatAccountId } from "../../../messaging/chat/index.ts"
import { ConversationStatus, MessageKind, Priority } from "../../../messaging/inbox/index.ts"
import { Name } from "../../../platform/identity/index.ts"
import type { ScheduleId } from "../../schedules/index.ts"
import { type Group, type Groups, isGroup, permissionOfGroup } from "../triggers/factGroups.ts"
import type { ConditionInput } from "./ConditionInput.ts"
import {
  choiceOperators,
  countOperators,
  type FactOperators,
  type FactTest,
  listOperators,
  moneyOperators,
  spokenOperators,
  textOperators,
  timeOperators,
  yesOrNoOperators
} from "./factTests.ts"

/** What conditions name by its id. */
export type NamedKind = "broadcast" | "chat account" | "member" | "product" | "store connection" | "tag"

/** A field of what an event is about. */
export interface FactField {
  readonly operators: FactOperators
  /** What its values name by their ids, in the words of an error; `null` if they name nothing. */
  readonly names: NamedKind | null
}

const field = (operators: FactOperators, names: NamedKind | null = null): FactField => ({ operators, names })

const choice = <A extends string>(schema: Schema.Codec<A, unknown> & { readonly literals: ReadonlyArray<A> }) => {
  const words = schema.literals.join(", ")
  return field(choiceOperators(schema, `Expected one of: ${words}`, `Expected some of: ${words}`))
}

const idOf = <A extends string>(schema: Schema.Codec<A, unknown>, names: NamedKind) =>
  field(choiceOperators(schema, `Expected the id of a ${names}`, `Expected 1 to 50 ids of ${names}s`), names)

const idsOf = <A extends string>(schema: Schema.Codec<A, unknown>, names: NamedKind) =>
  field(listOperators(schema, `Expected 1 to 50 ids of ${names}s`), names)

const exactly = (text: string) => text

const Sku = Schema.String.check(Schema.isBetweenCodePoints(1, 200))

const counted = field(countOperators)
const money = field(moneyOperators)
const skus = field(listOperators(Sku, "Expected 1 to 50 texts"))
const time = field(timeOperators)
const yesOrNo = field(yesOrNoOperators)

/** What conditions may look at beside contacts. */
export const factFields = {
  "message.text": field(spokenOperators),
  "message.replyId": field(textOperators(exactly)),
  "message.kind": choice(MessageKind),
  "message.hasMedia": yesOrNo,
  "conversation.status": choice(ConversationStatus),
  "conversation.priority": choice(Priority),
  "conversation.assigneeId": idOf(UserId, "member"),
  "conversation.chatAccountId": idOf(ChatAccountId, "chat account"),
  "conversation.labels": field(listOperators(Name, "Expected 1 to 50 labels")),
  "conversation.unreadCount": counted,
  "conversation.createdAt": time,
  "conversation.waitingSince": time,
  "conversation.firstRepliedAt": time,
  "conversation.windowOpen": yesOrNo,
  "order.paymentStatus": choice(PaymentStatus),
  "order.fulfilmentStatus": choice(FulfilmentStatus),
  "order.storeConnectionId": idOf(StoreConnectionId, "store connection"),
  "order.productIds": idsOf(ProductId, "product"),
  "order.skus": skus,
  "order.itemCount": counted,
  "order.total": money,
  "order.placedAt": time,
  "order.isFirst": yesOrNo,
  "cart.storeConnectionId": idOf(StoreConnectionId, "store connection"),
  "cart.productIds": idsOf(ProductId, "product"),
  "cart.skus": skus,
  "cart.itemCount": counted,
  "cart.total": money,
  "cart.lastActivityAt": time,
  "event.isFirst": yesOrNo,
  "event.from": choice(ConversationStatus),
  "event.tagIds": idsOf(TagId, "tag"),
  "event.amount": money,
  "event.broadcastId": idOf(BroadcastId, "broadcast")
} as const satisfies Readonly<Record<string, FactField>>

/** The name of such a field. */
export type FactFieldName = keyof typeof factFields

/** All names of such fields. */
const factFieldNames = Object.keys(factFields) as ReadonlyArray<FactFieldName>

/** Whether this is the name of such a field. */
export const isFactFieldName = (name: string | undefined): name is FactFieldName =>
  name !== undefined && Object.hasOwn(factFields, name)

const groupOf: ReadonlyMap<FactFieldName, string> = new Map(
  factFieldNames.map((name) => [name, name.slice(0, name.indexOf("."))])
)

/** Permission to read a field. Fields of `event` have individual permissions. Other fields use the permission of their group. */
const permissionOfFact = (name: FactFieldName): Permission =>
  permissionOfGroup[isGroup(name) ? name : (groupOf.get(name) as Group)]

/** Whether conditions may look at it where these groups are known. */
export const isKnownIn = (name: FactFieldName, groups: Groups): boolean =>
  groups.has(name as Group) || groups.has(groupOf.get(name) as Group)

/** A condition without parts, as it was written. */
export type Said = Pick<ConditionInput, "field" | "key" | "op" | "value">

/** A condition that has been read. `said` is how it was written. */
export type Condition =
  | { readonly kind: "always" }
  | { readonly kind: "all" | "any"; readonly of: ReadonlyArray<Condition> }
  | { readonly kind: "not"; readonly of: Condition }
  | { readonly kind: "contact"; readonly said: Said; readonly filter: Filter }
  | { readonly kind: "fact"; readonly said: Said; readonly field: FactFieldName; readonly test: FactTest }
  | { readonly kind: "schedule"; readonly said: Said; readonly id: ScheduleId; readonly isOpen: boolean }
  /** What it names is gone: it holds for nobody. */
  | { readonly kind: "gone"; readonly said: Said }

const scheduleField: FilterFieldOfArea = {
  name: "schedule",
  permission: "organization.read",
  takesKey: true,
  names: null,
  operators: () => ({
    is: (value, fail) => (value === "open" || value === "closed" ? everybody : fail("Expected one of: open, closed"))
  })
}

/** A fact as a field of filters, whose values it reads: whom it finds is nobody's question. */
const asFilterField = (name: FactFieldName): FilterFieldOfArea => {
  const operators: Operators = Object.fromEntries(
    Object.entries(factFields[name].operators).map(([op, read]): [string, Operators[string]] => [
      op,
      (value, fail) => Result.match(read(value), { onFailure: fail, onSuccess: () => everybody })
    ])
  )
  return { name, permission: permissionOfFact(name), names: null, operators: () => operators }
}

// Made once: conditions are read for each event.
const fields = factFieldNames.map((name) => ({ name, field: asFilterField(name) }))

/** The fields of conditions that are none of filters of contacts, for their reader: it finds the faults. */
export const fieldsBeside = (groups: Groups): ReadonlyArray<FilterFieldOfArea> => [
  ...fields.flatMap(({ field, name }) => (isKnownIn(name, groups) ? [field] : [])),
  scheduleField
]
