import { DateTime, Effect } from "effect"
import { type Currency, NotFound } from "../../kernel/index.ts"
import { type ChatAccountId, ChatAccounts } from "../../messaging/chat/index.ts"
import { EventCursors } from "../../platform/events/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import { RollupStore, type RollupVersion } from "../RollupStore.ts"
import { type Scope, wholeOrganization } from "../Count.ts"
import { countingEventConsumer } from "../counting/countingEventConsumer.ts"
import type { AnalyticsState } from "../dashboardResponses.ts"

/** The books as they are read: how their days are cut, and up to when all is counted. */
export interface RollupReader {
  readonly edition: RollupVersion
  readonly zone: DateTime.TimeZone
  readonly timezone: string
  readonly state: AnalyticsState
  readonly now: DateTime.Utc
  readonly asOf: DateTime.Utc
  /** The organization's own currency. */
  readonly currency: Currency
}

/** No edition has this number: there is nothing in it. */
const emptyVersion: RollupVersion = 0

const openRollup = Effect.gen(function* () {
  const { createdAt, currency, timezone: wanted } = yield* (yield* Organizations).current()
  const now = yield* DateTime.now
  // Asked before the books are read: whatever is counted by now stands in them then.
  const [subscription] = yield* (yield* EventCursors).list([countingEventConsumer])
  const book = yield* (yield* RollupStore).find()
  const timezone = book?.timezone ?? wanted
  // Before anything is counted here, all is counted up to when there was nothing.
  const hasBegun = subscription === undefined || subscription.position !== null || subscription.head === 0
  const uncounted = hasBegun ? (subscription?.next?.at ?? now) : createdAt
  const opened: RollupReader = {
    edition: book?.edition ?? emptyVersion,
    zone: DateTime.zoneMakeNamedUnsafe(timezone),
    timezone,
    state: timezone === wanted ? "current" : "rebuilding",
    now,
    asOf: DateTime.min(uncounted, now),
    currency
  }
  return opened
})

/**
 * Reads the books with several statements as if it were one: if the days were cut anew meanwhile, or another edition was put in the place of this one,
 * they are read once more.
 */
export const withRollupReader = Effect.fnUntraced(function* <A, E, R>(
  read: (books: RollupReader) => Effect.Effect<A, E, R>
) {
  const books = yield* RollupStore
  while (true) {
    const opened = yield* openRollup
    const answer = yield* read(opened)
    const since = yield* books.find()
    if (since === null || (since.edition === opened.edition && since.timezone === opened.timezone)) return answer
  }
})

/** Of what is read: of a chat account, removed or not, or of the whole organization. */
export const accountScope = Effect.fnUntraced(function* (chatAccountId: ChatAccountId | undefined) {
  const whole: Scope = wholeOrganization
  if (chatAccountId === undefined) return whole
  const accounts = yield* ChatAccounts
  const [account] = yield* accounts.find([chatAccountId])
  const isKnown = account !== undefined || (yield* accounts.removed()).some((each) => each.account.id === chatAccountId)
  if (!isKnown) return yield* new NotFound({ resource: "chat account", pointer: "/chatAccountId" })
  return chatAccountId as Scope
})
