import { DateTime, Effect, Order } from "effect"
import type { Slice, Tenancy } from "../../kernel/index.ts"
import type { AnyHolding, EntryOf, EntryShape, NeedsOf } from "../ContactHolding.ts"
import { ContactHistory } from "../ContactHistory.ts"
import type { ContactId } from "../Ids.ts"
import type { HistoryEntry } from "../Timeline.ts"
import { readableHoldings } from "./readableHoldings.ts"

const newestFirst = Order.flip(
  Order.combine(
    Order.mapInput(DateTime.Order, ({ at }: EntryShape) => at),
    Order.mapInput(Order.String, ({ id }: EntryShape) => id)
  )
)

const entriesOf = <H extends AnyHolding>(holding: H, id: ContactId, slice: Slice) =>
  holding.timeline(id, slice) as Effect.Effect<ReadonlyArray<EntryOf<H>>, never, NeedsOf<H> | Tenancy>

/** The contact's timeline: its own history merged with the entries of all holdings the actor may read, newest first. */
export const timelineOf = Effect.fnUntraced(function* <H extends AnyHolding>(
  holdings: ReadonlyArray<H>,
  id: ContactId,
  slice: Slice
) {
  const history: ReadonlyArray<HistoryEntry> = yield* (yield* ContactHistory).timeline(id, slice)
  const readable = yield* readableHoldings(holdings)
  if (readable.length === 0) return history
  const held = yield* Effect.forEach(readable, (holding) => entriesOf(holding, id, slice))
  return [...history, ...held.flat()].toSorted(newestFirst).slice(0, slice.limit)
})
