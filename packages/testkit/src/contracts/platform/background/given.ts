import { CurrentOrganization, transact } from "@parley/domain/kernel"
import {
  type DueLane,
  type Lane,
  type LaneLease,
  type LanePriority,
  LaneQueue,
  Lanes,
  type OwnedShard,
  shardCount,
  shardOf,
  Shards
} from "@parley/domain/platform"
import { assert } from "@effect/vitest"
import { SecureRandom } from "effect/crypto"
import { DateTime, Effect } from "effect"
import { freshText, outside } from "../../given.ts"

export const dawn = DateTime.makeUnsafe("2001-01-01T00:00:00Z")
export const at = (seconds: number) => DateTime.add(dawn, { seconds })

/** A task without workers. */
export const freshWork = () => freshText("work")

/** A process that shares these tasks. */
export const givenNode = Effect.fnUntraced(function* (...tasks: ReadonlyArray<string>) {
  const id = SecureRandom.uuidV7Unsafe()
  yield* outside(Effect.flatMap(Shards, (shards) => shards.join({ id, name: "contract", tasks, now: dawn })))
  return id
})

/** A process that owns all shards of a work. */
export const givenOwner = Effect.fnUntraced(function* (task: string) {
  const id = yield* givenNode(task)
  const owned = yield* outside(Effect.flatMap(Shards, (shards) => shards.claim(id, task, shardCount)))
  return { id, owned }
})

/** Takes over what a process owned that is declared dead. */
export const takeOver = Effect.fnUntraced(function* (task: string, former: string) {
  const shards = yield* Shards
  yield* outside(shards.expire(former, 0))
  return yield* givenOwner(task)
})

export const open = (task: string, key: string, dueAt = dawn, priority: LanePriority = "person") =>
  transact(Effect.flatMap(Lanes, (lanes) => lanes.open({ task, key, priority, dueAt })))

export const leaseOf = ({ fence, shard, task }: OwnedShard, { key, organizationId }: DueLane): LaneLease => ({
  task,
  organizationId,
  key,
  shard,
  fence
})

interface Owning {
  readonly id: string
  readonly owned: ReadonlyArray<OwnedShard>
}

/** Returns the due lanes of the process, earliest first. */
export const dueOf = ({ owned }: Owning, seconds: number, except: ReadonlyArray<LaneLease> = []) => {
  const task = owned[0]?.task ?? ""
  const search = { task, shards: owned.map(({ shard }) => shard), except, now: at(seconds), limit: 100 }
  return outside(Effect.flatMap(LaneQueue, (queue) => queue.due(search)))
}

/** Claims all that is due then. */
export const claimOf = Effect.fnUntraced(function* (owner: Owning, seconds: number) {
  const lanes = yield* dueOf(owner, seconds)
  const leases = lanes.flatMap((lane) => {
    const shard = owner.owned.find(({ shard }) => shard === lane.shard)
    return shard === undefined ? [] : [leaseOf(shard, lane)]
  })
  return yield* outside(Effect.flatMap(LaneQueue, (queue) => queue.claim(owner.id, leases, at(seconds))))
})

/**
 * Claims a lane as a process that has taken over from all others, if it is due; `null` when it is not, or another process owns it. It leaves
 * immediately, but may write until another one takes over.
 */
export const claimLane = Effect.fnUntraced(function* (lane: Lane, now: DateTime.Utc) {
  const shards = yield* Shards
  const node = yield* givenNode(lane.task)
  const owned = yield* shards.claim(node, lane.task, shardCount)
  const wanted = owned.filter(({ shard }) => shard === shardOf(lane)).map((own): LaneLease => ({ ...lane, ...own }))
  const [lease] = yield* (yield* LaneQueue).claim(node, wanted, now)
  yield* shards.leave(node)
  return lease ?? null
}, outside)

export const currentId = Effect.map(CurrentOrganization, ({ id }) => id)

export const only = <A>(rows: ReadonlyArray<A>): A => {
  assert.strictEqual(rows.length, 1)
  return rows[0] ?? assert.fail()
}

export const keys = (rows: ReadonlyArray<{ readonly key: string }>) => rows.map(({ key }) => key)
