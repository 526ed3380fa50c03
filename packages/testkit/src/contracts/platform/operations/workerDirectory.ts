import { assert } from "@effect/vitest"
import { Shards, WorkerDirectory } from "@parley/domain/platform"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { inNewOrganization } from "../../crm/given.ts"
import { outside } from "../../given.ts"
import { at, dawn, freshWork, givenNode, givenOwner, open } from "../background/given.ts"

const processesOf = (task: string) =>
  outside(
    Effect.flatMap(WorkerDirectory, (workers) =>
      Effect.map(workers.processes, (all) => all.filter(({ tasks }) => tasks.includes(task)))
    )
  )

export const workerDirectory: StorageContract = {
  port: "WorkerDirectory",
  promises: (it) => {
    it.effect("lists workers with tasks, shards and last heartbeat", () =>
      outside(
        Effect.gen(function* () {
          const task = freshWork()
          const { id, owned } = yield* givenOwner(task)
          const other = yield* givenNode(task)
          const shards = yield* Shards
          yield* shards.renew(id, at(2))
          const all = yield* processesOf(task)
          const inOrder = all.toSorted((one) => (one.id === id ? -1 : 1))
          assert.deepStrictEqual(inOrder, [
            { id, name: "contract", tasks: [task], shards: { [task]: owned.length }, joinedAt: dawn, seenAt: at(2) },
            { id: other, name: "contract", tasks: [task], shards: {}, joinedAt: dawn, seenAt: dawn }
          ])
          yield* shards.leave(id)
          yield* shards.expire(other, 0)
          assert.deepStrictEqual(yield* processesOf(task), [])
        })
      )
    )

    it.effect("lists tasks of a process without shards", () =>
      outside(
        Effect.gen(function* () {
          const [task, besides] = [freshWork(), freshWork()]
          const node = { id: yield* givenNode(task), name: "contract", now: dawn }
          const shards = yield* Shards
          yield* shards.leave(node.id)
          yield* shards.join({ ...node, tasks: [task], also: [besides] })
          assert.deepStrictEqual(
            (yield* processesOf(besides)).map(({ tasks }) => tasks),
            [[task, besides]]
          )
          assert.lengthOf(yield* shards.claim(node.id, besides, 1), 0)
        })
      )
    )

    it.effect("counts the lanes that are due, and tells since when the first is", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const task = freshWork()
          yield* open(task, "first", at(1))
          yield* open(task, "second", at(2))
          yield* open(task, "later", at(3))
          const dueAt = (seconds: number) =>
            outside(
              Effect.flatMap(WorkerDirectory, (workers) =>
                Effect.map(workers.dueLanes(at(seconds)), (all) => all.filter((lanes) => lanes.task === task))
              )
            )
          assert.deepStrictEqual(yield* dueAt(0), [])
          assert.deepStrictEqual(yield* dueAt(2), [{ task, count: 2, since: at(1) }])
        })
      )
    )
  }
}

/** Runs the contract of `WorkerDirectory` against an adapter. */
export const workerDirectoryContract = runContract(workerDirectory)
