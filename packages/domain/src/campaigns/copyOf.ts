import { DateTime, Effect } from "effect"
import { CurrentActor, holds, nextId } from "../kernel/index.ts"
import { Broadcast, draftOf } from "./Broadcast.ts"
import { BroadcastId } from "./Ids.ts"

/** Another name for the copy; that of the broadcast if none is said. */
export interface Naming {
  readonly name?: Broadcast["name"]
}

/**
 * A draft that says what the broadcast says, but not when. A split key of its own it has where the broadcast has one of its own. Only who
 * may send takes over that the rules that protect contacts are ignored.
 */
export const copyOf = Effect.fnUntraced(function* (
  original: Broadcast,
  kind: "duplicate" | "retry",
  { name = original.name }: Naming
) {
  const id = yield* nextId(BroadcastId)
  const actor = yield* CurrentActor
  const maySend = holds(actor, "broadcasts.send")
  const {
    audience,
    chatAccountId,
    exclude,
    holdOut,
    replyHours,
    templateId,
    throttle,
    upliftDays,
    variables,
    variants
  } = original
  const draft = draftOf(
    id,
    {
      name,
      chatAccountId,
      templateId,
      variables,
      variants,
      holdOut,
      splitKey: original.splitKey === original.id ? id : original.splitKey,
      audience,
      exclude,
      throttle,
      ignoreFrequencyCaps: original.ignoreFrequencyCaps && maySend,
      ignoreQuietHours: original.ignoreQuietHours && maySend,
      replyHours,
      upliftDays
    },
    yield* DateTime.now,
    actor
  )
  return new Broadcast({ ...draft, source: { broadcastId: original.id, kind }, retry: original.retry })
})
