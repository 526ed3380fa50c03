import { assert } from "@effect/vitest"
import { Shards, WorkerDirectory } from "@parley/domain"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { inNewOrganization } from "../../crm/given.ts"
import { outside } from "../../given.ts"
import { at, dawn, freshWork, givenNode, givenOwner, open } from "../background/given.ts"

const processesOf = (work: string) =>
  outside(
    Effect.flatMap(WorkerDirectory, (workers) =>
      Effect.map(workers.processes, (all) => all.filter(({ works }) => works.includes(work)))
    )
  )

export const workerDirectory: StorageContract = {
  port: "WorkerDirectory",
  promises: (it) => {
    it.effect("lists workers with tasks, shards and last heartbeat", () =>
      outside(
        Effect.gen(function* () {
          const work = freshWork()
          const { id, owned } = yield* givenOwner(work)
          const other = yield* givenNode(work)
          const shards = yield* Shards
          yield* shards.renew(id, at(2))
          const all = yield* processesOf(work)
          const inOrder = all.toSorted((one) => (one.id === id ? -1 : 1))
          assert.deepStrictEqual(inOrder, [
            { id, name: "contract", works: [work], shards: { [work]: owned.length }, joinedAt: dawn, seenAt: at(2) },
            { id: other, name: "contract", works: [work], shards: {}, joinedAt: dawn, seenAt: dawn }
          ])
          yield* shards.leave(id)
          yield* shards.expire(other, 0)
          assert.deepStrictEqual(yield* processesOf(work), [])
        })
      )
    )

    it.effect("lists tasks of a process without shards", () =>
      outside(
        Effect.gen(function* () {
          const [work, besides] = [freshWork(), freshWork()]
          const node = { id: yield* givenNode(work), name: "contract", now: dawn }
          const shards = yield* Shards
          yield* shards.leave(node.id)
          yield* shards.join({ ...node, works: [work], also: [besides] })
          assert.deepStrictEqual(
            (yield* processesOf(besides)).map(({ works }) => works),
            [[work, besides]]
          )
          assert.lengthOf(yield* shards.claim(node.id, besides, 1), 0)
        })
      )
    )

    it.effect("counts the lanes that are due, and tells since when the first is", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const work = freshWork()
          yield* open(work, "first", at(1))
          yield* open(work, "second", at(2))
          yield* open(work, "later", at(3))
          const dueAt = (seconds: number) =>
            outside(
              Effect.flatMap(WorkerDirectory, (workers) =>
                Effect.map(workers.dueLanes(at(seconds)), (all) => all.filter((lanes) => lanes.work === work))
              )
            )
          assert.deepStrictEqual(yield* dueAt(0), [])
          assert.deepStrictEqual(yield* dueAt(2), [{ work, count: 2, since: at(1) }])
        })
      )
    )
  }
}

/** Runs the contract of `WorkerDirectory` against an adapter. */
export const workerDirectoryContract = runContract(workerDirectory)
