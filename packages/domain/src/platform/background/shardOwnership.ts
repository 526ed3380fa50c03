import { Clock, DateTime, Duration, Effect, FiberSet } from "effect"
import { Ids } from "../../kernel/index.ts"
import { type BackgroundHealth, maxRetryDelayMillis, supervise } from "./BackgroundHealth.ts"
import { type OwnedShard, shardCount, type TaskName } from "./Lane.ts"
import { failureTimeoutMillis, makeFailureDetector, type ShardOwnership, Shards } from "./Shards.ts"
import type { ShardOwner } from "./laneLeases.ts"

/** Returns the shard count of one node. The counts of two nodes differ by at most one. */
export const shardShare = (node: string, nodes: ReadonlyArray<string>, shards: number): number => {
  const place = nodes.toSorted().indexOf(node)
  if (place < 0) return 0
  return Math.floor(shards / nodes.length) + (place < shards % nodes.length ? 1 : 0)
}

export const heartbeatInterval = 2_000

/** Maximum delay before a failed heartbeat is sent again. */
const maxHeartbeatDelayMillis = 500

/** Time of certain ownership after a heartbeat. It is shorter than the timeout after which other processes declare this one dead. */
const ownershipLease = Duration.toNanosUnsafe(Duration.millis(failureTimeoutMillis - 1_500))

interface LocalShard extends OwnedShard {
  /** The shard moves to another process when this process holds no lane in it. */
  isLeaving: boolean
}

/** Without membership this process owns no shard, and another process must do the work of its share. */
const membership = { name: "membership", isEssential: true }

const ownership = { name: "ownership", isEssential: true }

const shardName = ({ shard, task }: Pick<OwnedShard, "shard" | "task">) => `${task} ${shard}`

/**
 * Joins this process to the worker processes. It sends heartbeats over a dedicated connection and claims its share of each task's shards. It
 * releases excess shards, and replaces dead processes. If its heartbeats fail, it stops before another process may take over. At the end of the
 * scope it releases all shards immediately.
 */
export const joinCluster = Effect.fnUntraced(function* (options: {
  readonly name: string
  readonly health: BackgroundHealth
  readonly tasks: ReadonlyArray<TaskName>
  /** Other tasks of the process without shards. */
  readonly also: ReadonlyArray<TaskName>
  /** Interrupts the lanes of these shards, and waits for their end. */
  readonly giveUp: (shards: ReadonlyArray<OwnedShard>) => Effect.Effect<void>
  readonly isBusy: (shard: OwnedShard) => boolean
  /** Called after the process gains shards, or after ownership is certain again. */
  readonly onGained: () => void
}) {
  const { also, giveUp, health, isBusy, name, onGained, tasks } = options
  const shards = yield* Shards
  const ids = yield* Ids
  const findDead = makeFailureDetector()
  const held = new Map<string, LocalShard>()
  let id = yield* ids.next
  let hasJoined = false
  let isCertain = false
  let certainUntil = 0n
  let millisToNextLook = heartbeatInterval

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => Effect.ignoreCause(hasJoined ? Effect.timeout(shards.leave(id), "5 seconds") : Effect.void))
  )
  const handovers = yield* FiberSet.make<void>()
  const handOver = yield* FiberSet.runtime(handovers)()

  const lose = (lost: ReadonlyArray<LocalShard>) => {
    for (const shard of lost) held.delete(shardName(shard))
    if (lost.length > 0) handOver(giveUp(lost))
  }

  const releaseShards = (given: ReadonlyArray<LocalShard>) => {
    for (const shard of given) shard.isLeaving = true
    const former = id
    const release = Effect.andThen(giveUp(given), shards.release(former, given))
    const forget = Effect.sync(() => {
      for (const shard of given) if (held.get(shardName(shard)) === shard) held.delete(shardName(shard))
    })
    // A failed release is retried at the next heartbeat.
    handOver(Effect.ensuring(Effect.ignoreCause(release), forget))
  }

  const keep = (owned: ReadonlyArray<OwnedShard>) => {
    for (const shard of owned) {
      if (held.get(shardName(shard))?.fence !== shard.fence) held.set(shardName(shard), { ...shard, isLeaving: false })
    }
  }

  const reconcile = ({ owned }: ShardOwnership) => {
    const fences = new Map(owned.map((shard) => [shardName(shard), shard.fence]))
    lose(Array.from(held.values()).filter((shard) => fences.get(shardName(shard)) !== shard.fence))
    keep(owned)
  }

  const balance = Effect.fnUntraced(function* (task: TaskName, nodes: ShardOwnership["nodes"]) {
    const peers = nodes.filter(({ tasks }) => tasks.includes(task)).map(({ id }) => id)
    const share = shardShare(id, peers, shardCount)
    const own = Array.from(held.values()).filter((shard) => shard.task === task && !shard.isLeaving)
    if (own.length > share) {
      const idleFirst = own.toSorted((one, other) => Number(isBusy(one)) - Number(isBusy(other)))
      return releaseShards(idleFirst.slice(0, own.length - share))
    }
    if (own.length === share) return undefined
    const claimed = yield* shards.claim(id, task, share - own.length)
    keep(claimed)
    return claimed.length > 0 ? onGained() : undefined
  })

  const join = Effect.gen(function* () {
    id = yield* ids.next
    yield* shards.join({ id, name, tasks, also, now: yield* DateTime.now })
    hasJoined = true
  })

  const look: Effect.Effect<void> = Effect.gen(function* () {
    if (!hasJoined) yield* join
    const sentAt = yield* Clock.monotonicTimeNanos
    const view = yield* shards.renew(id, yield* DateTime.now)
    if (view === null) {
      yield* Effect.logWarning("This process sent no heartbeat for too long and was declared dead; it joins again")
      hasJoined = false
      lose(Array.from(held.values()))
      return yield* look
    }
    certainUntil = sentAt + ownershipLease
    const wasCertain = isCertain
    isCertain = true
    reconcile(view)
    if (!wasCertain) onGained()
    const observed = findDead(view.nodes, Number(sentAt / 1_000_000n))
    // A look at the end of the timeout detects a dead process without an additional interval.
    millisToNextLook = Math.min(heartbeatInterval, observed.nextMillis)
    const dead = observed.dead.filter((node) => node.id !== id)
    for (const node of dead) {
      if (yield* shards.expire(node.id, node.beat)) {
        yield* Effect.logWarning(
          `The process ${node.name} sent no heartbeat for too long: other processes take over its work`
        )
      }
    }
    const living = view.nodes.filter((node) => !dead.includes(node))
    for (const work of tasks) yield* balance(work, living)
  })

  const notification = Effect.catchCause(shards.awaitNotification, () => Effect.never)

  const pause = Effect.suspend(() =>
    Effect.timeoutOrElse(notification, { duration: millisToNextLook, orElse: () => Effect.void })
  )
  const heartbeat = Effect.andThen(look, Effect.andThen(health.succeeded(membership), pause))
  // After this process owns shards, a late heartbeat costs it the lease.
  const maxDelay = () => (hasJoined ? maxHeartbeatDelayMillis : maxRetryDelayMillis)
  yield* Effect.forkScoped(supervise(health, membership, heartbeat, maxDelay))

  const watchLease = Effect.gen(function* () {
    const left = certainUntil - (yield* Clock.monotonicTimeNanos)
    if (left > 0n) return yield* Effect.sleep(Duration.nanos(left))
    if (isCertain) {
      isCertain = false
      yield* Effect.logWarning("No heartbeat succeeded for too long: this process stops its work until one succeeds")
      handOver(giveUp(Array.from(held.values())))
    }
    return yield* Effect.sleep("250 millis")
  })
  yield* Effect.forkScoped(supervise(health, ownership, watchLease))

  return {
    id: () => id,
    owned: (work) =>
      Effect.map(Clock.monotonicTimeNanos, (now) =>
        now < certainUntil ? Array.from(held.values()).filter((shard) => shard.task === work && !shard.isLeaving) : []
      )
  } satisfies ShardOwner
})
