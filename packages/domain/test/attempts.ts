import { existsSync } from "node:fs"
import { type Organization, setOrganizationPlan } from "@parley/domain/platform"
import { areas } from "@parley/domain/composition"
import { asOperatorOf } from "@parley/testkit"
import { Effect } from "effect"
import type { Prepare, World } from "./attempting.ts"

/** Areas without use cases have no file. */
const all: ReadonlyArray<{ readonly attempts: Readonly<Record<string, Prepare>> }> = await Promise.all(
  areas
    .map(({ name }) => new URL(`./${name}/attempts.ts`, import.meta.url))
    .filter((url) => existsSync(url))
    .map((url) => import(url.href))
)

/** A valid attempt at every use case, by the name of the use case. */
export const attempts: Readonly<Record<string, Prepare>> = Object.fromEntries(
  all.flatMap(({ attempts }) => Object.entries(attempts))
)

/** Puts the world's organization on the plan. */
export const putOnPlan = ({ organization }: World, plan: Organization["plan"]) =>
  setOrganizationPlan({ plan }).pipe(asOperatorOf(organization), Effect.orDie)
