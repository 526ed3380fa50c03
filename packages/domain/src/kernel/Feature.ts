import { Schema } from "effect"

/** The features that a plan may lack: the plan-gated part of the product. */
export const Feature = Schema.Literals(["automations", "workflows", "plugins"])
export type Feature = typeof Feature.Type

/** The plans, from the smallest to the largest. */
export const PlanName = Schema.Literals(["free", "growth", "scale"])
export type PlanName = typeof PlanName.Type

/** A write to a feature that the organization's plan lacks. */
export class FeatureNotInPlan extends Schema.TaggedError<FeatureNotInPlan>()("FeatureNotInPlan", {
  feature: Feature,
  plan: PlanName,
  availableIn: Schema.Array(PlanName)
}) {
  override get message() {
    return `The plan ${this.plan} does not include ${this.feature}. It is available in: ${this.availableIn.join(", ")}.`
  }
}
