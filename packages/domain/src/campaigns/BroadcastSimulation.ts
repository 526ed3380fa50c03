import { Schema } from "effect"
import { ContactId } from "../crm/index.ts"
import { Timestamp } from "../kernel/index.ts"
import { ExclusionReason } from "./RecipientStatus.ts"

/** What a broadcast is tried out with, without sending anything. */
export const NewBroadcastSimulation = Schema.Struct({
  at: Schema.optionalKey(Timestamp).annotateKey({
    description: "When it would start; by its schedule, or now, if this is absent."
  }),
  contactId: Schema.optionalKey(ContactId).annotateKey({ description: "Says what would become of this contact." })
}).annotate({ identifier: "NewBroadcastSimulation" })
export type NewBroadcastSimulation = typeof NewBroadcastSimulation.Type

/** How a broadcast would go by what is known now. */
export const BroadcastSimulation = Schema.Struct({
  toSend: Schema.Int,
  firstAt: Schema.NullOr(Timestamp),
  lastAt: Schema.NullOr(Timestamp),
  hours: Schema.Array(Schema.Struct({ at: Timestamp, count: Schema.Int })),
  limitedBy: Schema.Array(Schema.Literals(["daily_limit", "quiet_hours", "window", "throttle"])),
  /** How much of the plan's recipients of this month is used, and how many there are. */
  plan: Schema.Struct({ used: Schema.Int, max: Schema.Int }),
  warnings: Schema.Array(
    Schema.Struct({ code: Schema.Literals(["end_by_too_early", "plan_limit"]), detail: Schema.String })
  ),
  /** What would become of the contact; `null` where none was asked for. */
  contact: Schema.NullOr(
    Schema.Struct({
      outcome: Schema.Literals(["sent", "excluded", "held_out", "not_matched"]),
      reason: Schema.NullOr(ExclusionReason)
    })
  )
}).annotate({ identifier: "BroadcastSimulation" })
export type BroadcastSimulation = typeof BroadcastSimulation.Type
