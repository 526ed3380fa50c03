import { type DateTime, Schema } from "effect"
import { Feature, type PlanName, PlanName as PlanNames, Timestamp } from "../../kernel/index.ts"
import { Limit, plans, plansWith } from "./Plan.ts"

/** Whether the organization may use a feature, and which plans have it. */
export const FeatureEntitlement = Schema.Struct({
  feature: Feature,
  allowed: Schema.Boolean,
  availableIn: Schema.Array(PlanNames)
}).annotate({ identifier: "FeatureEntitlement" })

/** How much of a limit is used, when the count starts anew (`null`: never), and what each plan allows. */
export const LimitEntitlement = Schema.Struct({
  limit: Limit,
  allowed: Schema.Boolean,
  used: Schema.Int,
  max: Schema.Int,
  resetsAt: Schema.NullOr(Timestamp),
  plans: Schema.Struct({ free: Schema.Int, growth: Schema.Int, scale: Schema.Int })
}).annotate({ identifier: "LimitEntitlement" })

/** Everything that the plan allows and refuses, from the table that enforces it. */
export class Entitlements extends Schema.Class<Entitlements>("Entitlements")({
  plan: PlanNames,
  features: Schema.Array(FeatureEntitlement),
  limits: Schema.Array(LimitEntitlement)
}) {}

const isMonthly = (limit: Limit) => limit === "broadcastRecipientsPerMonth"

/** Derives the entitlements of a plan from how much of it is used. */
export const entitlementsOf = (
  plan: PlanName,
  usage: Readonly<Record<Limit, number>>,
  nextMonth: DateTime.Utc
): Entitlements =>
  new Entitlements({
    plan,
    features: Feature.literals.map((feature) => ({
      feature,
      allowed: plans[plan].features.includes(feature),
      availableIn: plansWith(feature)
    })),
    limits: Limit.literals.map((limit) => ({
      limit,
      allowed: usage[limit] < plans[plan].limits[limit],
      used: usage[limit],
      max: plans[plan].limits[limit],
      resetsAt: isMonthly(limit) ? nextMonth : null,
      plans: { free: plans.free.limits[limit], growth: plans.growth.limits[limit], scale: plans.scale.limits[limit] }
    }))
  })
