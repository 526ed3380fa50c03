import { Effect } from "effect"
import type { Tenancy } from "../../kernel/index.ts"
import { ContactHistory } from "../ContactHistory.ts"
import type { ContactMerge } from "../ContactMerge.ts"
import type { ContactId } from "../Ids.ts"

/** The merges into the contact, and recursively those into the contacts that were merged; at most `limit` of each. */
export const allMergesInto = (
  id: ContactId,
  limit: number
): Effect.Effect<ReadonlyArray<ContactMerge>, never, ContactHistory | Tenancy> =>
  Effect.gen(function* () {
    const merges = yield* (yield* ContactHistory).mergesInto(id, limit)
    const further = yield* Effect.forEach(merges, ({ merged }) => allMergesInto(merged.id, limit))
    return [...merges, ...further.flat()]
  })
