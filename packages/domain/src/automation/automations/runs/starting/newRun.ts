import { DateTime, Effect } from "effect"
import type { ContactId } from "../../../../crm/index.ts"
import { type Causation, Ids } from "../../../../kernel/index.ts"
import { AutomationRun, AutomationRunId, type RunAction } from "../AutomationRun.ts"
import type { NewRun } from "../AutomationRuns.ts"
import { cutOf } from "../cuts.ts"
import type { EnabledAutomation } from "../../Automations.ts"
import { laneOf } from "../contactLanes.ts"

/** What starts a run. */
export interface Start {
  /** Names it among all that start runs of the automation: an event by its position, a clock by what it is of. */
  readonly key: string
  /** The event, or the one that a clock counts from. */
  readonly event: AutomationRun["event"]
  readonly contactId: ContactId
  readonly causation: Causation | null
}

const pending = ({ actions }: EnabledAutomation): ReadonlyArray<RunAction> =>
  actions.map((type, index) => ({
    index,
    type,
    state: "pending",
    error: null,
    effect: null,
    attempts: 0,
    until: null
  }))

/** A run of the automation, in line or cut at once. The same start makes the same run. */
export const newRun = Effect.fnUntraced(function* (
  rule: EnabledAutomation,
  { causation, contactId, event, key }: Start
) {
  const now = yield* DateTime.now
  const reason = cutOf(causation, { kind: "automation", id: rule.id })
  const actions = pending(rule)
  const run = new AutomationRun({
    id: AutomationRunId.make(yield* (yield* Ids).derived(rule.id, key)),
    automationId: rule.id,
    automationVersion: rule.version,
    state: reason === null ? "queued" : "cut",
    reason,
    event,
    contactId,
    causation,
    conditions: null,
    actions: reason === null ? actions : actions.map((action) => ({ ...action, state: "skipped" })),
    createdAt: now,
    startedAt: null,
    finishedAt: reason === null ? null : now
  })
  return { run, ordinal: rule.position, lane: laneOf(contactId) } satisfies NewRun
})
