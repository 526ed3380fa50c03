import { Schema } from "effect"
import { BroadcastId } from "../../../campaigns/index.ts"
import { ChatAccountId } from "../../../messaging/chat/index.ts"
import { TagId } from "../../../crm/index.ts"
import { Name } from "../../../platform/identity/index.ts"
import { ConversationStatus, MessageKind, Priority } from "../../../messaging/inbox/index.ts"
import { type Permission, UserId } from "../../../kernel/index.ts"
import { FulfilmentStatus, PaymentStatus, ProductId, StoreConnectionId } from "../../../commerce/index.ts"
import { type Group, type Groups, isGroup, permissionOfGroup } from "../triggers/groups.ts"
import {
  choiceOperators,
  countOperators,
  type FactOperators,
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
export const factFieldNames = Object.keys(factFields) as ReadonlyArray<FactFieldName>

/** Whether this is the name of such a field. */
export const isFactFieldName = (name: string | undefined): name is FactFieldName =>
  name !== undefined && Object.hasOwn(factFields, name)

const groupOf: ReadonlyMap<FactFieldName, string> = new Map(
  factFieldNames.map((name) => [name, name.slice(0, name.indexOf("."))])
)

/** Permission to read a field. Fields of `event` have individual permissions. Other fields use the permission of their group. */
export const permissionOfFact = (name: FactFieldName): Permission =>
  permissionOfGroup[isGroup(name) ? name : (groupOf.get(name) as Group)]

/** Whether conditions may look at it where these groups are known. */
export const isKnownIn = (name: FactFieldName, groups: Groups): boolean =>
  groups.has(name as Group) || groups.has(groupOf.get(name) as Group)
