import { DateTime, Effect, Order } from "effect"
import { CurrentActor, holds, type Slice } from "../../kernel/index.ts"
import type { TimelineEntry } from "../../TimelineEntry.ts"
import { ContactConversations } from "../ContactConversations.ts"
import { ContactHistory } from "../ContactHistory.ts"
import type { ContactId } from "../Ids.ts"

/** Whether whoever asks may read what was written with contacts. */
export const mayReadConversations = Effect.map(CurrentActor, (actor) => holds(actor, "conversations.read"))

const newestFirst = Order.flip(
  Order.combine(
    Order.mapInput(DateTime.Order, ({ at }: TimelineEntry) => at),
    Order.mapInput(Order.String, ({ id }: TimelineEntry) => id)
  )
)

/** What happened with the contact, from all that keep something of it, in one order. */
export const timelineOf = Effect.fnUntraced(function* (id: ContactId, slice: Slice) {
  const history: ReadonlyArray<TimelineEntry> = yield* (yield* ContactHistory).timeline(id, slice)
  if (!(yield* mayReadConversations)) return history
  const written = yield* (yield* ContactConversations).timeline(id, slice)
  return [...history, ...written].toSorted(newestFirst).slice(0, slice.limit)
})
