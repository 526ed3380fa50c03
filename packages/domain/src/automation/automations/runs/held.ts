import { Effect } from "effect"
import { plans } from "../../../platform/entitlements/index.ts"
import { Organizations } from "../../../platform/identity/index.ts"
import type { Feature } from "../../../kernel/index.ts"
import { StoredAutomationSettings } from "../StoredAutomationSettings.ts"
import type { HoldReason } from "./AutomationRun.ts"

const because = (reason: HoldReason | null) => reason

/** Why nothing of this feature acts in the organization now; `null` where it may. */
export const heldFrom = Effect.fnUntraced(function* (feature: Feature) {
  const organizations = yield* Organizations
  const stored = yield* StoredAutomationSettings
  // Asked together they are one way there and back.
  const [{ plan, status }, { paused }] = yield* Effect.all([organizations.current(), stored.get()], { concurrency: 2 })
  if (status !== "active") return because("suspended")
  if (!plans[plan].features.includes(feature)) return because("plan")
  return because(paused ? "kill_switch" : null)
})

/** Why no action starts in the organization now; `null` where any may. */
export const heldBecause = heldFrom("automations")
