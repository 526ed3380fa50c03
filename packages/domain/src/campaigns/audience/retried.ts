import { DateTime, Effect } from "effect"
import type { Filter } from "../../crm/index.ts"
import { invalid, NotFound } from "../../kernel/index.ts"
import type { Broadcast } from "../Broadcast.ts"
import type { BroadcastRetry } from "../BroadcastRetry.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { expiryOf } from "../recipients/requireRecipients.ts"

/** Those recipients of a broadcast who are tried again. */
export const retried = ({ broadcastId, codes, statuses }: BroadcastRetry): Filter => ({
  kind: "known",
  condition: "broadcast_retried",
  values: [broadcastId, statuses.join(" "), ...(codes ?? [])]
})

/** Refuses a broadcast that tries one again whose recipients are not kept any more. */
export const requireRetried = Effect.fnUntraced(function* ({ retry }: Pick<Broadcast, "retry">) {
  if (retry === null) return
  const original = yield* Effect.mapError(
    Effect.flatMap(Broadcasts, (broadcasts) => broadcasts.get(retry.broadcastId)),
    ({ resource }) => new NotFound({ resource, pointer: "/retry/broadcastId" })
  )
  const expiredAt = yield* expiryOf(original)
  if (expiredAt !== null) {
    const since = DateTime.formatIso(expiredAt)
    return yield* invalid(
      "/retry",
      `The recipients of the broadcast that is tried again are not kept any more since ${since}`
    )
  }
})
