import { Schema } from "effect"
import { type Feature, type PlanName, PlanName as PlanNames } from "../../kernel/index.ts"

/** The quantities that a plan limits. */
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

/** What a plan includes. */
export interface Plan {
  readonly features: ReadonlyArray<Feature>
  readonly limits: Readonly<Record<Limit, number>>
}

/** The product matrix: the one table that is enforced, and shown. */
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

/** The plans that include the feature, from the smallest on. */
export const plansWith = (feature: Feature): ReadonlyArray<PlanName> =>
  PlanNames.literals.filter((name) => plans[name].features.includes(feature))
