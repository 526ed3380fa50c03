import { Context, DateTime, Duration, Effect } from "effect"
import { type TenantScoped, transact, type Transaction } from "../../../kernel/index.ts"
import { plans } from "../../../platform/entitlements/index.ts"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import type { IdentityEvent } from "../../../platform/identity/index.ts"
import { featureHoldReason, type WorkflowId } from "../../automations/index.ts"
import { Workflows } from "../Workflow.ts"
import {
  ExplainedWorkflowRun,
  isWorkflowRunOver,
  LiveRunState,
  type RunHold,
  WorkflowRun,
  type WorkflowRunState,
  type WorkflowStep
} from "./WorkflowRun.ts"
import { WorkflowRuns } from "./WorkflowRuns.ts"
import { publishWorkflowRunEnds } from "./savedRuns.ts"

/** Returns why no run of the organization can continue; `null` if runs can continue. */
export const workflowHoldReason = featureHoldReason("workflows")

/** Hold of all runs of an organization by its plan or suspension. After too long a hold, the runs exit. */
export type ExpiringHold = "plan" | "suspended"

/** Active hold with its start. */
export interface WorkflowHold {
  readonly reason: ExpiringHold
  readonly since: DateTime.Utc
}

/** Plan and suspension holds of the organization, with their start. */
export class WorkflowHolds extends Context.Service<
  WorkflowHolds,
  TenantScoped<{
    readonly all: () => Effect.Effect<ReadonlyArray<WorkflowHold>>
    /** Stores the start of a hold, unless an earlier one is stored. */
    readonly begin: (hold: WorkflowHold) => Effect.Effect<void, never, Transaction>
    readonly end: (reason: ExpiringHold) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/automation/workflows/runs/holding/WorkflowHolds") {}

type HoldEvent = Extract<IdentityEvent, { readonly type: "organization.plan_changed" | "organization.status_changed" }>

const toHoldChange = (event: HoldEvent): readonly [ExpiringHold, boolean] =>
  event.type === "organization.plan_changed"
    ? ["plan", !plans[event.to].features.includes("workflows")]
    : ["suspended", event.to === "suspended"]

const isHoldEvent = (logged: LoggedEvent<{ readonly type: string }>): logged is LoggedEvent<HoldEvent> =>
  logged.event.type === "organization.plan_changed" || logged.event.type === "organization.status_changed"

/** Records the start and end of plan and suspension holds from events. */
export const recordHolds = Effect.fnUntraced(function* (events: ReadonlyArray<LoggedEvent<{ readonly type: string }>>) {
  const holds = yield* WorkflowHolds
  for (const { at, event } of events.filter(isHoldEvent)) {
    const [reason, isHeld] = toHoldChange(event)
    yield* isHeld ? holds.begin({ reason, since: at }) : holds.end(reason)
  }
})

/** Maximum duration of a hold before runs exit. */
const maxHold = Duration.days(30)

/** Number of runs that exit per unit of work. */
const batchSize = 200

const isHoldExpired = (now: DateTime.Utc) => (hold: WorkflowHold) =>
  DateTime.isLessThanOrEqualTo(DateTime.addDuration(hold.since, maxHold), now)

/**
 * Exits a batch of runs after too long a hold; returns their number. Fewer than selected can exit, because some have
 * ended concurrently.
 */
const exitHeldBatch = Effect.gen(function* () {
  const now = yield* DateTime.now
  const long = (yield* (yield* WorkflowHolds).all()).find(isHoldExpired(now))
  // The event that ends the hold can still be unread, so the current state is checked.
  const because = long === undefined ? null : yield* workflowHoldReason
  if (long === undefined || (because !== "plan" && because !== "suspended")) return 0
  const left = yield* (yield* WorkflowRuns).exit(null, long.reason, now, batchSize)
  yield* publishWorkflowRunEnds(left)
  return left.length
}).pipe(transact)

/** Exits all runs of the organization after too long a plan or suspension hold. */
export const exitHeldRuns = Effect.repeat(exitHeldBatch, { while: (left) => left > 0 })

/** Returns the current hold of all live runs of a workflow; `null` if there is none. */
export const loadWorkflowHold = Effect.fnUntraced(function* (workflowId: WorkflowId) {
  const of = (hold: RunHold | null) => hold
  const { status } = yield* (yield* Workflows).get(workflowId)
  return of((yield* workflowHoldReason) ?? (status === "paused" ? "paused" : null))
})

/** Shows a live run as held. The hold is not stored in the run, because its timers continue. */
export const toWorkflowRunView = (run: WorkflowRun, hold: RunHold | null): WorkflowRun =>
  hold === null || isWorkflowRunOver(run) ? run : new WorkflowRun({ ...run, state: "held", reason: hold })

/** Stored states of runs that are shown in this state. */
export const storedStatesFor = (
  state: WorkflowRunState | null,
  hold: RunHold | null
): ReadonlyArray<WorkflowRunState> | null => {
  if (state === null) return null
  if (hold === null || !LiveRunState.literals.some((live) => live === state)) return [state]
  return state === "held" ? LiveRunState.literals : []
}

/** Marks pending steps of an ended run as skipped. */
export const toStepViews = (run: WorkflowRun, steps: ReadonlyArray<WorkflowStep>): ReadonlyArray<WorkflowStep> =>
  isWorkflowRunOver(run)
    ? steps.map((step) =>
        step.state === "waiting" || step.state === "calling" ? { ...step, state: "skipped" as const } : step
      )
    : steps

/** Loads a run with all its steps. */
export const explainRun = Effect.fnUntraced(function* (run: WorkflowRun) {
  const shown = toWorkflowRunView(run, yield* loadWorkflowHold(run.workflowId))
  const steps = toStepViews(run, yield* (yield* WorkflowRuns).steps(run.id))
  return new ExplainedWorkflowRun({ ...shown, steps })
})
