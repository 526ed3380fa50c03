import { assert } from "@effect/vitest"
import { shardCount, Shards } from "@parley/domain/platform"
import { Effect, Fiber } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { outside } from "../../given.ts"
import { dawn, freshWork, givenNode, givenOwner, takeOver } from "./given.ts"

const ofWork = <Row extends { readonly task: string }>(rows: ReadonlyArray<Row>, task: string) =>
  rows.filter((row) => row.task === task)

const view = Effect.fnUntraced(function* (id: string) {
  const found = yield* Effect.flatMap(Shards, (shards) => shards.renew(id, dawn))
  return found ?? assert.fail("it was declared dead")
})

export const shards: StorageContract = {
  port: "Shards",
  promises: (it) => {
    it.effect("gives each shard to a single worker, with a unique fence", () =>
      outside(
        Effect.gen(function* () {
          const shards = yield* Shards
          const task = freshWork()
          const nodes = yield* Effect.replicateEffect(givenNode(task), 5)
          const taken = yield* Effect.forEach(nodes, (id) => shards.claim(id, task, 30), { concurrency: "unbounded" })
          const rest = yield* shards.claim(nodes[0] ?? "", task, shardCount)
          const all = [...taken.flat(), ...rest]
          assert.strictEqual(new Set(all.map(({ shard }) => shard)).size, all.length)
          assert.strictEqual(all.length, shardCount)
          assert.isTrue(all.every(({ fence }) => fence === 1))
          const owned = yield* Effect.forEach(nodes, (id) => Effect.map(view(id), ({ owned }) => owned.length))
          assert.deepStrictEqual(
            owned,
            taken.map(({ length }, place) => length + (place === 0 ? rest.length : 0))
          )
        })
      )
    )

    it.effect("lists workers with their tasks and heartbeats", () =>
      outside(
        Effect.gen(function* () {
          const [one, other] = [freshWork(), freshWork()]
          const both = yield* givenNode(one, other)
          const single = yield* givenNode(one)
          yield* view(single)
          yield* view(single)
          const { nodes, owned } = yield* view(both)
          assert.deepStrictEqual(owned, [])
          const mine = nodes.filter(({ id }) => id === both || id === single)
          assert.deepStrictEqual(
            mine.map(({ id, tasks }) => [id, tasks]).toSorted(),
            [
              [both, [one, other]],
              [single, [one]]
            ].toSorted()
          )
          assert.strictEqual(mine.find(({ id }) => id === single)?.beat, 2)
        })
      )
    )

    it.effect("removes silent workers, and none with a heartbeat", () =>
      outside(
        Effect.gen(function* () {
          const shards = yield* Shards
          const task = freshWork()
          const former = yield* givenOwner(task)
          yield* view(former.id)
          assert.isFalse(yield* shards.expire(former.id, 0), "it has been heard of since")
          const next = yield* givenNode(task)
          assert.deepStrictEqual(yield* shards.claim(next, task, 1), [], "it lives")
          assert.isTrue(yield* shards.expire(former.id, 1))
          assert.isFalse(yield* shards.expire(former.id, 1))
          const taken = yield* shards.claim(next, task, shardCount)
          assert.strictEqual(taken.length, shardCount)
          assert.isTrue(
            taken.every(({ fence }) => fence === 2),
            "each owner has a higher fence than all before"
          )
          assert.isNull(yield* shards.renew(former.id, dawn))
          assert.deepStrictEqual(yield* shards.claim(former.id, task, 1), [], "the dead claim nothing")
        })
      )
    )

    it.effect("offers returned and abandoned shards to all workers", () =>
      outside(
        Effect.gen(function* () {
          const shards = yield* Shards
          const [task, other] = [freshWork(), freshWork()]
          const former = yield* givenNode(task, other)
          const owned = yield* shards.claim(former, task, shardCount)
          yield* shards.claim(former, other, 3)
          yield* shards.release(former, owned.slice(0, 2))
          const next = yield* givenNode(task, other)
          const taken = yield* shards.claim(next, task, shardCount)
          assert.deepStrictEqual(
            taken.map(({ fence, shard }) => [shard, fence]),
            owned.slice(0, 2).map(({ shard }) => [shard, 2])
          )
          yield* shards.release(former, owned.slice(0, 2))
          assert.strictEqual(ofWork((yield* view(next)).owned, task).length, 2, "it was not its own any more")
          yield* shards.leave(former)
          assert.isNull(yield* shards.renew(former, dawn))
          assert.strictEqual((yield* shards.claim(next, task, shardCount)).length, shardCount - 2)
          assert.strictEqual((yield* shards.claim(next, other, shardCount)).length, shardCount)
        })
      )
    )

    it.effect("wakes waiting workers when a worker joins, returns shards, or is declared dead", () =>
      outside(
        Effect.gen(function* () {
          const shards = yield* Shards
          const task = freshWork()
          const owner = yield* givenOwner(task)
          for (const happens of [
            givenNode(task),
            shards.release(owner.id, owner.owned.slice(0, 1)),
            takeOver(task, owner.id)
          ]) {
            const woken = yield* Effect.forkChild(shards.awaitNotification)
            yield* Effect.yieldNow
            yield* happens
            yield* Fiber.join(woken)
          }
        })
      )
    )
  }
}

/** Runs the promises of `Shards`. */
export const shardsContract = runContract(shards)
