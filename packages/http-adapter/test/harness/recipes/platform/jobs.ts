import { Effect } from "effect"
import { givenJob } from "../../tenants.ts"
import { nothing, type Recipe } from "../../Recipe.ts"

const onJob: Recipe = ({ tenant }) => Effect.map(givenJob(tenant.organization), ({ id }) => ({ id }))

/** What to send to each endpoint of this area so that it does what it is for. What the request needs is made first. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "jobs.list": nothing,
  "jobs.get": onJob,
  "jobs.cancel": onJob
}
