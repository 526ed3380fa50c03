import { type DateTime, Effect } from "effect"
import { Cursors } from "../../kernel/index.ts"
import { positionBefore } from "./positionBefore.ts"

/** The position after which to read: that of the cursor, or one before everything that happened since then; `null` for neither. */
export const beginning = Effect.fnUntraced(function* (cursor: string | null, since: DateTime.Utc | undefined) {
  if (cursor !== null) return Number((yield* (yield* Cursors).open("events", cursor))[0] ?? 0)
  return since === undefined ? null : yield* positionBefore(since)
})
