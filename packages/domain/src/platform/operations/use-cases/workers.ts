import { DateTime, Effect, Schema } from "effect"
import { Timestamp, useCase } from "../../../kernel/index.ts"
import { type DeclaredSubscriber, listSubscribersOf, ShownSubscriber } from "../../events/index.ts"
import { Backlog, type BacklogSize, type DueLanes, Workforce, type WorkingProcess } from "../Workforce.ts"

/** A process that works in the background, as operators are shown it. */
export const ShownProcess = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  works: Schema.Array(Schema.String),
  shards: Schema.Record(Schema.String, Schema.Int),
  joinedAt: Timestamp,
  seenAt: Timestamp
})
export type ShownProcess = typeof ShownProcess.Type

/** A work: how many processes do it, how much waits for them, and since when. */
export const ShownWork = Schema.Struct({
  name: Schema.String,
  processes: Schema.Int,
  /** `null` where nothing is counted. */
  waiting: Schema.NullOr(Schema.Int),
  /** Since when the oldest waits; `null` where nothing does. */
  since: Schema.NullOr(Timestamp)
})
export type ShownWork = typeof ShownWork.Type

/** Who does what, how far behind it is, and since when. */
export const ShownWorkers = Schema.Struct({
  processes: Schema.Array(ShownProcess),
  works: Schema.Array(ShownWork),
  subscribers: Schema.Array(ShownSubscriber)
})
export type ShownWorkers = typeof ShownWorkers.Type

interface Waiting {
  readonly waiting: number
  readonly since: DateTime.Utc | null
}

const counted = ({ deliveries, jobs, sends }: BacklogSize): ReadonlyArray<readonly [string, Waiting]> => [
  ["sends", { waiting: sends.waiting, since: sends.oldest }],
  ["deliveries", { waiting: deliveries.waiting, since: deliveries.oldest }],
  ["jobs", { waiting: jobs.queued, since: jobs.oldest }]
]

const earlier = (one: DateTime.Utc | null, other: DateTime.Utc | null) =>
  one === null || other === null ? (one ?? other) : DateTime.min(one, other)

/** What waits for subscribers is logs that are ahead of them. */
const inLogs = (subscribers: ReadonlyArray<ShownSubscriber>): readonly [string, Waiting] => [
  "subscribers",
  subscribers.reduce<Waiting>(
    ({ since, waiting }, { behind, waitingSince }) => ({
      waiting: waiting + behind,
      since: earlier(since, waitingSince)
    }),
    { waiting: 0, since: null }
  )
]

const inLanes = (lanes: ReadonlyArray<DueLanes>) =>
  lanes.map(({ count, since, work }): readonly [string, Waiting] => [work, { waiting: count, since }])

/** Work of lanes is counted also while none is due. */
const isOfLanes = (processes: ReadonlyArray<WorkingProcess>, name: string) =>
  processes.some(({ shards }) => shards[name] !== undefined)

/** What was put off does not wait. */
const isOverdue = (since: DateTime.Utc | null, now: DateTime.Utc): since is DateTime.Utc =>
  since !== null && DateTime.isLessThanOrEqualTo(since, now)

const worksOf = (
  processes: ReadonlyArray<WorkingProcess>,
  waiting: ReadonlyMap<string, Waiting>,
  now: DateTime.Utc
): ReadonlyArray<ShownWork> =>
  Array.from(new Set([...waiting.keys(), ...processes.flatMap(({ works }) => works)]), (name) => {
    const behind = waiting.get(name)
    const since = behind?.since ?? null
    return {
      name,
      processes: processes.filter(({ works }) => works.includes(name)).length,
      waiting: behind?.waiting ?? (isOfLanes(processes, name) ? 0 : null),
      since: isOverdue(since, now) ? since : null
    }
  })

/** Tells an operator who does what, how far behind it is, and since when: each work, and of the logs of events each subscriber. */
export const showWorkersOf = (declared: ReadonlyArray<DeclaredSubscriber>) => {
  const listSubscribers = listSubscribersOf(declared)

  return useCase(
    "operations.showWorkers",
    { access: "operator" },
    Effect.fnUntraced(function* () {
      const workforce = yield* Workforce
      const now = yield* DateTime.now
      const processes = yield* workforce.processes
      const { subscribers } = yield* listSubscribers()
      // Messages and the like are counted by themselves, where that is known; else the lanes that they wait in.
      const waiting = new Map([
        ...inLanes(yield* workforce.dueLanes(now)),
        ...counted(yield* (yield* Backlog).size),
        inLogs(subscribers)
      ])
      return { processes, works: worksOf(processes, waiting, now), subscribers } satisfies ShownWorkers
    })
  )
}
