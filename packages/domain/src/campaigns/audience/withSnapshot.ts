import { Effect } from "effect"
import { Audiences } from "../Audiences.ts"
import { Broadcast } from "../Broadcast.ts"
import type { AudienceSnapshotId } from "../Ids.ts"
import { requireSnapshot } from "./madeFrom.ts"

/** The broadcast with the list of recipients that it is to go to, if one is given. The list has to fit, and is kept from then on. */
export const withSnapshot = Effect.fnUntraced(function* (broadcast: Broadcast, id: AudienceSnapshotId | undefined) {
  if (id === undefined) return broadcast
  yield* requireSnapshot(broadcast, id)
  yield* (yield* Audiences).keepUntil(id, null)
  return new Broadcast({ ...broadcast, audienceSnapshotId: id })
})
