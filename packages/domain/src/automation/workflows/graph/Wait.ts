import { Schema } from "effect"
import { ClockTime, Day, ScheduleZone } from "../../../campaigns/index.ts"
import { ScheduleId } from "../../schedules/index.ts"
import { NodeId } from "./NodeId.ts"

const longestWait = 31_536_000

/** When clocks show a time, on any day or on some of the week. */
export const LocalMoment = Schema.Struct({
  localTime: ClockTime,
  days: Schema.optionalKey(
    Schema.Array(Day).check(
      Schema.isBetweenLength(1, 7, { message: "Expected 1 to 7 days of the week" }),
      Schema.isUnique({ message: "Expected each day once" })
    )
  ).annotateKey({ description: "Any day, if it is absent." }),
  zone: Schema.optionalKey(ScheduleZone).annotateKey({
    description: "Whose clock counts; `organization` if it is absent."
  })
}).annotate({ identifier: "WorkflowLocalMoment" })
export type LocalMoment = typeof LocalMoment.Type

/** Waits for so long, then until clocks show a time, then until a schedule is open; at least one of them is said. */
export const WaitNode = Schema.Struct({
  id: NodeId,
  kind: Schema.Literal("wait"),
  seconds: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: 60, maximum: longestWait }, { message: "Expected 60 seconds to 365 days" })
    )
  ),
  until: Schema.optionalKey(LocalMoment),
  scheduleId: Schema.optionalKey(ScheduleId),
  next: NodeId
}).annotate({ identifier: "WorkflowWait" })
export type WaitNode = typeof WaitNode.Type
