import { DateTime, Effect, Option } from "effect"
import type { Fault } from "../../../kernel/index.ts"
import { statusAt, type WeeklySchedule, WeeklySchedules, zoneOf } from "../../schedules/index.ts"
import type { Graph } from "./Graph.ts"

/** Whether who waits for it waits for good. */
const staysClosed = Effect.fnUntraced(function* (schedule: WeeklySchedule) {
  const { nextChangeAt, open } = statusAt(schedule, yield* zoneOf(schedule), yield* DateTime.now)
  return !open && nextChangeAt === null
})

/** The schedules that a graph waits for and that are not there, or do not open. */
export const faultsOfSchedules = Effect.fnUntraced(function* ({ nodes }: Graph) {
  const schedules = yield* WeeklySchedules
  const faults = yield* Effect.forEach(
    nodes.entries(),
    Effect.fnUntraced(function* ([index, node]) {
      const none: ReadonlyArray<Fault> = []
      if (node.kind !== "wait" || node.scheduleId === undefined) return none
      const pointer = `/graph/nodes/${index}/scheduleId`
      const found = Option.getOrNull(yield* Effect.option(schedules.get(node.scheduleId)))
      if (found === null) return [{ pointer, message: "There is no schedule with this id" }]
      return (yield* staysClosed(found))
        ? [{ pointer, message: "Expected a schedule that opens: this one stays closed" }]
        : none
    })
  )
  return faults.flat()
})
