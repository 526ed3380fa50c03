import { type DueLanes, WorkerDirectory } from "@parley/domain/platform"
import { DateTime, Effect, HashMap, Layer, Record } from "effect"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  WorkerDirectory,
  Effect.map(Store, (store) =>
    WorkerDirectory.of({
      processes: store.read(({ workNodes, workShards }) =>
        HashMap.toValues(workNodes)
          .map(({ id, joinedAt, name, seenAt, tasks }) => {
            const owned = Map.groupBy(
              workShards.filter(({ node }) => node === id),
              ({ task }) => task
            )
            const shards = Record.map(Object.fromEntries(owned), ({ length }) => length)
            return { id, name, tasks, shards, joinedAt, seenAt }
          })
          .toSorted((one, other) => DateTime.Order(one.joinedAt, other.joinedAt) || (one.id < other.id ? -1 : 1))
      ),
      dueLanes: (now) =>
        store.read(({ workLanes }) => {
          const due = HashMap.toValues(workLanes).filter(({ dueAt }) => DateTime.isLessThanOrEqualTo(dueAt, now))
          return Array.from(
            Map.groupBy(due, ({ task }) => task),
            ([task, lanes]): DueLanes => ({
              task,
              count: lanes.length,
              since: lanes.map(({ dueAt }) => dueAt).reduce((one, other) => DateTime.min(one, other))
            })
          ).toSorted((one, other) => (one.task < other.task ? -1 : 1))
        })
    })
  )
)
