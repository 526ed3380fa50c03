import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import { Locks } from "../../../kernel/index.ts"
import { tellAdmins } from "../../../integrations/webhooks/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { Automation, type AutomationId } from "../Automation.ts"
import { Automations } from "../Automations.ts"
import type { AutomationEvent } from "../Events.ts"
import { AutomationRuns } from "./AutomationRuns.ts"
import { failingLetter } from "./failingLetter.ts"

/** After so many failed runs in a row nothing more is started. */
const mostInARow = 20

const disable = Effect.fnUntraced(function* (automation: Automation) {
  const { id, version } = automation
  const disabledReason = "failing" as const
  const after = new Automation({ ...automation, enabled: false, disabledReason, updatedAt: yield* DateTime.now })
  yield* Effect.orDie((yield* Automations).save(after, version))
  yield* record(
    "automation.disabled",
    { kind: "automation", id },
    { before: { enabled: true }, after: { enabled: false, disabledReason } }
  )
  yield* appendEvent({ type: "automation.disabled", automationId: id })
  yield* tellAdmins((publicUrl) => failingLetter(after, publicUrl))
})

const disableIfFailing = Effect.fnUntraced(function* (id: AutomationId) {
  const found = yield* Effect.option((yield* Automations).get(id))
  if (found._tag === "None" || !found.value.enabled) return
  const failed = yield* (yield* AutomationRuns).failedInARow(id, found.value.version, mostInARow)
  if (failed >= mostInARow) yield* disable(found.value)
})

/**
 * Disables automations of which runs have failed where the last runs of what they say now have all done so, and tells owners and admins.
 * It is done in the commit that moves a cursor past the failure, so that it is not forgotten.
 */
export const disableFailing = Effect.fnUntraced(function* (
  failures: ReadonlyArray<LoggedEvent<Extract<AutomationEvent, { readonly type: "automation.run_failed" }>>>
) {
  yield* (yield* Locks).exclusive("automations")
  const ids = new Set(failures.map(({ event }) => event.automationId))
  yield* Effect.forEach([...ids].toSorted(), disableIfFailing, { discard: true })
})
