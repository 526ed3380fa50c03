import { Effect } from "effect"
import { Files } from "../../files/index.ts"
import { ContactConversations } from "../ContactConversations.ts"
import type { ContactId } from "../Ids.ts"

/** Removes what was written with these contacts, and the files of it. */
export const forgetConversations = Effect.fnUntraced(function* (ids: ReadonlyArray<ContactId>) {
  const files = yield* Files
  const left = yield* (yield* ContactConversations).forget(ids)
  yield* Effect.forEach(left, (id) => files.remove(id), { discard: true })
})
