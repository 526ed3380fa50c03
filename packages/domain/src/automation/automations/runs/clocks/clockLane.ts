import { type DateTime, Effect } from "effect"
import { CurrentOrganization } from "../../../../kernel/index.ts"
import { Lanes, organizationLane, type WorkName } from "../../../../platform/background/index.ts"
import type { ClockKind } from "./TriggerClocks.ts"

/** What the clocks of each kind are called among the works. */
export const clockWorks = {
  automation: "automation clocks",
  workflow: "workflow clocks"
} as const satisfies Readonly<Record<ClockKind, WorkName>>

/** Has somebody look at the clocks of this kind then. Each organization has one lane of them: they strike in batches. */
export const openClockLane = Effect.fnUntraced(function* (kind: ClockKind, dueAt: DateTime.Utc) {
  const { id } = yield* CurrentOrganization
  yield* (yield* Lanes).open({ ...organizationLane(clockWorks[kind], id), priority: "bulk", dueAt })
})
