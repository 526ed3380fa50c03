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

/** Why no run goes on in the organization now; `null` where any may. */
export const workflowHoldReason = featureHoldReason("workflows")

/** What holds all runs of an organization until somebody pays or lets it go on, and has them leave in the end. */
export type ExpiringHold = "plan" | "suspended"

/** What holds the organization's runs, and since when. */
export interface WorkflowHold {
  readonly reason: ExpiringHold
  readonly since: DateTime.Utc
}

/** Since when the plan, or a suspension, has held the organization's runs. */
export class WorkflowHolds extends Context.Service<
  WorkflowHolds,
  TenantScoped<{
    readonly all: () => Effect.Effect<ReadonlyArray<WorkflowHold>>
    /** Keeps since when, unless it has held them for longer. */
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

/** Keeps since when the plan or a suspension has held the runs, by what the log tells of both. */
export const recordHolds = Effect.fnUntraced(function* (events: ReadonlyArray<LoggedEvent<{ readonly type: string }>>) {
  const holds = yield* WorkflowHolds
  for (const { at, event } of events.filter(isHoldEvent)) {
    const [reason, isHeld] = toHoldChange(event)
    yield* isHeld ? holds.begin({ reason, since: at }) : holds.end(reason)
  }
})

/** For so long the plan, or a suspension, holds runs before they leave. */
const maxHold = Duration.days(30)

/** So many runs leave in one unit of work. */
const batchSize = 200

const isHoldExpired = (now: DateTime.Utc) => (hold: WorkflowHold) =>
  DateTime.isLessThanOrEqualTo(DateTime.addDuration(hold.since, maxHold), now)

/** Has runs leave that have been held for too long; says how many it was. Fewer may have left than there are: some have ended meanwhile. */
const exitHeldBatch = Effect.gen(function* () {
  const now = yield* DateTime.now
  const long = (yield* (yield* WorkflowHolds).all()).find(isHoldExpired(now))
  // What the log tells of the organization's return may not have been followed yet.
  const because = long === undefined ? null : yield* workflowHoldReason
  if (long === undefined || (because !== "plan" && because !== "suspended")) return 0
  const left = yield* (yield* WorkflowRuns).exit(null, long.reason, now, batchSize)
  yield* publishWorkflowRunEnds(left)
  return left.length
}).pipe(transact)

/** Has the organization's runs leave once its plan, or its suspension, has held them for too long. */
export const exitHeldRuns = Effect.repeat(exitHeldBatch, { while: (left) => left > 0 })

/** What keeps all live runs of a workflow from going on now; `null` where nothing does. */
export const loadWorkflowHold = Effect.fnUntraced(function* (workflowId: WorkflowId) {
  const of = (hold: RunHold | null) => hold
  const { status } = yield* (yield* Workflows).get(workflowId)
  return of((yield* workflowHoldReason) ?? (status === "paused" ? "paused" : null))
})

/** A run as it is shown while this keeps all of them from going on: their clocks go on, so that nothing is written of it. */
export const toWorkflowRunView = (run: WorkflowRun, hold: RunHold | null): WorkflowRun =>
  hold === null || isWorkflowRunOver(run) ? run : new WorkflowRun({ ...run, state: "held", reason: hold })

/** The states that runs are kept in which are shown in this one. */
export const storedStatesFor = (
  state: WorkflowRunState | null,
  hold: RunHold | null
): ReadonlyArray<WorkflowRunState> | null => {
  if (state === null) return null
  if (hold === null || !LiveRunState.literals.some((live) => live === state)) return [state]
  return state === "held" ? LiveRunState.literals : []
}

/** Steps that wait at the end of their run are skipped. */
const toStepViews = (run: WorkflowRun, steps: ReadonlyArray<WorkflowStep>): ReadonlyArray<WorkflowStep> =>
  isWorkflowRunOver(run)
    ? steps.map((step) =>
        step.state === "waiting" || step.state === "calling" ? { ...step, state: "skipped" as const } : step
      )
    : steps

/** A run with all of its steps. */
export const explainRun = Effect.fnUntraced(function* (run: WorkflowRun) {
  const shown = toWorkflowRunView(run, yield* loadWorkflowHold(run.workflowId))
  const steps = toStepViews(run, yield* (yield* WorkflowRuns).steps(run.id))
  return new ExplainedWorkflowRun({ ...shown, steps })
})
