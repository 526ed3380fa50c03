import { type DateTime, Effect } from "effect"
import type { ContactId, Move, UndoneMerge } from "../crm/index.ts"
import type { Slice } from "../kernel/index.ts"
import { Broadcasts } from "./Broadcasts.ts"
import { type ChangedList, ContactRecipients } from "./ContactRecipients.ts"
import { openLane } from "./openLane.ts"
import { RecipientReservations } from "./RecipientReservations.ts"

/** Whoever is pending again counts for the plan again, and the sender of its broadcast is told. */
const goOn = Effect.fnUntraced(function* ({ broadcastId, count }: ChangedList) {
  yield* (yield* RecipientReservations).takeBack(broadcastId, count)
  const { chatAccountId } = yield* Effect.orDie((yield* Broadcasts).get(broadcastId))
  if (chatAccountId !== null) yield* openLane(chatAccountId)
})

/** What broadcasts hold of contacts: what they were sent and are to be sent, where to, and with which values. */
export const recipientHolding = {
  permission: "broadcasts.read" as const,
  timeline: Effect.fnUntraced(function* (contactId: ContactId, slice: Slice) {
    return yield* (yield* ContactRecipients).timeline(contactId, slice)
  }),
  export: Effect.fnUntraced(function* (contactId: ContactId, limit: number) {
    return { broadcasts: yield* (yield* ContactRecipients).list(contactId, limit) }
  }),
  nothing: { broadcasts: [] },
  move: Effect.fnUntraced(function* (move: Move) {
    const reservations = yield* RecipientReservations
    const excluded = yield* (yield* ContactRecipients).handOver(move)
    yield* Effect.forEach(excluded, ({ broadcastId, count }) => reservations.giveBack(broadcastId, count), {
      discard: true
    })
  }),
  moveBack: Effect.fnUntraced(function* (undone: UndoneMerge, now: DateTime.Utc) {
    const pending = yield* (yield* ContactRecipients).handBack(undone, now)
    yield* Effect.forEach(pending, goOn, { discard: true })
  }),
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* (yield* ContactRecipients).forget(contactIds)
  })
}
