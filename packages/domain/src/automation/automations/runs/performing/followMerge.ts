import { Effect } from "effect"
import { type ContactId, ContactHistory } from "../../../../crm/index.ts"
import { transact } from "../../../../kernel/index.ts"
import { runHolding } from "../runHolding.ts"

/**
 * Hands what is in line for a contact to whom it has become a part of, where it has: a run may have begun for it while it was merged. Says
 * whether it has.
 */
export const followMerge = Effect.fnUntraced(function* (from: ContactId) {
  const survivor = yield* (yield* ContactHistory).survivorOf(from)
  if (survivor === null) return false
  yield* transact(runHolding.move({ from, to: survivor.id, mergeId: survivor.mergeId }))
  return true
})
