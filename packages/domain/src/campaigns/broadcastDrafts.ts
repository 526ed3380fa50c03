import { DateTime, Effect } from "effect"
import { CurrentActor, hasPermission, nextId } from "../kernel/index.ts"
import { recordAudit } from "../platform/audit/index.ts"
import { Broadcast, toDraft } from "./Broadcast.ts"
import { Broadcasts } from "./Broadcasts.ts"
import { BroadcastId } from "./Ids.ts"
import { broadcastAuditFields } from "./broadcastChanges.ts"
import { appendEvent } from "./events.ts"

/** Name of the copy; the default is the name of the broadcast. */
export interface CopyName {
  readonly name?: Broadcast["name"]
}

/**
 * Creates a draft with the definition of the broadcast, without its schedule. A split key equal to the broadcast id becomes the id of the copy. Flags
 * that ignore contact protection are copied only with the send permission.
 */
export const duplicateOf = Effect.fnUntraced(function* (
  original: Broadcast,
  kind: "duplicate" | "retry",
  { name = original.name }: CopyName
) {
  const id = yield* nextId(BroadcastId)
  const actor = yield* CurrentActor
  const maySend = hasPermission(actor, "broadcasts.send")
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
  const draft = toDraft(
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

/** Stores a new draft with its audit entry and event. */
export const addDraft = Effect.fnUntraced(function* (draft: Broadcast) {
  const { id, retry, source } = draft
  yield* (yield* Broadcasts).insert(draft)
  yield* recordAudit(
    "broadcast.created",
    { kind: "broadcast", id },
    {
      after: {
        ...broadcastAuditFields(draft),
        ...(source !== null && { source: { ...source } }),
        ...(retry !== null && { retry: { ...retry } })
      }
    }
  )
  yield* appendEvent({ type: "broadcast.created", broadcastId: id })
})
