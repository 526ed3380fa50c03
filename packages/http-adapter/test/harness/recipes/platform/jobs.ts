import { Effect } from "effect"
import { givenJob } from "../../tenants.ts"
import { nothing, type Recipe } from "../../Recipe.ts"

const onJob: Recipe = ({ tenant }) => Effect.map(givenJob(tenant.organization), ({ id }) => ({ id }))

/** A valid request for each endpoint of this area, with creation of the data that the request needs. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "jobs.list": nothing,
  "jobs.get": onJob,
  "jobs.cancel": onJob
}
