import { Effect } from "effect"
import { Duplicates } from "../Duplicates.ts"
import { keepOptOuts, type Leaving } from "./keptOptOuts.ts"

/** Lets identities go that contacts are not known by any more: an opt-out is kept of them, and what they were told together with is forgotten. */
export const letGo = Effect.fnUntraced(function* (leaving: ReadonlyArray<Leaving>) {
  const identities = leaving.flatMap((each) => each.identities)
  if (identities.length === 0) return
  yield* keepOptOuts(leaving)
  yield* (yield* Duplicates).forget(identities)
})
