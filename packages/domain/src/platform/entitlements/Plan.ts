import { Context, DateTime, Effect, Schema } from "effect"
import { Feature, type PlanName, PlanName as PlanNames, type TenantScoped, Timestamp } from "../../kernel/index.ts"

/** Quantities that a plan limits. */
export const Limit = Schema.Literals([
  "seats",
  "contacts",
  "chatAccounts",
  "storeConnections",
  "webhookSubscriptions",
  "plugins",
  "automations",
  "workflows",
  "broadcastRecipientsPerMonth"
])
export type Limit = typeof Limit.Type

export interface Plan {
  readonly features: ReadonlyArray<Feature>
  readonly limits: Readonly<Record<Limit, number>>
}

/** Product matrix: the only table for enforcement and display. */
export const plans: Readonly<Record<PlanName, Plan>> = {
  free: {
    features: [],
    limits: {
      seats: 3,
      contacts: 1_000,
      chatAccounts: 1,
      storeConnections: 1,
      webhookSubscriptions: 3,
      plugins: 0,
      automations: 0,
      workflows: 0,
      broadcastRecipientsPerMonth: 1_000
    }
  },
  growth: {
    features: ["automations"],
    limits: {
      seats: 15,
      contacts: 100_000,
      chatAccounts: 5,
      storeConnections: 3,
      webhookSubscriptions: 10,
      plugins: 0,
      automations: 50,
      workflows: 0,
      broadcastRecipientsPerMonth: 250_000
    }
  },
  scale: {
    features: ["automations", "workflows", "plugins"],
    limits: {
      seats: 250,
      contacts: 20_000_000,
      chatAccounts: 100,
      storeConnections: 50,
      webhookSubscriptions: 50,
      plugins: 50,
      automations: 500,
      workflows: 100,
      broadcastRecipientsPerMonth: 50_000_000
    }
  }
}

/** Returns the plans with the feature, smallest first. */
export const plansWith = (feature: Feature): ReadonlyArray<PlanName> =>
  PlanNames.literals.filter((name) => plans[name].features.includes(feature))

/** Finds the plan of the organization. */
export class Plans extends Context.Service<
  Plans,
  TenantScoped<{
    readonly current: () => Effect.Effect<PlanName>
  }>
>()("@parley/domain/platform/entitlements/Plans") {}

/** Whether the organization may use a feature, and the plans that include it. */
export const FeatureEntitlement = Schema.Struct({
  feature: Feature,
  allowed: Schema.Boolean,
  availableIn: Schema.Array(PlanNames)
}).annotate({ identifier: "FeatureEntitlement" })

/** Usage of a limit, the next reset of the count (`null`: never), and the allowance of each plan. */
export const LimitEntitlement = Schema.Struct({
  limit: Limit,
  allowed: Schema.Boolean,
  used: Schema.Int,
  max: Schema.Int,
  resetsAt: Schema.NullOr(Timestamp),
  plans: Schema.Struct({ free: Schema.Int, growth: Schema.Int, scale: Schema.Int })
}).annotate({ identifier: "LimitEntitlement" })

/** All allowances and exclusions of the plan, from the table that enforces them. */
export class Entitlements extends Schema.Class<Entitlements>("Entitlements")({
  plan: PlanNames,
  features: Schema.Array(FeatureEntitlement),
  limits: Schema.Array(LimitEntitlement)
}) {}

const isMonthly = (limit: Limit) => limit === "broadcastRecipientsPerMonth"

/** Derives the entitlements of a plan from its usage. */
export const toEntitlements = (
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

/** Reset time of the monthly counts. */
export const nextMonth = Effect.map(DateTime.now, (now) => DateTime.startOf(DateTime.add(now, { months: 1 }), "month"))
