import { type Lane, laneId, type LaneLease, type LaneToSchedule, shardOf } from "@parley/domain/platform"
import { DateTime, Effect, HashMap } from "effect"
import { rowAt, type State } from "../../store/State.ts"
import type { WorkLaneRow } from "../state.ts"
import type { Store } from "../../store/Store.ts"

/** Whether the lease still owns the shard, and belongs to this node if given. */
export const owns = (state: State, lease: LaneLease, node: string | null) =>
  state.workShards.some(
    (row) =>
      row.task === lease.task &&
      row.shard === lease.shard &&
      row.fence === lease.fence &&
      (node === null || row.node === node)
  )

/** Returns the lane unless another process has claimed it. */
export const leased = (state: State, lease: LaneLease): WorkLaneRow | null => {
  const row = rowAt(state.workLanes, laneId(lease))
  return row !== null && row.fence === lease.fence && owns(state, lease, null) ? row : null
}

/** Without the lane. */
export const withoutLane = (state: State, lane: Lane): State => ({
  ...state,
  workLanes: HashMap.remove(state.workLanes, laneId(lane))
})

/** With the lane due then. */
export const withLaneDue = (state: State, lane: Lane, dueAt: DateTime.Utc): State => ({
  ...state,
  workLanes: HashMap.modify(state.workLanes, laneId(lane), (row) => ({ ...row, dueAt }))
})

const opened = (state: State, lane: LaneToSchedule): State => {
  const before = rowAt(state.workLanes, laneId(lane))
  const after =
    before === null
      ? { ...lane, shard: shardOf(lane), fence: 0 }
      : {
          ...before,
          dueAt: DateTime.min(before.dueAt, lane.dueAt),
          priority: lane.priority === "person" ? lane.priority : before.priority
        }
  return { ...state, workLanes: HashMap.set(state.workLanes, laneId(lane), after) }
}

/** Opens lanes and wakes their owners after the unit of work ends. */
export const openLanes = Effect.fnUntraced(function* (store: Store["Service"], lanes: ReadonlyArray<LaneToSchedule>) {
  yield* store.write((state) => [undefined, lanes.reduce(opened, state)])
  yield* store.atEnd(() => {
    for (const lane of lanes) store.workNotifications.opened(lane.task, shardOf(lane))
  })
})
