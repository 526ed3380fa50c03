import { Context, Effect, Schema } from "effect"
import type { Feature, TenantScoped, Transaction, VersionConflict } from "../../kernel/index.ts"
import { plans } from "../../platform/entitlements/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import { AutomationRun, type HoldReason, isRunOver } from "./runs/AutomationRun.ts"

const paused = Schema.Boolean.annotateKey({
  description: "Whether no action of any automation or workflow starts. What was to be done is not lost."
})

/** What holds for all automations and workflows of the organization. */
export class AutomationSettings extends Schema.Class<AutomationSettings>("AutomationSettings")({
  paused,
  version: Schema.Int
}) {}

/** What may be changed of it; an absent field stays. */
export const AutomationSettingsPatch = Schema.Struct({ paused: Schema.optionalKey(paused) }).annotate({
  identifier: "AutomationSettingsPatch"
})
export type AutomationSettingsPatch = typeof AutomationSettingsPatch.Type

/** Those of an organization that has changed nothing. */
export const initialAutomationSettings = new AutomationSettings({ paused: false, version: 1 })

/** The settings of the organization's automations and workflows. */
export class StoredAutomationSettings extends Context.Service<
  StoredAutomationSettings,
  TenantScoped<{
    /** The initial ones, until others are stored. */
    readonly get: () => Effect.Effect<AutomationSettings>
    /** The position of the log when automations were last let go on: what was logged until then starts nothing. */
    readonly resumedAfter: () => Effect.Effect<number>
    readonly resume: (after: number) => Effect.Effect<void, never, Transaction>
    /** Stores them with their version raised by one, if the stored version is still the expected one (`null`: whatever it is). */
    readonly save: (
      settings: AutomationSettings,
      expected: number | null
    ) => Effect.Effect<AutomationSettings, VersionConflict, Transaction>
  }>
>()("@parley/domain/automation/automations/StoredAutomationSettings") {}

/** While automations are paused, what waits to be handed out waits on. */
export const autoAssignGate = {
  isHeld: Effect.gen(function* () {
    return (yield* (yield* StoredAutomationSettings).get()).paused
  })
}

const asHoldReason = (reason: HoldReason | null) => reason

/** Why nothing of this feature acts in the organization now; `null` where it may. */
export const featureHoldReason = Effect.fnUntraced(function* (feature: Feature) {
  const organizations = yield* Organizations
  const stored = yield* StoredAutomationSettings
  // Asked together they are one way there and back.
  const [{ plan, status }, { paused }] = yield* Effect.all([organizations.current(), stored.get()], { concurrency: 2 })
  if (status !== "active") return asHoldReason("suspended")
  if (!plans[plan].features.includes(feature)) return asHoldReason("plan")
  return asHoldReason(paused ? "kill_switch" : null)
})

/** Why no action starts in the organization now; `null` where any may. */
export const holdReason = featureHoldReason("automations")

/** Adds the wait reason to each live run. */
export const toAutomationRunViews = Effect.fnUntraced(function* (runs: ReadonlyArray<AutomationRun>) {
  const reason = runs.every(({ state }) => isRunOver(state)) ? null : yield* holdReason
  return runs.map((run) => (isRunOver(run.state) || reason === null ? run : new AutomationRun({ ...run, reason })))
})
