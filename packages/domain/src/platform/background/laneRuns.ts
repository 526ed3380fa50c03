import { DateTime, Effect, Latch } from "effect"
import { Ids } from "../../kernel/index.ts"
import { type BackgroundHealth, backgroundHealth, supervise } from "./BackgroundHealth.ts"
import { type LaneWorker, type OwnedShard, shardCount } from "./Lane.ts"
import { LaneQueue } from "./LaneQueue.ts"
import { Shards } from "./Shards.ts"
import { type LaneLeases, makeLaneLeases } from "./laneLeases.ts"
import { heartbeatInterval, joinCluster } from "./shardOwnership.ts"

const shardsOfTask = (task: string, shards: ReadonlyArray<OwnedShard>) =>
  new Set(shards.flatMap((shard) => (shard.task === task ? [shard.shard] : [])))

/**
 * Runs this process's share of the lanes of these tasks until the scope ends. Notifications wake it, and it polls every `lookMillis`. At the end of
 * the scope it waits for uninterruptible work and releases all other leases immediately.
 */
export const runLanes = Effect.fnUntraced(function* <R>(
  tasks: ReadonlyArray<LaneWorker<R>>,
  options: {
    readonly name: string
    readonly lookMillis: number
    readonly health?: BackgroundHealth
    readonly also?: ReadonlyArray<string>
  }
) {
  const queue = yield* LaneQueue
  const { health = yield* backgroundHealth, lookMillis, name } = options
  const gained = new Map(tasks.map((task) => [task.name, Latch.makeUnsafe()]))
  const all = new Map<string, LaneLeases<R>>()

  const node = yield* joinCluster({
    name,
    health,
    also: options.also ?? [],
    tasks: tasks.map((task) => task.name).toSorted(),
    giveUp: (shards) =>
      Effect.forEach(all, ([task, lanes]) => lanes.giveUp(shardsOfTask(task, shards)), {
        concurrency: "unbounded",
        discard: true
      }),
    isBusy: ({ shard, task }) => all.get(task)?.isBusy(shard) ?? false,
    onGained: () => {
      for (const latch of gained.values()) latch.openUnsafe()
    }
  })

  const untilDue = (lanes: LaneLeases<R>) =>
    Effect.gen(function* () {
      const due = yield* lanes.nextDue
      if (due === null) return lookMillis
      const wait = DateTime.toEpochMillis(due) - DateTime.toEpochMillis(yield* DateTime.now)
      return Math.min(lookMillis, Math.max(wait, 20))
    })

  const loop = Effect.fnUntraced(function* (task: LaneWorker<R>, lanes: LaneLeases<R>, more: Latch.Latch) {
    const notification = Effect.catchCause(queue.awaitNotification(task.name), () => Effect.never)
    // Held lanes are notified directly. The search for other lanes is delayed to batch notifications.
    const notify = Effect.flatMap(notification, (shards) => {
      lanes.notify(shards)
      const areHeld = shards !== null && Array.from(shards).every(lanes.isBusy)
      return areHeld
        ? Effect.timeoutOrElse(lanes.awaitEnd, { duration: "50 millis", orElse: () => Effect.void })
        : Effect.void
    })
    const part = { name: task.name, isEssential: true }
    const look = Effect.gen(function* () {
      more.closeUnsafe()
      const claimed = yield* lanes.claim
      if (claimed > 0 && lanes.hasRoom()) return
      // Without free capacity, notifications affect held lanes only.
      const wait = lanes.hasRoom() ? yield* untilDue(lanes) : lookMillis
      yield* health.succeeded(part)
      yield* Effect.raceAllFirst([lanes.awaitEnd, more.await, notify, Effect.sleep(wait)])
    })
    return yield* supervise(health, part, look)
  })

  for (const task of tasks) {
    const lanes = yield* makeLaneLeases(task, node)
    all.set(task.name, lanes)
    yield* Effect.forkScoped(loop(task, lanes, gained.get(task.name) ?? Latch.makeUnsafe()))
  }
})

/** Runs all due lanes of a task in shards without an owner, until no lane is due. For short-lived processes; it does not wait for other processes. */
export const runDueLanes = <R>(task: LaneWorker<R>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const shards = yield* Shards
      const queue = yield* LaneQueue
      const id = yield* (yield* Ids).next
      const join = Effect.flatMap(DateTime.now, (now) => shards.join({ id, name: "visitor", tasks: [task.name], now }))
      yield* Effect.acquireRelease(join, () => shards.leave(id))
      const owned = yield* shards.claim(id, task.name, shardCount)
      let isAlive = true
      const heartbeat = Effect.flatMap(DateTime.now, (now) => shards.renew(id, now)).pipe(
        Effect.map((view) => void (isAlive = view !== null)),
        Effect.delay(heartbeatInterval)
      )
      yield* Effect.forkScoped(
        supervise(yield* backgroundHealth, { name: "heartbeat of a visitor", isEssential: true }, heartbeat)
      )
      const lanes = yield* makeLaneLeases(task, {
        id: () => id,
        owned: () => Effect.sync(() => (isAlive ? owned : []))
      })
      const notification = Effect.map(queue.awaitNotification(task.name), (cause) => lanes.notify(cause))
      while (true) {
        const claimed = yield* lanes.claim
        if (claimed > 0) continue
        if (lanes.isIdle()) return
        yield* Effect.raceFirst(lanes.awaitEnd, notification)
      }
    })
  )
