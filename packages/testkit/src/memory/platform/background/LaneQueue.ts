import { type DueLane, laneId, type LaneLease, LaneQueue, type LaneSearch, LeaseLost } from "@parley/domain/platform"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type State } from "../../store/State.ts"
import type { WorkLaneRow } from "../state.ts"
import { refuse, type Refused, Store, type Written } from "../../store/Store.ts"
import { leased, openLanes, owns, withLaneDue, withoutLane } from "./laneRows.ts"

const found = (state: State, { except, shards, task }: Omit<LaneSearch, "limit" | "now">) => {
  const inHand = new Set(except.map(laneId))
  return Array.from(HashMap.values(state.workLanes))
    .filter((lane) => lane.task === task && shards.includes(lane.shard) && !inHand.has(laneId(lane)))
    .toSorted((one, other) => DateTime.Order(one.dueAt, other.dueAt))
}

const isDue =
  (now: DateTime.Utc) =>
  ({ dueAt }: DueLane) =>
    DateTime.isLessThanOrEqualTo(dueAt, now)

const asDue = ({ dueAt, key, organizationId, priority, shard, task }: WorkLaneRow): DueLane => ({
  task,
  organizationId,
  key,
  shard,
  priority,
  dueAt
})

const underLease =
  <A>(lease: LaneLease, answer: A, change: (state: State) => State = (state) => state) =>
  (state: State): Written<A, State> | Refused<LeaseLost> =>
    leased(state, lease) === null ? refuse(new LeaseLost()) : [answer, change(state)]

export const layer = Layer.effect(
  LaneQueue,
  Effect.map(Store, (store) =>
    LaneQueue.of({
      openAll: (lanes) => openLanes(store, lanes),
      due: (search) =>
        store.read((state) => {
          const due = found(state, search).filter(isDue(search.now)).map(asDue)
          return (["person", "bulk"] as const).flatMap((wanted) =>
            due.filter(({ priority }) => priority === wanted).slice(0, search.limit)
          )
        }),
      dueByOrganization: (search, after) =>
        store.read((state) => {
          const organizations = new Set(
            Array.from(HashMap.values(state.workLanes)).flatMap(({ organizationId, task }) =>
              task === search.task && (after === null || organizationId > after) ? [organizationId] : []
            )
          )
          const visited = Array.from(organizations).toSorted().slice(0, search.limit)
          const due = found(state, search).filter(isDue(search.now)).map(asDue)
          const lanes = visited.flatMap((id) => {
            const own = due.filter(({ organizationId }) => organizationId === id)
            return (own.find(({ priority }) => priority === "person") ?? own[0]) || []
          })
          return { lanes, last: visited.length < search.limit ? null : (visited.at(-1) ?? null) }
        }),
      claim: (node, leases, now) =>
        store.write((state) => {
          const claimed = leases.filter((lease) => {
            const row = rowAt(state.workLanes, laneId(lease))
            return row !== null && row.fence <= lease.fence && isDue(now)(row) && owns(state, lease, node)
          })
          const workLanes = claimed.reduce(
            (lanes, lease) => HashMap.modify(lanes, laneId(lease), (row) => ({ ...row, fence: lease.fence })),
            state.workLanes
          )
          return [claimed, { ...state, workLanes }]
        }),
      nextDue: (search) => store.read((state) => found(state, search)[0]?.dueAt ?? null),
      hold: (lease) => store.write(underLease(lease, undefined)),
      isolate: (lease) => store.write(underLease(lease, true)),
      postpone: (lease, dueAt) =>
        store.write(underLease(lease, undefined, (state) => withLaneDue(state, lease, dueAt))),
      close: (lease) => store.write(underLease(lease, undefined, (state) => withoutLane(state, lease))),
      awaitNotification: store.workNotifications.awaitOpened
    })
  )
)
