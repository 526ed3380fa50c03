import { Cause, DateTime, Duration, Effect, Exit, Fiber, Latch, Option, Schedule, type Scope } from "effect"
import {
  isStorageUnavailable,
  type OrganizationId,
  retryThroughOutage,
  transact,
  type UnitOfWork
} from "../../kernel/index.ts"
import { type DueLane, laneId, type LaneLease, type LaneWorker, type OwnedShard } from "./Lane.ts"
import { LaneQueue, type LeaseLost } from "./LaneQueue.ts"
import { makeFairQueue } from "./fairQueue.ts"

/** Maximum number of due lanes in one selection. */
const pageSize = 64

/** Process that owns shards and claims lanes in them. */
export interface ShardOwner {
  readonly id: () => string
  /** Shards with certain ownership at this moment. */
  readonly owned: (task: string) => Effect.Effect<ReadonlyArray<OwnedShard>>
}

interface LeasedLane {
  readonly lease: LaneLease
  readonly notification: Latch.Latch
  fiber: Fiber.Fiber<void> | null
}

/** On a full page, lanes of more organizations may be due. */
const mayHaveMore = (found: ReadonlyArray<DueLane>) =>
  found.length >= pageSize && new Set(found.map(({ organizationId }) => organizationId)).size < found.length

/** A failed lane is retried after 1, 2, 4, ... seconds, at most 60. */
const retryDelay = (failures: number) => ({ seconds: Math.min(2 ** (failures - 1), 60) })

const isLeaseLost = (cause: Cause.Cause<unknown>) =>
  Option.exists(Cause.findErrorOption(cause), (error) => (error as Partial<LeaseLost> | null)?._tag === "LeaseLost")

/** Lane leases of a process for one task. The end of the scope interrupts the lanes. */
export const makeLaneLeases = Effect.fnUntraced(function* <R>(
  task: LaneWorker<R>,
  owner: ShardOwner
): Effect.fn.Return<LaneLeases<R>, never, LaneQueue | Scope.Scope> {
  const queue = yield* LaneQueue
  const scope = yield* Effect.scope
  const held = new Map<string, LeasedLane>()
  const failures = new Map<string, number>()
  const chooseTurns = makeFairQueue()
  const ended = Latch.makeUnsafe()
  let isAllClaimed = true
  let visited: OrganizationId | null = null

  /** Postpones the lane to its next due time, or closes it. Isolates it first, because concurrent additions must not be missed. */
  const release = Effect.fnUntraced(function* (lease: LaneLease, notBefore: DateTime.Utc) {
    if (!(yield* queue.isolate(lease))) return false
    const next = yield* task.nextDue(lease)
    yield* next === null ? queue.close(lease) : queue.postpone(lease, DateTime.max(next, notBefore))
    return true
  }, transact)

  const releaseWhenQuiet = (lease: LaneLease, notBefore: DateTime.Utc) =>
    release(lease, notBefore).pipe(
      Effect.repeat({ while: (isDone) => !isDone, schedule: Schedule.spaced("20 millis") }),
      retryThroughOutage,
      Effect.asVoid
    )

  const countFailure = (lease: LaneLease) => {
    const count = (failures.get(laneId(lease)) ?? 0) + 1
    failures.set(laneId(lease), count)
    return count
  }

  const afterFailure = Effect.fnUntraced(function* (lease: LaneLease, cause: Cause.Cause<unknown>) {
    if (isLeaseLost(cause)) return yield* Effect.logInfo(`Another process has taken over ${laneId(lease)}`)
    // The lane stays due. The process claims it again after the storage recovers.
    if (isStorageUnavailable(cause)) return yield* Effect.sleep("500 millis")
    const rest = retryDelay(countFailure(lease))
    yield* Effect.logError(`The work of ${laneId(lease)} failed; Parley retries it in ${rest.seconds} s`, cause)
    return yield* releaseWhenQuiet(lease, DateTime.add(yield* DateTime.now, rest))
  })

  const isCrowded = () => held.size >= task.concurrency

  const workAt = ({ lease, notification }: LeasedLane) =>
    Effect.exit(
      task.run(lease, { notification: Effect.andThen(notification.await, notification.close), isCrowded })
    ).pipe(
      Effect.flatMap((exit) => {
        if (Exit.isFailure(exit)) return afterFailure(lease, exit.cause)
        failures.delete(laneId(lease))
        return exit.value === "closed"
          ? Effect.void
          : Effect.flatMap(DateTime.now, (now) => releaseWhenQuiet(lease, now))
      }),
      Effect.catchTag("LeaseLost", () => Effect.void),
      Effect.catchCauseIf(
        (cause) => !Cause.hasInterrupts(cause),
        (cause) =>
          Effect.andThen(
            Effect.logError(`The lane ${laneId(lease)} could not be released; Parley checks it again`, cause),
            Effect.suspend(() => Effect.sleep(Duration.seconds(retryDelay(countFailure(lease)).seconds)))
          )
      )
    )

  const begin = Effect.fnUntraced(function* (lease: LaneLease) {
    const entry: LeasedLane = { lease, notification: Latch.makeUnsafe(), fiber: null }
    held.set(laneId(lease), entry)
    const fiber = yield* Effect.forkIn(workAt(entry), scope)
    entry.fiber = fiber
    fiber.addObserver(() => {
      held.delete(laneId(lease))
      // If more lanes are due, the next claim waits for capacity for several lanes.
      if (isAllClaimed || held.size <= task.concurrency / 2) ended.openUnsafe()
    })
  })

  const leases = () => Array.from(held.values(), ({ lease }) => lease)

  const countOfOrganizations = () => {
    const counts = new Map<OrganizationId, number>()
    for (const { organizationId } of leases()) counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
    return counts
  }

  /** Claims lanes up to the free capacity and returns the count. */
  const claim = Effect.gen(function* () {
    ended.closeUnsafe()
    const fences = new Map((yield* owner.owned(task.name)).map(({ fence, shard }) => [shard, fence]))
    const room = task.concurrency - held.size
    if (room <= 0 || fences.size === 0) return 0
    const now = yield* DateTime.now
    const search = {
      task: task.name,
      shards: Array.from(fences.keys()),
      except: leases(),
      now,
      limit: Math.max(pageSize, task.concurrency)
    }
    const lanes = new Map((yield* queue.due(search)).map((lane) => [laneId(lane), lane]))
    if (mayHaveMore(Array.from(lanes.values()))) {
      const others = yield* queue.dueByOrganization({ ...search, limit: pageSize }, visited)
      visited = others.last
      for (const lane of others.lanes) lanes.set(laneId(lane), lane)
    }
    const chosen = chooseTurns(Array.from(lanes.values()), countOfOrganizations(), room)
    const wanted = chosen.map(({ key, organizationId, shard }): LaneLease => {
      return { task: task.name, organizationId, key, shard, fence: fences.get(shard) ?? 0 }
    })
    const claimed = wanted.length === 0 ? [] : yield* queue.claim(owner.id(), wanted, now)
    isAllClaimed = lanes.size <= claimed.length
    yield* Effect.forEach(claimed, begin, { discard: true })
    return claimed.length
  })

  return {
    claim,
    hasRoom: () => held.size < task.concurrency,
    isIdle: () => held.size === 0,
    /** Completes when a lane has ended since the last claim. */
    awaitEnd: ended.await,
    /** Time of the next due lane that this process does not hold. */
    nextDue: Effect.flatMap(owner.owned(task.name), (owned) =>
      owned.length === 0
        ? Effect.succeed(null)
        : queue.nextDue({ task: task.name, shards: owned.map(({ shard }) => shard), except: leases() })
    ),
    notify: (shards) => {
      for (const { lease, notification } of held.values())
        if (shards === null || shards.has(lease.shard)) notification.openUnsafe()
    },
    isBusy: (shard) => leases().some((lease) => lease.shard === shard),
    giveUp: (shards) =>
      Effect.suspend(() => {
        const fibers = Array.from(held.values()).flatMap(({ fiber, lease }) =>
          fiber !== null && shards.has(lease.shard) ? [fiber] : []
        )
        return Fiber.interruptAll(fibers)
      })
  }
})

export interface LaneLeases<R> {
  readonly claim: Effect.Effect<number, never, R | UnitOfWork>
  readonly hasRoom: () => boolean
  readonly isIdle: () => boolean
  readonly awaitEnd: Effect.Effect<void>
  readonly nextDue: Effect.Effect<DateTime.Utc | null>
  /** Notifies the held lanes of these shards about possible new work; `null` means all shards. */
  readonly notify: (shards: ReadonlySet<number> | null) => void
  readonly isBusy: (shard: number) => boolean
  /** Interrupts the lanes of these shards, and waits for their uninterruptible work. */
  readonly giveUp: (shards: ReadonlySet<number>) => Effect.Effect<void>
}
