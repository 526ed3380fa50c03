import { Effect } from "effect"
import { type ScheduleId, WeeklySchedules } from "../../schedules/index.ts"
import type { Graph } from "./Graph.ts"

const isThere = Effect.fnUntraced(function* (id: ScheduleId) {
  return yield* Effect.match((yield* WeeklySchedules).get(id), { onFailure: () => false, onSuccess: () => true })
})

/** The schedules that a graph waits for and that are not there. */
export const faultsOfSchedules = Effect.fnUntraced(function* ({ nodes }: Graph) {
  const named = nodes.flatMap((node, index) =>
    node.kind === "wait" && node.scheduleId !== undefined
      ? [{ id: node.scheduleId, pointer: `/graph/nodes/${index}/scheduleId` }]
      : []
  )
  const missing = yield* Effect.filter(named, ({ id }) => Effect.map(isThere(id), (found) => !found))
  return missing.map(({ pointer }) => ({ pointer, message: "There is no schedule with this id" }))
})
