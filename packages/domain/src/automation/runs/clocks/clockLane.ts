import { type DateTime, Effect } from "effect"
import { CurrentOrganization, type OrganizationId } from "../../../kernel/index.ts"
import { Lanes, organizationLane, type WorkName } from "../../../work/index.ts"

/** What the clocks of automations are called among the works. */
export const clocksWork: WorkName = "automation clocks"

/** Each organization has one lane: its clocks strike in batches. */
export const clocksLane = (organizationId: OrganizationId) => organizationLane(clocksWork, organizationId)

/** Has somebody look at the clocks then. */
export const openClockLane = Effect.fnUntraced(function* (dueAt: DateTime.Utc) {
  const { id } = yield* CurrentOrganization
  yield* (yield* Lanes).open({ ...clocksLane(id), priority: "bulk", dueAt })
})
