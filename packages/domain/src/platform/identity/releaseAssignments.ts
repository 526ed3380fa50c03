import { DateTime, Effect } from "effect"
import { Assignments } from "./Assignments.ts"
import type { Member } from "./Member.ts"

/** Unassigns everything from the member. Call it after the member was removed or changed role. */
export const releaseAssignments = Effect.fnUntraced(function* ({ userId }: Member) {
  if (userId !== null) yield* (yield* Assignments).release(userId, yield* DateTime.now)
})
