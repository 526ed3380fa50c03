import { DateTime, Effect, Schema } from "effect"
import { phoneCountry } from "../../../crm/index.ts"
import type { ChatAccountId } from "../../chat/index.ts"
import { MessageId } from "../Message.ts"
import { type MessageCharge, MessageCharges } from "../MessageCharges.ts"
import { type ContactEvent, occurredAt, type ReceiptEvent } from "./ContactEvent.ts"

const isMessageId = Schema.is(MessageId)

/** A provider's id of a person starts with the country, for example `US.1349120865`. */
const chatUserCountry = (chatUser: string | null): string | null => /^([A-Z]{2})\./u.exec(chatUser ?? "")?.[1] ?? null

const recipientCountry = ({ to }: ReceiptEvent): string | null =>
  (to.phone === null ? null : phoneCountry(to.phone)) ?? chatUserCountry(to.chatUser)

/** Providers write the same category with hyphens and with underscores. */
const normalizeTerm = (term: string | null): string | null =>
  term === null ? null : term.trim().toLowerCase().replaceAll("-", "_")

const deliveredStatuses: ReadonlySet<ReceiptEvent["status"]> = new Set(["delivered", "read", "played"])

/** Returns the charge that a receipt reports; `null` without pricing or before delivery, because providers charge delivered messages only. */
const toCharge = (chatAccountId: ChatAccountId, event: ReceiptEvent): MessageCharge | null => {
  const { id: providerMessageId, pricing, reference, status } = event
  if (pricing === undefined || !deliveredStatuses.has(status)) return null
  const at = occurredAt(event)
  return {
    chatAccountId,
    providerMessageId,
    messageId: isMessageId(reference) ? reference : null,
    country: recipientCountry(event),
    category: normalizeTerm(pricing.category),
    // A free entry point without further pricing is free.
    type: normalizeTerm(pricing.type) ?? (pricing.freeEntryPointExpiresAt === undefined ? null : "free_entry_point"),
    billable: pricing.billable,
    deliveredAt: at,
    pricedAt: at
  }
}

/** Decides between pricing with equal times, in every storage. */
export const chargeRank = ({ billable, category, type }: Pick<MessageCharge, "billable" | "category" | "type">) =>
  JSON.stringify([billable, category, type])

const least = <Text extends string>(one: Text | null, other: Text | null): Text | null =>
  one === null || other === null ? (one ?? other) : one < other ? one : other

const isLaterPricing = (one: MessageCharge, other: MessageCharge) =>
  DateTime.Equivalence(one.pricedAt, other.pricedAt)
    ? chargeRank(one) > chargeRank(other)
    : DateTime.isGreaterThan(one.pricedAt, other.pricedAt)

/** Combines two reports about one message. The result does not depend on order or repetition: the first delivery and the last pricing count. */
export const combineCharges = (one: MessageCharge, other: MessageCharge): MessageCharge => ({
  ...(isLaterPricing(one, other) ? one : other),
  messageId: least(one.messageId, other.messageId),
  country: least(one.country, other.country),
  deliveredAt: DateTime.min(one.deliveredAt, other.deliveredAt)
})

/** Returns the charges that these receipts report, one for each message. */
export const toCharges = (
  accounts: ReadonlyMap<string, ChatAccountId>,
  events: ReadonlyArray<ContactEvent>
): ReadonlyArray<MessageCharge> => {
  const charges = new Map<string, MessageCharge>()
  for (const event of events) {
    const chatAccountId = accounts.get(event.phoneId)
    const charge = event.kind !== "receipt" || chatAccountId === undefined ? null : toCharge(chatAccountId, event)
    if (charge === null) continue
    const key = `${charge.chatAccountId} ${charge.providerMessageId}`
    const known = charges.get(key)
    charges.set(key, known === undefined ? charge : combineCharges(known, charge))
  }
  return [...charges.values()]
}

/** Stores the charges that these receipts report. */
export const recordCharges = Effect.fnUntraced(function* (
  accounts: ReadonlyMap<string, ChatAccountId>,
  events: ReadonlyArray<ContactEvent>
) {
  const charges = toCharges(accounts, events)
  if (charges.length > 0) yield* (yield* MessageCharges).record(charges)
})
