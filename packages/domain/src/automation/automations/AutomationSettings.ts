import { Context, Effect, Schema } from "effect"
import {
  type Feature,
  layerPort,
  type TenantScoped,
  type Transaction,
  type VersionConflict
} from "../../kernel/index.ts"
import { AutoAssignGate } from "../../messaging/inbox/index.ts"
import { plans } from "../../platform/entitlements/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import { AutomationRun, type HoldReason, isRunOver } from "./runs/AutomationRun.ts"

const paused = Schema.Boolean.annotateKey({
  description: "Whether actions of automations and workflows are stopped. Pending actions are not lost."
})

/** Settings for all automations and workflows of the organization. */
export class AutomationSettings extends Schema.Class<AutomationSettings>("AutomationSettings")({
  paused,
  version: Schema.Int
}) {}

/** Changes to the settings. Absent fields stay unchanged. */
export const AutomationSettingsPatch = Schema.Struct({ paused: Schema.optionalKey(paused) }).annotate({
  identifier: "AutomationSettingsPatch"
})
export type AutomationSettingsPatch = typeof AutomationSettingsPatch.Type

/** Settings of an organization without stored settings. */
export const initialAutomationSettings = new AutomationSettings({ paused: false, version: 1 })

export class StoredAutomationSettings extends Context.Service<
  StoredAutomationSettings,
  TenantScoped<{
    /** Returns the stored settings, or the initial ones. */
    readonly get: () => Effect.Effect<AutomationSettings>
    /** Log position when automations were last resumed. Events up to this position start nothing. */
    readonly resumedAfter: () => Effect.Effect<number>
    readonly resume: (after: number) => Effect.Effect<void, never, Transaction>
    /** Stores the settings with `version + 1` if the stored version equals the expected one (`null`: any version). */
    readonly save: (
      settings: AutomationSettings,
      expected: number | null
    ) => Effect.Effect<AutomationSettings, VersionConflict, Transaction>
  }>
>()("@parley/domain/automation/automations/StoredAutomationSettings") {}

/** Holds automatic assignment while automations are paused. */
export const layerAutoAssignGate = layerPort(AutoAssignGate, {
  isHeld: Effect.fnUntraced(function* () {
    return (yield* (yield* StoredAutomationSettings).get()).paused
  })
})

const asHoldReason = (reason: HoldReason | null) => reason

/** Returns why the feature is held in the organization; `null` if it is not held. */
export const featureHoldReason = Effect.fnUntraced(function* (feature: Feature) {
  const organizations = yield* Organizations
  const stored = yield* StoredAutomationSettings
  // Concurrent queries share one round trip.
  const [{ plan, status }, { paused }] = yield* Effect.all([organizations.current(), stored.get()], { concurrency: 2 })
  if (status !== "active") return asHoldReason("suspended")
  if (!plans[plan].features.includes(feature)) return asHoldReason("plan")
  return asHoldReason(paused ? "kill_switch" : null)
})

/** Returns why no action can start in the organization; `null` if actions can start. */
export const holdReason = featureHoldReason("automations")

/** Adds the wait reason to each live run. */
export const toAutomationRunViews = Effect.fnUntraced(function* (runs: ReadonlyArray<AutomationRun>) {
  const reason = runs.every(({ state }) => isRunOver(state)) ? null : yield* holdReason
  return runs.map((run) => (isRunOver(run.state) || reason === null ? run : new AutomationRun({ ...run, reason })))
})
