import { Effect } from "effect"
import { record } from "../platform/audit/index.ts"
import { appendEvent } from "./appendEvent.ts"
import { auditedBroadcast } from "./auditedBroadcast.ts"
import type { Broadcast } from "./Broadcast.ts"
import { Broadcasts } from "./Broadcasts.ts"

/** Stores a new draft, with its audit entry and event. */
export const addDraft = Effect.fnUntraced(function* (draft: Broadcast) {
  const { id, retry, source } = draft
  yield* (yield* Broadcasts).insert(draft)
  yield* record(
    "broadcast.created",
    { kind: "broadcast", id },
    {
      after: {
        ...auditedBroadcast(draft),
        ...(source !== null && { source: { ...source } }),
        ...(retry !== null && { retry: { ...retry } })
      }
    }
  )
  yield* appendEvent({ type: "broadcast.created", broadcastId: id })
})
