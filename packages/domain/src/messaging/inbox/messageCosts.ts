import { Effect, Schema } from "effect"
import { Currency } from "../../kernel/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import { FineAmount, makeRateFinder, type MessageRate, RateCards } from "../chat/index.ts"
import type { ConversationId, MessageId } from "./Message.ts"
import { type ChargeSelection, type ChargeTally, MessageCharges } from "./MessageCharges.ts"

/** Fields of the cost of delivered messages, in one currency. */
export const costFields = {
  currency: Currency,
  amount: FineAmount.annotateKey({
    description:
      "Sum of the rates in 1/10,000 of the smallest unit of the currency, never rounded: 73300 is 7.33 cents in EUR."
  }),
  messages: Schema.Int.annotateKey({ description: "Delivered messages for which the provider reported pricing." }),
  free: Schema.Int.annotateKey({ description: "Messages without a price, such as those in a free entry point." }),
  withoutRate: Schema.Int.annotateKey({
    description: "Messages with a price, for which no imported rate card has a rate. `amount` does not contain them."
  })
}

/** Cost of delivered messages, in one currency. */
export const MessageCost = Schema.Struct(costFields).annotate({ identifier: "MessageCost" })
export type MessageCost = typeof MessageCost.Type

/** Cost of one delivered message. */
export const SingleMessageCost = Schema.Struct({
  currency: Currency,
  amount: FineAmount.annotateKey({
    description:
      "Price in 1/10,000 of the smallest unit of the currency: 73300 is 7.33 cents in EUR. 0 for free messages."
  })
}).annotate({ identifier: "SingleMessageCost" })
export type SingleMessageCost = typeof SingleMessageCost.Type

/** Facts that decide a cost. */
type CountedCharges = Omit<ChargeTally, "range">

/** The type decides. Older versions of the provider report only whether a message is billable. */
const isFree = ({ billable, type }: CountedCharges) => (type === null ? billable === false : type.startsWith("free_"))

/** Returns the cost of counted messages by the rates of a currency. Amounts are sums of integers, so they are exact. */
export const makeCostCounter = (currency: Currency, rates: ReadonlyArray<MessageRate>) => {
  const findRate = makeRateFinder(rates)
  return (tallies: Iterable<CountedCharges>): MessageCost => {
    let [amount, messages, free, withoutRate] = [0, 0, 0, 0]
    for (const tally of tallies) {
      messages += tally.messages
      if (isFree(tally)) {
        free += tally.messages
        continue
      }
      const rate = findRate({ ...tally, day: tally.rateDay })
      if (rate === null) withoutRate += tally.messages
      else amount += rate.amount * tally.messages
    }
    return { currency, amount, messages, free, withoutRate }
  }
}

/** Loads the rates of a currency, by default the organization's. */
export const loadCostCounter = Effect.fnUntraced(function* (requested?: Currency) {
  const currency = requested ?? (yield* (yield* Organizations).current()).currency
  return makeCostCounter(currency, yield* (yield* RateCards).find(currency))
})

/** Reads the cost of these messages in the organization's currency. */
export const readMessageCost = Effect.fnUntraced(function* (selection: ChargeSelection) {
  const count = yield* loadCostCounter()
  return count(yield* (yield* MessageCharges).tally(selection, []))
})

/** Reads the costs of these conversations. A conversation without charged messages costs nothing. */
export const readConversationCosts = Effect.fnUntraced(function* (ids: ReadonlyArray<ConversationId>) {
  const tallies = yield* (yield* MessageCharges).tallyEach({ kind: "conversations", ids })
  const count = yield* loadCostCounter()
  const byConversation = Map.groupBy(tallies, ({ resourceId }) => resourceId)
  return (id: ConversationId) => count(byConversation.get(id) ?? [])
})

/** Reads the costs of these messages. Messages without reported pricing or without a rate are missing. */
export const readMessageCosts = Effect.fnUntraced(function* (ids: ReadonlyArray<MessageId>) {
  const costs = new Map<string, SingleMessageCost>()
  const tallies = yield* (yield* MessageCharges).tallyEach({ kind: "messages", ids })
  if (tallies.length === 0) return costs
  const count = yield* loadCostCounter()
  for (const [id, mine] of Map.groupBy(tallies, ({ resourceId }) => resourceId)) {
    const { amount, currency, withoutRate } = count(mine)
    if (withoutRate === 0) costs.set(id, { currency, amount })
  }
  return costs
})
