import { Effect } from "effect"
import { loadCostCounter, MessageId, readMessageCost } from "../../messaging/inbox/index.ts"
import type { Broadcast, VariantKey } from "../Broadcast.ts"
import { type BroadcastId, recipientIdAt, recipientPrefix } from "../Ids.ts"
import { RecipientList } from "../RecipientList.ts"

const maxPlace = 0xffff_ffff

/** Reads the cost of the delivered messages of a broadcast. Their ids are the ids of its recipients, which share a prefix. */
export const readBroadcastCost = (id: BroadcastId) => {
  const prefix = recipientPrefix(id)
  return readMessageCost({
    kind: "messages",
    first: MessageId.make(recipientIdAt(prefix, 0)),
    last: MessageId.make(recipientIdAt(prefix, maxPlace))
  })
}

/** Returns the costs of a variant's delivered messages. Broadcasts without variants are not read. */
export const makeVariantCosts = Effect.fnUntraced(function* ({ id, variants }: Pick<Broadcast, "id" | "variants">) {
  const tallies = variants === null ? [] : yield* (yield* RecipientList).tallyCharges(id)
  const count = yield* loadCostCounter()
  return (key: VariantKey) => count(tallies.filter(({ variant }) => variant === key))
})
