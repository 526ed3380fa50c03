import { Effect } from "effect"
import { Duplicates } from "../Duplicates.ts"
import { suppress, type ReleasedIdentities } from "../consent/suppressionList.ts"

/** Releases identities that contacts do not have any more: opt-outs stay on the suppression list, links to duplicates are deleted. */
export const releaseIdentities = Effect.fnUntraced(function* (released: ReadonlyArray<ReleasedIdentities>) {
  const identities = released.flatMap((each) => each.identities)
  if (identities.length === 0) return
  yield* suppress(released)
  yield* (yield* Duplicates).forget(identities)
})
