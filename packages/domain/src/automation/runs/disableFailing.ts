import { DateTime, Effect } from "effect"
import { record } from "../../audit/index.ts"
import { Locks, transact } from "../../kernel/index.ts"
import { tellAdmins } from "../../webhooks/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { Automation } from "../Automation.ts"
import { Automations } from "../Automations.ts"
import { AutomationRuns } from "./AutomationRuns.ts"
import { failingLetter } from "./failingLetter.ts"
import type { Rule } from "./Rule.ts"

/** After so many failed runs in a row nothing more is started. */
const mostInARow = 20

const disable = Effect.fnUntraced(function* ({ id, version }: Rule) {
  const automations = yield* Automations
  yield* (yield* Locks).exclusive("automations")
  const found = yield* Effect.option(automations.get(id))
  // Whoever has changed it meanwhile may have mended it.
  if (found._tag === "None" || !found.value.enabled || found.value.version !== version) return
  const disabledReason = "failing" as const
  const after = new Automation({ ...found.value, enabled: false, disabledReason, updatedAt: yield* DateTime.now })
  yield* Effect.orDie(automations.save(after, version))
  yield* record(
    "automation.disabled",
    { kind: "automation", id },
    { before: { enabled: true }, after: { enabled: false, disabledReason } }
  )
  yield* appendEvent({ type: "automation.disabled", automationId: id })
  yield* tellAdmins((publicUrl) => failingLetter(after, publicUrl))
}, transact)

/** Disables an automation whose last runs have all failed, and tells owners and admins. */
export const disableFailing = Effect.fnUntraced(function* (rule: Rule) {
  const failed = yield* (yield* AutomationRuns).failedInARow(rule.id, rule.version, mostInARow)
  if (failed >= mostInARow) yield* disable(rule)
})
