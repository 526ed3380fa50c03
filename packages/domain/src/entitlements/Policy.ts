import { Effect, Layer } from "effect"
import { type Feature, FeatureGate, FeatureNotInPlan } from "../kernel/index.ts"
import { PlanLimitReached } from "./Errors.ts"
import { type Limit, plans, plansWith } from "./Plan.ts"
import { Plans } from "./Plans.ts"

const requireFeature = Effect.fnUntraced(function* (feature: Feature) {
  const plan = yield* (yield* Plans).current()
  if (!plans[plan].features.includes(feature)) {
    return yield* new FeatureNotInPlan({ feature, plan, availableIn: plansWith(feature) })
  }
})

/** The plan gate that use cases declare, enforced from the product matrix. */
export const layerFeatureGate = Layer.effect(
  FeatureGate,
  Effect.map(Plans, (port) =>
    FeatureGate.of({ require: (feature) => Effect.provideService(requireFeature(feature), Plans, port) })
  )
)

/** What every plan has room for. */
const least = (limit: Limit) => Math.min(...Object.values(plans).map(({ limits }) => limits[limit]))

/** Lets one more in when the plan has room for it. Call it under a lock, or count inside the write. */
export const requireRoom = Effect.fnUntraced(function* (limit: Limit, current: number) {
  if (current < least(limit)) return
  const plan = yield* (yield* Plans).current()
  const max = plans[plan].limits[limit]
  if (current >= max) return yield* new PlanLimitReached({ limit, current, max })
})
