import { DateTime, Effect } from "effect"
import { type Currency, NotFound } from "../../kernel/index.ts"
import { type ChatAccountId, ChatAccounts } from "../../messaging/chat/index.ts"
import { Subscriptions } from "../../platform/events/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import { AnalyticsBooks, type Edition } from "../AnalyticsBooks.ts"
import { type Scope, wholeOrganization } from "../Count.ts"
import { countingSubscriber } from "../counting/countingSubscriber.ts"
import type { AnalyticsState } from "../dashboardAnswers.ts"

/** The books as they are read: how their days are cut, and up to when all is counted. */
export interface OpenBooks {
  readonly edition: Edition
  readonly zone: DateTime.TimeZone
  readonly timezone: string
  readonly state: AnalyticsState
  readonly now: DateTime.Utc
  readonly asOf: DateTime.Utc
  /** The organization's own currency. */
  readonly currency: Currency
}

/** No edition has this number: there is nothing in it. */
const blank: Edition = 0

const open = Effect.gen(function* () {
  const { createdAt, currency, timezone: wanted } = yield* (yield* Organizations).current()
  const now = yield* DateTime.now
  // Asked before the books are read: whatever is counted by now stands in them then.
  const [subscription] = yield* (yield* Subscriptions).list([countingSubscriber])
  const book = yield* (yield* AnalyticsBooks).find()
  const timezone = book?.timezone ?? wanted
  // Before anything is counted here, all is counted up to when there was nothing.
  const hasBegun = subscription === undefined || subscription.position !== null || subscription.head === 0
  const uncounted = hasBegun ? (subscription?.next?.at ?? now) : createdAt
  const opened: OpenBooks = {
    edition: book?.edition ?? blank,
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
export const reading = Effect.fnUntraced(function* <A, E, R>(read: (books: OpenBooks) => Effect.Effect<A, E, R>) {
  const books = yield* AnalyticsBooks
  while (true) {
    const opened = yield* open
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
