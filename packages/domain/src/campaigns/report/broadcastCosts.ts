import { Effect } from "effect"
import {
  type ChargeSelection,
  loadCostCounter,
  MessageCharges,
  MessageId,
  readMessageCost
} from "../../messaging/inbox/index.ts"
import type { Broadcast, VariantKey } from "../Broadcast.ts"
import { type BroadcastId, recipientIdAt, recipientPrefix } from "../Ids.ts"
import { RecipientList } from "../RecipientList.ts"

const maxPlace = 0xffff_ffff

/** Selects the messages of a broadcast. Their ids are the ids of its recipients, which share a prefix. */
const messagesOf = (id: BroadcastId): ChargeSelection => {
  const prefix = recipientPrefix(id)
  return {
    kind: "messages",
    first: MessageId.make(recipientIdAt(prefix, 0)),
    last: MessageId.make(recipientIdAt(prefix, maxPlace))
  }
}

/** Reads the cost of the delivered messages of a broadcast. */
export const readBroadcastCost = (id: BroadcastId) => readMessageCost(messagesOf(id))

/** Reads the costs of the delivered messages of a broadcast and of its variants. */
export const readBroadcastCosts = Effect.fnUntraced(function* ({ id, variants }: Pick<Broadcast, "id" | "variants">) {
  const count = yield* loadCostCounter()
  const all = yield* (yield* MessageCharges).tally(messagesOf(id), [])
  const tallies = variants === null ? [] : yield* (yield* RecipientList).tallyCharges(id)
  return {
    total: count(all),
    ofVariant: (key: VariantKey) => count(tallies.filter(({ variant }) => variant === key))
  }
})
