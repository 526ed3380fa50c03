import { DateTime, Effect } from "effect"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import { useCase } from "../../kernel/index.ts"
import { AnalyticsLoad, type LiveCount } from "../AnalyticsLoad.ts"
import { type Live, waitSteps } from "../answers/Live.ts"
import { accountScope } from "../reading/accountScope.ts"
import { reading } from "../reading/reading.ts"
import { secondsBetween } from "../time/quarters.ts"

const total = (counts: ReadonlyArray<LiveCount>) => counts.reduce((sum, { count }) => sum + count, 0)

/** Reads how much there is to do now, and for how long contacts have waited. */
export const readLive = useCase(
  "analytics.live",
  { access: { permission: "analytics.read" } },
  (chatAccountId?: ChatAccountId) =>
    reading(
      Effect.fnUntraced(function* ({ now, state, timezone }) {
        yield* accountScope(chatAccountId)
        const counts = yield* (yield* AnalyticsLoad).live(chatAccountId ?? null, now)
        const of = (status: LiveCount["status"]) => total(counts.filter((each) => each.status === status))
        const waits = counts.filter(({ step }) => step !== null)
        const since = waits.flatMap(({ oldest }) => oldest ?? [])
        const live: Live = {
          timezone,
          // Conversations are read as they are now.
          asOf: now,
          state,
          open: of("open"),
          pending: of("pending"),
          snoozed: of("snoozed"),
          unassigned: total(counts.filter(({ isAssigned }) => !isAssigned)),
          waiting: {
            count: total(waits),
            longestSeconds: since.length === 0 ? null : Math.max(0, secondsBetween(since.reduce(DateTime.min), now)),
            steps: waitSteps.map((upToSeconds, index) => ({
              upToSeconds,
              count: total(waits.filter(({ step }) => step === index))
            }))
          }
        }
        return live
      })
    )
)
