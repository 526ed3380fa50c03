import { DateTime, Effect } from "effect"
import { paged, type PageRequest, useCase, type UserId } from "../../kernel/index.ts"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import { AnalyticsFigures } from "../AnalyticsFigures.ts"
import { AnalyticsLoad, knownColleagues, type LiveCount, visibleMembers } from "../AnalyticsLoad.ts"
import { toDurationFigures, secondsBetween } from "../Count.ts"
import type { DurationFigures } from "../Figures.ts"
import { type AgentRow, type Agents, type AgentSort, type LiveWorkload, waitSteps } from "../dashboardResponses.ts"
import { resolveRange, type RangeRequest } from "../reading/dateRanges.ts"
import { histogramOf, type FigureSums, sumFigures } from "../reading/figureSums.ts"
import { accountScope, type RollupReader, withRollupReader } from "../reading/rollupReader.ts"

/** Requested days and sort order. */
export interface AgentsRequest extends RangeRequest {
  readonly sort: AgentSort
}

const sentFigure = "messages.outbound.byAuthor.user"
const durations = ["firstResponse", "reply", "resolution"] as const

type Tally = Pick<AgentRow, "id" | "sent" | "replies" | "resolved" | "open" | "waiting">

const rankOf: Readonly<Record<AgentSort, (tally: Tally) => number>> = {
  "-replies": ({ replies }) => replies,
  "-resolved": ({ resolved }) => resolved,
  "-open": ({ open }) => open
}

/** Reads the members with activity or workload, and the actor if it can see no other members. */
const loadTallies = Effect.fnUntraced(function* ({ version }: RollupReader, from: string, to: string) {
  const people = yield* (yield* AnalyticsFigures).people(
    version,
    [sentFigure, "reply", "conversations.resolved"],
    from,
    to
  )
  const loads = yield* (yield* AnalyticsLoad).byAssignee()
  const visible = yield* visibleMembers
  const done = Map.groupBy(people, ({ userId }) => userId)
  const load = new Map(loads.map((each) => [each.userId, each]))
  const ids = visible ?? [...new Set([...done.keys(), ...loads.flatMap(({ userId }) => userId ?? [])])]
  return (ids as ReadonlyArray<UserId>).map((id): Tally => {
    const of = (figure: string) => done.get(id)?.find((each) => each.figure === figure)?.amount ?? 0
    const { open = 0, waiting = 0 } = load.get(id) ?? {}
    return { id, sent: of(sentFigure), replies: of("reply"), resolved: of("conversations.resolved"), open, waiting }
  })
})

const minSampleSize = 5

/** A median of few values is not meaningful. */
const maskSmallSamples = (sums: FigureSums, figure: string): DurationFigures => {
  const all = toDurationFigures(histogramOf(sums, figure))
  return all.count < minSampleSize ? { count: all.count, medianSeconds: null, p90Seconds: null } : all
}

const buildAgents = Effect.fnUntraced(function* (request: AgentsRequest, page: PageRequest, rollups: RollupReader) {
  const { asOf, version, state, timezone } = rollups
  const { from, to } = yield* resolveRange(request, rollups)
  const rank = rankOf[request.sort]
  const ranked = (yield* loadTallies(rollups, from, to)).toSorted(
    (one, other) => rank(other) - rank(one) || (one.id < other.id ? -1 : 1)
  )
  const { data, nextCursor } = yield* paged(
    `analytics/agents ${request.sort}`,
    page,
    ({ after, limit }) => {
      const [value, id = ""] = after ?? []
      const rest =
        value === undefined
          ? ranked
          : ranked.filter((each) => rank(each) < Number(value) || (rank(each) === Number(value) && each.id > id))
      return Effect.succeed(rest.slice(0, limit))
    },
    (tally) => [String(rank(tally)), tally.id]
  )
  const ids = data.map(({ id }) => id)
  const colleagues = yield* knownColleagues(ids)
  const steps = Map.groupBy(
    yield* (yield* AnalyticsFigures).stepsOf(version, ids, durations, from, to),
    ({ userId }) => userId
  )
  const agents: Agents = {
    timezone,
    from,
    to,
    asOf,
    state,
    data: data.map((tally) => {
      const sums = sumFigures(steps.get(tally.id) ?? [])
      const { name = "", status = "former" } = colleagues.get(tally.id) ?? {}
      return {
        ...tally,
        name,
        status,
        firstResponse: maskSmallSamples(sums, "firstResponse"),
        reply: maskSmallSamples(sums, "reply"),
        resolution: maskSmallSamples(sums, "resolution")
      }
    }),
    nextCursor
  }
  return agents
})

/** Reads the figures of members. An actor without access to others gets its own row. */
export const readAgents = useCase(
  { name: "analytics.agents", access: { permission: "analytics.read" } },
  ({ page, ...request }: { readonly page: PageRequest } & AgentsRequest) =>
    withRollupReader((rollups) => buildAgents(request, page, rollups))
)

const total = (counts: ReadonlyArray<LiveCount>) => counts.reduce((sum, { count }) => sum + count, 0)

/** Reads the current workload and the waits of contacts. */
export const readLive = useCase(
  { name: "analytics.live", access: { permission: "analytics.read" } },
  ({ chatAccountId }: { readonly chatAccountId?: ChatAccountId } = {}) =>
    withRollupReader(
      Effect.fnUntraced(function* ({ now, state, timezone }) {
        yield* accountScope(chatAccountId)
        const counts = yield* (yield* AnalyticsLoad).live(chatAccountId ?? null, now)
        const of = (status: LiveCount["status"]) => total(counts.filter((each) => each.status === status))
        const waits = counts.filter(({ step }) => step !== null)
        const since = waits.flatMap(({ oldest }) => oldest ?? [])
        const live: LiveWorkload = {
          timezone,
          // Conversations have their current state.
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
