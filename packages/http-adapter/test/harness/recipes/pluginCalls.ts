import { givenPluginCall } from "@parley/testkit"
import { Effect } from "effect"
import type { Recipe } from "../Recipe.ts"

/** A valid request for each endpoint of this area, with creation of the data that the request needs. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "pluginCalls.complete": ({ tenant }) =>
    Effect.map(givenPluginCall(tenant.organization), ({ id }) => ({ id, body: { output: { total: 3 } } }))
}
