import { DateTime, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import { Audiences } from "../Audiences.ts"
import { Broadcast } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { RecipientReservations } from "../RecipientReservations.ts"
import { planAudience } from "./planAudience.ts"

/** How many contacts are frozen at once at the most: the first message goes out after the first slice. */
export const largestSlice = 20_000

/**
 * Puts the next part of the audience of a broadcast that is sending on its list, and says whether that was all. It is for the owner of the
 * broadcast's account. When all are on the list, what was taken of the plan and is not needed goes back.
 */
export const freezeSlice = Effect.fnUntraced(function* (id: BroadcastId, limit = largestSlice) {
  const [audiences, broadcasts] = [yield* Audiences, yield* Broadcasts]
  const reservations = yield* RecipientReservations
  const { audienceSnapshotId: snapshotId, frozenAt, startedAt, ...planned } = yield* broadcasts.get(id)
  if (frozenAt !== null || startedAt === null) return true
  const plan = yield* planAudience(planned, startedAt)
  const { delivered, inDoubt, inFlight, pending, read, sent } = planned.stats
  const reserved = yield* reservations.takenBy(id)
  const room = Math.max(0, reserved - (pending + inFlight + inDoubt + sent + delivered + read))
  const { done, toSend } = yield* audiences.freeze(id, plan, { limit, room, snapshotId })
  if (done) {
    const before = yield* broadcasts.get(id)
    yield* broadcasts.save(new Broadcast({ ...before, frozenAt: yield* DateTime.now }), null)
    if (room > toSend) yield* reservations.giveBack(id, room - toSend)
  }
  return done
}, transact)
