import { type Organization, setOrganizationPlan } from "@parley/domain"
import { asOperatorOf } from "@parley/testkit"
import { Effect } from "effect"
import type { Prepare, World } from "./attempting.ts"
import { ofAreas } from "./promises.ts"

const all = await ofAreas<{ readonly attempts: Readonly<Record<string, Prepare>> }>("attempts.ts")

/** A valid attempt at every use case, by the name of the use case. */
export const attempts: Readonly<Record<string, Prepare>> = Object.fromEntries(
  all.flatMap(({ attempts }) => Object.entries(attempts))
)

/** Puts the world's organization on the plan. */
export const putOnPlan = ({ organization }: World, plan: Organization["plan"]) =>
  setOrganizationPlan(plan).pipe(asOperatorOf(organization), Effect.orDie)
