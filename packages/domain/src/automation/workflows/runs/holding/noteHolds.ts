import { Effect } from "effect"
import { plans } from "../../../../platform/entitlements/index.ts"
import type { LoggedEvent } from "../../../../platform/events/index.ts"
import type { IdentityEvent } from "../../../../platform/identity/index.ts"
import { type LongHold, WorkflowHolds } from "./WorkflowHolds.ts"

type Told = Extract<IdentityEvent, { readonly type: "organization.plan_changed" | "organization.status_changed" }>

const heldAfter = (event: Told): readonly [LongHold, boolean] =>
  event.type === "organization.plan_changed"
    ? ["plan", !plans[event.to].features.includes("workflows")]
    : ["suspended", event.to === "suspended"]

const isTold = (logged: LoggedEvent<{ readonly type: string }>): logged is LoggedEvent<Told> =>
  logged.event.type === "organization.plan_changed" || logged.event.type === "organization.status_changed"

/** Keeps since when the plan or a suspension has held the runs, by what the log tells of both. */
export const noteHolds = Effect.fnUntraced(function* (events: ReadonlyArray<LoggedEvent<{ readonly type: string }>>) {
  const holds = yield* WorkflowHolds
  for (const { at, event } of events.filter(isTold)) {
    const [reason, isHeld] = heldAfter(event)
    yield* isHeld ? holds.begin({ reason, since: at }) : holds.end(reason)
  }
})
