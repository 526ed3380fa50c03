import { Effect, Layer } from "effect"
import { type Feature, FeatureGate, FeatureNotInPlan } from "../../kernel/index.ts"
import { plans, plansWith } from "./Plan.ts"
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
