import { Effect } from "effect"
import type { DateTime } from "effect"
import { Audiences } from "../Audiences.ts"
import type { Broadcast } from "../Broadcast.ts"
import { AudienceEmpty } from "../Errors.ts"
import { reserveRecipients } from "../reserveRecipients.ts"
import { planAudience } from "./planAudience.ts"

/** Counts whom a broadcast goes to that starts then, and takes so much of the plan. Refuses one that nobody would get. */
export const reserveAudience = Effect.fnUntraced(function* (broadcast: Broadcast, startsAt: DateTime.Utc) {
  const plan = yield* planAudience(broadcast, startsAt)
  const { matched, toSend } = yield* (yield* Audiences).size(plan, broadcast.audienceSnapshotId)
  if (toSend === 0) return yield* new AudienceEmpty({ matched })
  yield* reserveRecipients(broadcast.id, toSend)
})
