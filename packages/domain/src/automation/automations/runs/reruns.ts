import { Effect, Equal } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import type { Automation, AutomationDefinition } from "../Automation.ts"
import type { AutomationId } from "../AutomationId.ts"
import { Automations } from "../Automations.ts"
import { AutomationNotEnabled } from "../errors.ts"
import { AutomationRun, type RunAction } from "./AutomationRun.ts"
import { buildAutomationRun, resolveCurrentContacts } from "./newRuns.ts"
import { startRuns } from "./savedRuns.ts"

/** Fails unless the automation is enabled, because its runs would end without actions. */
export const loadEnabledAutomation = Effect.fnUntraced(function* (id: AutomationId) {
  const automation = yield* (yield* Automations).get(id)
  return automation.enabled ? automation : yield* new AutomationNotEnabled()
})

/**
 * Action of a new run before it starts. A completed action is not repeated. The result of a plugin call that was
 * pending at the end of the run is unknown, so it is not repeated either.
 */
const toCarriedAction = (pending: RunAction, before: RunAction | undefined): RunAction => {
  if (before?.state === "done") return before
  return before?.state === "skipped" && before.effect !== null ? before : pending
}

/** Actions of the version of each run, loaded once per version. */
const makeActionsLoader = (id: AutomationId) => {
  const known = new Map<number, AutomationDefinition["then"] | null>()
  return Effect.fnUntraced(function* ({ automationVersion }: AutomationRun) {
    const found = known.has(automationVersion)
      ? (known.get(automationVersion) ?? null)
      : ((yield* (yield* Automations).definition(id, automationVersion))?.then ?? null)
    known.set(automationVersion, found)
    return found
  })
}

const toEnabled = ({ enabledAfter, id, position, then, version }: Automation) => ({
  id,
  position,
  version,
  enabledAfter,
  actions: then.map(({ type }) => type)
})

/** Builds the run that repeats a run for the current version of its automation. Repeated calls build the same run. */
const buildRerun = Effect.fnUntraced(function* (
  automation: Automation,
  before: AutomationRun,
  contactId: ContactId,
  hasSameActions: boolean
) {
  const { causation, event, id } = before
  const started = yield* buildAutomationRun(toEnabled(automation), {
    key: `rerun:${id}`,
    event,
    contactId,
    causation
  })
  const { run } = started
  const actions = hasSameActions
    ? run.actions.map((action) => toCarriedAction(action, before.actions[action.index]))
    : run.actions
  const rerunOf = { runId: id, actions: hasSameActions ? ("remaining" as const) : ("all" as const) }
  return { ...started, run: new AutomationRun({ ...run, actions, rerunOf }) }
})

/** Starts at most one new run per ended run. Runs of deleted and blocked contacts are not repeated. */
export const rerunRuns = Effect.fnUntraced(function* (automation: Automation, ended: ReadonlyArray<AutomationRun>) {
  const contacts = yield* resolveCurrentContacts(new Set(ended.flatMap(({ contactId }) => contactId ?? [])))
  const actionsOf = makeActionsLoader(automation.id)
  const whose = ended.map((run) => ({ run, contact: run.contactId === null ? undefined : contacts.get(run.contactId) }))
  const fresh = yield* Effect.forEach(
    whose,
    Effect.fnUntraced(function* ({ contact, run }) {
      if (contact === undefined || contact.blockedAt !== null) return []
      return [yield* buildRerun(automation, run, contact.id, Equal.equals(yield* actionsOf(run), automation.then))]
    })
  )
  const runs = fresh.flat()
  const started = yield* startRuns(runs)
  return {
    started,
    contactGone: whose.filter(({ contact }) => contact === undefined).length,
    contactBlocked: whose.filter(({ contact }) => contact !== undefined && contact.blockedAt !== null).length,
    /** Another job has repeated them concurrently. */
    repeated: runs.length - started
  }
})
