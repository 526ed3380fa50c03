import { type OwnedShard, shardCount, Shards } from "@parley/domain/platform"
import { Effect, HashMap, Layer } from "effect"
import { rowAt, type State } from "../../store/State.ts"
import type { WorkShardRow } from "../state.ts"
import { Store } from "../../store/Store.ts"

const isOf = (one: Pick<OwnedShard, "shard" | "task">, other: Pick<OwnedShard, "shard" | "task">) =>
  one.task === other.task && one.shard === other.shard

const isFree = ({ workNodes }: State, { node }: WorkShardRow) => node === null || !HashMap.has(workNodes, node)

const asOwned = ({ fence, shard, task }: WorkShardRow): OwnedShard => ({ task, shard, fence })

const newShards = (state: State, tasks: ReadonlyArray<string>): ReadonlyArray<WorkShardRow> =>
  tasks
    .filter((task) => !state.workShards.some((row) => row.task === task))
    .flatMap((task) => Array.from({ length: shardCount }, (_, shard) => ({ task, shard, node: null, fence: 0 })))

export const layer = Layer.effect(
  Shards,
  Effect.map(Store, (store) => {
    const thenTell = Effect.tap(Effect.sync(store.workNotifications.shardsMoved))
    return Shards.of({
      join: ({ also = [], id, name, now, tasks }) =>
        thenTell(
          store.write((state) => [
            undefined,
            {
              ...state,
              workNodes: HashMap.set(state.workNodes, id, {
                id,
                name,
                tasks: [...tasks, ...also],
                beat: 0,
                joinedAt: now,
                seenAt: now
              }),
              workShards: [...state.workShards, ...newShards(state, tasks)]
            }
          ])
        ),
      renew: (id, now) =>
        store.write((state) => {
          const node = rowAt(state.workNodes, id)
          if (node === null) return [null, state]
          const workNodes = HashMap.set(state.workNodes, id, { ...node, beat: node.beat + 1, seenAt: now })
          const nodes = Array.from(HashMap.values(workNodes), ({ beat, id, name, tasks }) => ({
            id,
            name,
            tasks,
            beat
          }))
          const owned = state.workShards.filter((row) => row.node === id).map(asOwned)
          return [
            { nodes, owned },
            { ...state, workNodes }
          ]
        }),
      expire: (id, beat) =>
        thenTell(
          store.write((state) =>
            rowAt(state.workNodes, id)?.beat === beat
              ? [true, { ...state, workNodes: HashMap.remove(state.workNodes, id) }]
              : [false, state]
          )
        ),
      claim: (id, task, count) =>
        store.write((state) => {
          if (!HashMap.has(state.workNodes, id)) return [[], state]
          const taken = state.workShards
            .filter((row) => row.task === task && isFree(state, row))
            .slice(0, count)
            .map((row) => ({ ...row, node: id, fence: row.fence + 1 }))
          const workShards = state.workShards.map((row) => taken.find((each) => isOf(each, row)) ?? row)
          return [taken.map(asOwned), { ...state, workShards }]
        }),
      release: (id, shards) =>
        thenTell(
          store.write((state) => [
            undefined,
            {
              ...state,
              workShards: state.workShards.map((row) =>
                row.node === id && shards.some((each) => isOf(each, row) && each.fence === row.fence)
                  ? { ...row, node: null }
                  : row
              )
            }
          ])
        ),
      leave: (id) =>
        thenTell(
          store.write((state) => [
            undefined,
            {
              ...state,
              workNodes: HashMap.remove(state.workNodes, id),
              workShards: state.workShards.map((row) => (row.node === id ? { ...row, node: null } : row))
            }
          ])
        ),
      awaitNotification: store.workNotifications.awaitShards
    })
  })
)
