import { Result, Schema } from "effect"
import { BroadcastId } from "../../../campaigns/index.ts"
import { FulfilmentStatus, PaymentStatus, ProductId, StoreConnectionId } from "../../../commerce/index.ts"
import { anyContact, type Filter, type AreaFilterField, type OperatorReaders, TagId } from "../../../crm/index.ts"
import { type Permission, UserId } from "../../../kernel/index.ts"
import { ChatAccountId } from "../../../messaging/chat/index.ts"
import {
  ConversationStatus,
  MessageAuthor,
  MessageKind,
  MessageStatus,
  Priority
} from "../../../messaging/inbox/index.ts"
import { SingleLineText } from "../../../platform/identity/index.ts"
import type { ScheduleId } from "../../schedules/index.ts"
import { ChangedContactField } from "../triggers/Trigger.ts"
import { type FactGroup, type FactGroups, isFactGroup, permissionOfGroup } from "../triggers/factGroups.ts"
import type { ConditionInput } from "./ConditionInput.ts"
import {
  choiceOperators,
  countOperators,
  jsonOperators,
  type FactOperators,
  type FactTest,
  listOperators,
  moneyOperators,
  messageTextOperators,
  textOperators,
  timeOperators,
  booleanOperators
} from "./factTests.ts"

/** Kind of resource that conditions name by id. */
export type ReferencedKind = "broadcast" | "chat account" | "member" | "product" | "store connection" | "tag"

/** Field of a fact group. */
export interface FactField {
  readonly operators: FactOperators
  /** Kind of resource that the values name by id, as used in errors; `null` if they name none. */
  readonly names: ReferencedKind | null
}

const field = (operators: FactOperators, names: ReferencedKind | null = null): FactField => ({ operators, names })

const choice = <A extends string>(schema: Schema.Codec<A, unknown> & { readonly literals: ReadonlyArray<A> }) => {
  const words = schema.literals.join(", ")
  return field(choiceOperators(schema, `Expected one of: ${words}`, `Expected some of: ${words}`))
}

const idField = <A extends string>(schema: Schema.Codec<A, unknown>, names: ReferencedKind) =>
  field(choiceOperators(schema, `Expected the id of a ${names}`, `Expected 1 to 50 ids of ${names}s`), names)

const idListField = <A extends string>(schema: Schema.Codec<A, unknown>, names: ReferencedKind) =>
  field(listOperators(schema, `Expected 1 to 50 ids of ${names}s`), names)

const exactText = (text: string) => text

const Sku = Schema.String.check(Schema.isBetweenCodePoints(1, 200))

const countField = field(countOperators)
const money = field(moneyOperators)
const skus = field(listOperators(Sku, "Expected 1 to 50 texts"))
const time = field(timeOperators)
const booleanField = field(booleanOperators)

/** Condition fields in addition to contact fields. */
export const factFields = {
  "message.text": field(messageTextOperators),
  "message.replyId": field(textOperators(exactText)),
  "message.kind": choice(MessageKind),
  "message.hasMedia": booleanField,
  "message.status": choice(MessageStatus),
  "message.errorCode": field(textOperators(exactText)),
  "message.authorKind": choice(MessageAuthor.fields.kind),
  "note.text": field(messageTextOperators),
  "note.authorId": idField(UserId, "member"),
  "note.mentions": idListField(UserId, "member"),
  "conversation.status": choice(ConversationStatus),
  "conversation.priority": choice(Priority),
  "conversation.assigneeId": idField(UserId, "member"),
  "conversation.chatAccountId": idField(ChatAccountId, "chat account"),
  "conversation.labels": field(listOperators(SingleLineText, "Expected 1 to 50 labels")),
  "conversation.unreadCount": countField,
  "conversation.createdAt": time,
  "conversation.waitingSince": time,
  "conversation.firstRepliedAt": time,
  "conversation.windowOpen": booleanField,
  "order.paymentStatus": choice(PaymentStatus),
  "order.fulfilmentStatus": choice(FulfilmentStatus),
  "order.storeConnectionId": idField(StoreConnectionId, "store connection"),
  "order.productIds": idListField(ProductId, "product"),
  "order.skus": skus,
  "order.itemCount": countField,
  "order.total": money,
  "order.placedAt": time,
  "order.isFirst": booleanField,
  "cart.storeConnectionId": idField(StoreConnectionId, "store connection"),
  "cart.productIds": idListField(ProductId, "product"),
  "cart.skus": skus,
  "cart.itemCount": countField,
  "cart.total": money,
  "cart.lastActivityAt": time,
  "event.isFirst": booleanField,
  "event.from": choice(ConversationStatus),
  "event.tagIds": idListField(TagId, "tag"),
  "event.fields": field(listOperators(ChangedContactField, "Expected 1 to 50 fields of a contact")),
  "event.assigneeId": idField(UserId, "member"),
  "event.amount": money,
  "event.broadcastId": idField(BroadcastId, "broadcast")
} as const satisfies Readonly<Record<string, FactField>>

export type FactFieldName = keyof typeof factFields

const factFieldNames = Object.keys(factFields) as ReadonlyArray<FactFieldName>

export const isFactFieldName = (name: string | undefined): name is FactFieldName =>
  name !== undefined && Object.hasOwn(factFields, name)

const groupOf: ReadonlyMap<FactFieldName, string> = new Map(
  factFieldNames.map((name) => [name, name.slice(0, name.indexOf("."))])
)

/** Permission to read a field. Fields of `event` have individual permissions. Other fields use the permission of their group. */
const permissionOfFact = (name: FactFieldName): Permission =>
  permissionOfGroup[isFactGroup(name) ? name : (groupOf.get(name) as FactGroup)]

/** Whether conditions can use the field with these groups. */
export const isFactFieldAvailable = (name: FactFieldName, groups: FactGroups): boolean =>
  groups.has(name as FactGroup) || groups.has(groupOf.get(name) as FactGroup)

/** Condition without parts, as in the input. */
export type LeafConditionInput = Pick<ConditionInput, "field" | "key" | "op" | "value">

/** Names that lead to a value in free JSON. */
type DataPath = ReadonlyArray<string>

/** Fields with free JSON: the data of a call of a trigger URL, and the steps of a workflow run. */
const dataSources = ["webhook", "steps"] as const
export type DataSource = (typeof dataSources)[number]

export const isDataSource = (name: string | undefined): name is DataSource =>
  dataSources.some((source) => source === name)

/** Parsed condition. `input` is its input. */
export type Condition =
  | { readonly kind: "always" }
  | { readonly kind: "all" | "any"; readonly of: ReadonlyArray<Condition> }
  | { readonly kind: "not"; readonly of: Condition }
  | { readonly kind: "contact"; readonly input: LeafConditionInput; readonly filter: Filter }
  | {
      readonly kind: "fact"
      readonly input: LeafConditionInput
      readonly field: FactFieldName
      readonly test: FactTest
    }
  | { readonly kind: "schedule"; readonly input: LeafConditionInput; readonly id: ScheduleId; readonly isOpen: boolean }
  | {
      readonly kind: "data"
      readonly source: DataSource
      readonly input: LeafConditionInput
      readonly path: DataPath
      readonly test: FactTest
    }
  /** The named resource is deleted, so the condition never holds. */
  | { readonly kind: "gone"; readonly input: LeafConditionInput }

const scheduleField: AreaFilterField = {
  name: "schedule",
  permission: "organization.read",
  takesKey: true,
  names: null,
  operators: () => ({
    is: (value, fail) => (value === "open" || value === "closed" ? anyContact : fail("Expected one of: open, closed"))
  })
}

const toFilterOperators = (operators: FactOperators): OperatorReaders =>
  Object.fromEntries(
    Object.entries(operators).map(([op, read]): [string, OperatorReaders[string]] => [
      op,
      (value, fail) => Result.match(read(value), { onFailure: fail, onSuccess: () => anyContact })
    ])
  )

/** Wraps a fact as a filter field, only to parse its values. It is never used to search contacts. */
const toFilterField = (name: FactFieldName): AreaFilterField => {
  const operators = toFilterOperators(factFields[name].operators)
  return { name, permission: permissionOfFact(name), names: null, operators: () => operators }
}

const dataOperators = toFilterOperators(jsonOperators)

/** Value in free JSON. The key is its path. */
const dataField = (name: DataSource): AreaFilterField => ({
  name,
  permission: permissionOfGroup[name],
  takesKey: true,
  names: null,
  operators: () => dataOperators
})

const dataFields = dataSources.map((name) => ({ name, field: dataField(name) }))

// Built once, because conditions are parsed for each event.
const factFilterFields = factFieldNames.map((name) => ({ name, field: toFilterField(name) }))

/** Condition fields that contact filters do not have. The condition reader reports their errors. */
export const conditionOnlyFields = (groups: FactGroups): ReadonlyArray<AreaFilterField> => [
  ...factFilterFields.flatMap(({ field, name }) => (isFactFieldAvailable(name, groups) ? [field] : [])),
  ...dataFields.flatMap(({ field, name }) => (groups.has(name) ? [field] : [])),
  scheduleField
]
