import { Effect } from "effect"
import { ContactHistory } from "../ContactHistory.ts"
import type { ContactId } from "../Ids.ts"

/** Whom a contact is a part of now, by however many merges that stand; `null` if by none. */
export const wholeOf = Effect.fnUntraced(function* (id: ContactId) {
  const history = yield* ContactHistory
  let whole: ContactId | null = null
  for (let next = yield* history.survivorOf(id); next !== null; next = yield* history.survivorOf(next.id)) {
    whole = next.id
  }
  return whole
})
