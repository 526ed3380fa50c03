import { DateTime, Effect } from "effect"
import { type Currency, NotFound } from "../../kernel/index.ts"
import { type ChatAccountId, ChatAccounts } from "../../messaging/chat/index.ts"
import { EventCursors } from "../../platform/events/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import { RollupStore, type RollupVersion } from "../RollupStore.ts"
import { type Scope, wholeOrganization } from "../Count.ts"
import { countingEventConsumer } from "../counting/countingEventConsumer.ts"
import type { AnalyticsState } from "../dashboardResponses.ts"

/** State for reading rollups: their zone, and the end of the counted time. */
export interface RollupReader {
  readonly version: RollupVersion
  readonly zone: DateTime.TimeZone
  readonly timezone: string
  readonly state: AnalyticsState
  readonly now: DateTime.Utc
  readonly asOf: DateTime.Utc
  /** Currency of the organization. */
  readonly currency: Currency
}

/** No rollup version has this number, so it has no counts. */
const emptyVersion: RollupVersion = 0

const openRollup = Effect.gen(function* () {
  const { createdAt, currency, timezone: wanted } = yield* (yield* Organizations).current()
  const now = yield* DateTime.now
  // Runs before the read of the state, so the rollups contain everything counted by now.
  const [subscription] = yield* (yield* EventCursors).list([countingEventConsumer])
  const state = yield* (yield* RollupStore).find()
  const timezone = state?.timezone ?? wanted
  // Before the first count, an empty log is completely counted.
  const hasBegun = subscription === undefined || subscription.position !== null || subscription.head === 0
  const uncounted = hasBegun ? (subscription?.next?.at ?? now) : createdAt
  const opened: RollupReader = {
    version: state?.version ?? emptyVersion,
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
 * Reads the rollups consistently with several statements. Reads again if the days were recalculated or the rollup version was replaced during the
 * read.
 */
export const withRollupReader = Effect.fnUntraced(function* <A, E, R>(
  read: (rollups: RollupReader) => Effect.Effect<A, E, R>
) {
  const rollups = yield* RollupStore
  while (true) {
    const opened = yield* openRollup
    const answer = yield* read(opened)
    const since = yield* rollups.find()
    if (since === null || (since.version === opened.version && since.timezone === opened.timezone)) return answer
  }
})

/** Returns the scope of a chat account, removed or not, or of the whole organization. */
export const accountScope = Effect.fnUntraced(function* (chatAccountId: ChatAccountId | undefined) {
  const whole: Scope = wholeOrganization
  if (chatAccountId === undefined) return whole
  const accounts = yield* ChatAccounts
  const [account] = yield* accounts.find([chatAccountId])
  const isKnown = account !== undefined || (yield* accounts.removed()).some((each) => each.account.id === chatAccountId)
  if (!isKnown) return yield* new NotFound({ resource: "chat account", pointer: "/chatAccountId" })
  return chatAccountId as Scope
})
