import { DateTime, Effect } from "effect"
import { CurrentActor, hasPermission, nextId } from "../kernel/index.ts"
import { recordAudit } from "../platform/audit/index.ts"
import { Broadcast, toDraft } from "./Broadcast.ts"
import { Broadcasts } from "./Broadcasts.ts"
import { BroadcastId } from "./Ids.ts"
import { broadcastAuditFields } from "./broadcastChanges.ts"
import { appendEvent } from "./events.ts"

/** Another name for the copy; that of the broadcast if none is said. */
export interface CopyName {
  readonly name?: Broadcast["name"]
}

/**
 * A draft that says what the broadcast says, but not when. A split key of its own it has where the broadcast has one of its own. Only who
 * may send takes over that the rules that protect contacts are ignored.
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

/** Stores a new draft, with its audit entry and event. */
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
