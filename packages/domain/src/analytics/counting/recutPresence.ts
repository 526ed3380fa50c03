import { DateTime, Effect } from "effect"
import type { ContactId } from "../../crm/index.ts"
import { AnalyticsBooks, type Edition } from "../AnalyticsBooks.ts"
import { takenBack, talliesOf } from "../Count.ts"
import { activeCounts } from "./activeCounts.ts"

/** How many contacts are counted at once. */
const stride = 1_000

/** Counts the days on which contacts have written as those of another zone. The days are cut anew after it. */
export const recutPresence = Effect.fnUntraced(function* (edition: Edition, from: string, to: string) {
  const books = yield* AnalyticsBooks
  const [was, is] = [DateTime.zoneMakeNamedUnsafe(from), DateTime.zoneMakeNamedUnsafe(to)]
  let after: ContactId | null = null
  while (true) {
    const contactIds: ReadonlyArray<ContactId> = yield* books.present(edition, after, stride)
    const presence = yield* books.presence(edition, contactIds)
    yield* books.add(edition, talliesOf([...takenBack(activeCounts(presence, was)), ...activeCounts(presence, is)]), [])
    if (contactIds.length < stride) return
    after = contactIds.at(-1) ?? null
  }
})
