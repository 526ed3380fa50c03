import { Context, type Effect } from "effect"
import type { TenantScoped } from "./CurrentOrganization.ts"
import type { Feature, FeatureNotInPlan } from "./Feature.ts"

/** Lets a use case through when the organization's plan includes the feature. The policy behind it is `entitlements`. */
export class FeatureGate extends Context.Service<
  FeatureGate,
  TenantScoped<{
    readonly require: (feature: Feature) => Effect.Effect<void, FeatureNotInPlan>
  }>
>()("@parley/domain/kernel/FeatureGate") {}
