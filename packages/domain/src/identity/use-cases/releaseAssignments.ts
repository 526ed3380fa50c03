import { DateTime, Effect } from "effect"
import { Assignments } from "../Assignments.ts"
import type { Member } from "../Member.ts"

/** Leaves to nobody what the member has looked after. Call it once the member is gone, or has another role. */
export const releaseAssignments = Effect.fnUntraced(function* ({ userId }: Member) {
  if (userId !== null) yield* (yield* Assignments).release(userId, yield* DateTime.now)
})
