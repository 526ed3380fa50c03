import { Schema } from "effect"
import { Timestamp } from "../../kernel/index.ts"
import { LocalTime } from "./localTime.ts"
import { SendWindow } from "./SendWindow.ts"

/** Whose clock counts. */
export const ScheduleZone = Schema.Literals(["organization", "contact"])
export type ScheduleZone = typeof ScheduleZone.Type

/** When a broadcast is sent: at an instant, or when the clocks of the organization or of each contact show a time. */
export const Schedule = Schema.Struct({
  at: Schema.optionalKey(Timestamp),
  localAt: Schema.optionalKey(LocalTime),
  zone: Schema.optionalKey(ScheduleZone).annotateKey({
    description: "Whose clock `localAt` and `window` mean; `organization` if it is absent."
  }),
  passed: Schema.optionalKey(Schema.Literals(["send", "skip"])).annotateKey({
    description: "What becomes of contacts whose time has passed when the broadcast starts; `send` if it is absent."
  }),
  notAfter: Schema.optionalKey(Timestamp).annotateKey({
    description: "The broadcast does not start later than this; 24 hours after its start if it is absent."
  }),
  endBy: Schema.optionalKey(Timestamp).annotateKey({
    description: "Nothing is sent after this; 30 days after the start if it is absent."
  }),
  window: Schema.optionalKey(Schema.NullOr(SendWindow))
}).annotate({ identifier: "BroadcastSchedule" })
export type Schedule = typeof Schedule.Type
