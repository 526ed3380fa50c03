import { Effect } from "effect"
import type { Tenancy } from "../../kernel/index.ts"
import { ContactHistory } from "../ContactHistory.ts"
import type { ContactMerge } from "../ContactMerge.ts"
import type { ContactId } from "../Ids.ts"

/** The merges that made the contact what it is, those of the ones who became a part of it too; at most `limit` of each. */
export const mergesWithin = (
  id: ContactId,
  limit: number
): Effect.Effect<ReadonlyArray<ContactMerge>, never, ContactHistory | Tenancy> =>
  Effect.gen(function* () {
    const merges = yield* (yield* ContactHistory).mergesInto(id, limit)
    const further = yield* Effect.forEach(merges, ({ merged }) => mergesWithin(merged.id, limit))
    return [...merges, ...further.flat()]
  })
