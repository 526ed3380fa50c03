import { Context, Effect, Layer, type Scope } from "effect"
import type { Ids, UnitOfWork } from "../../kernel/index.ts"
import { type BackgroundHealth, backgroundHealth, supervise } from "./BackgroundHealth.ts"
import type { LaneWorker } from "./Lane.ts"
import type { LaneQueue } from "./LaneQueue.ts"
import type { Shards } from "./Shards.ts"
import { awaitNextRun, type WakeTrigger, type BackgroundTask } from "./BackgroundTask.ts"
import { runLanes } from "./laneRuns.ts"

export interface WorkersOptions {
  /** Poll interval of each task in milliseconds. Default: one second. */
  readonly lookMillis?: number
  /** Process name for operators. */
  readonly name?: string
}

/** Starts the background work of this process. An adapter can postpone the start within the scope of the workers. */
export const WorkersStart = Context.Reference<
  <A, E, R>(start: Effect.Effect<A, E, R>) => Effect.Effect<void, E, R | Scope.Scope>
>("@parley/domain/WorkersStart", { defaultValue: () => Effect.asVoid })

/** Work that is polled as a whole, or claimed lane by lane. */
type DeclaredTask<R> = BackgroundTask<R> | LaneWorker<R>

const findIsNeeded = <R>({ isNeeded = Effect.succeed(true) }: DeclaredTask<R>) => isNeeded

const isPolledTask = <R>(task: DeclaredTask<R>): task is BackgroundTask<R> => !isLaneWorker(task)

const isLaneWorker = <R>(task: DeclaredTask<R>): task is LaneWorker<R> => "concurrency" in task

/** Runs the work and waits for more, in each concurrent run. */
const repeatTask = <R>(
  health: BackgroundHealth,
  { lanes, name, run }: BackgroundTask<R>,
  wake: WakeTrigger<R>,
  lookMillis: number
) => {
  const part = { name, isEssential: true }
  // The step has succeeded before it waits for more work.
  const step = Effect.andThen(Effect.andThen(run, health.succeeded(part)), awaitNextRun(wake, lookMillis))
  return supervise(health, part, step).pipe(Effect.forkScoped, Effect.replicateEffect(lanes, { discard: true }))
}

/** Runs a sweep. A failed sweep is logged and runs again in the next round. */
const sweepOnce = <R>(health: BackgroundHealth, { name, run }: BackgroundTask<R>) => {
  const part = { name, isEssential: false }
  return Effect.matchCauseEffect(run, {
    onSuccess: () => health.succeeded(part),
    onFailure: (cause) => health.failed(part, cause)
  })
}

/** Sweeps run sequentially, so together they use at most one connection of the pool. */
const runHousekeeping = <R>(health: BackgroundHealth, tasks: ReadonlyArray<BackgroundTask<R>>) => {
  const frequent = tasks.filter(({ wake }) => wake === "housekeeping")
  const part = { name: "housekeeping", isEssential: false }
  let number = 0
  const round = Effect.suspend(() => {
    const due = number % 6 === 0 ? tasks : frequent
    number += 1
    return Effect.forEach(due, (task) => sweepOnce(health, task), { discard: true })
  })
  return Effect.andThen(
    Effect.sleep("1 minute"),
    supervise(health, part, Effect.andThen(round, Effect.sleep("10 minutes")))
  ).pipe(Effect.forkScoped)
}

type LaneServices = Ids | LaneQueue | Shards | UnitOfWork

type Needs<One> = One extends LaneWorker<infer R> ? R | LaneServices : One extends BackgroundTask<infer R> ? R : never

/** Runs these tasks in this process until its scope ends. Any number of processes can do so. Each piece of work runs in one of them. */
export const layerWorkersOf = <const Works extends ReadonlyArray<DeclaredTask<unknown>>>(
  tasks: Works,
  { lookMillis = 1_000, name = "parley" }: WorkersOptions = {}
): Layer.Layer<never, never, Needs<Works[number]>> => {
  const declared = tasks as ReadonlyArray<DeclaredTask<Needs<Works[number]>>>
  // Without lane tasks, their dependencies are not requested.
  const runLanesIfAny = (
    health: BackgroundHealth,
    lanes: ReadonlyArray<LaneWorker<Needs<Works[number]>>>,
    also: ReadonlyArray<string>
  ) =>
    lanes.length === 0
      ? Effect.void
      : (runLanes(lanes, { health, also, name, lookMillis }) as Effect.Effect<
          void,
          never,
          Needs<Works[number]> | Scope.Scope
        >)
  const start = Effect.gen(function* () {
    const health = yield* backgroundHealth
    yield* health.start
    const all = yield* Effect.filter(declared, findIsNeeded)
    const needed = all.filter(isPolledTask)
    const sweeps = needed.filter(({ wake }) => typeof wake === "string")
    const also = needed.flatMap(({ name, wake }) => (typeof wake === "string" ? [] : [name]))
    yield* runLanesIfAny(health, all.filter(isLaneWorker), sweeps.length === 0 ? also : [...also, "housekeeping"])
    for (const task of needed) if (typeof task.wake !== "string") yield* repeatTask(health, task, task.wake, lookMillis)
    yield* runHousekeeping(health, sweeps)
  })
  return Layer.effectDiscard(Effect.flatMap(WorkersStart, (startWorkers) => startWorkers(start)))
}
