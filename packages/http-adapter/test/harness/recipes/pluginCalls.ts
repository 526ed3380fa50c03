import { givenPluginCall } from "@parley/testkit"
import { Effect } from "effect"
import type { Recipe } from "../Recipe.ts"

/** What to send to each endpoint of this area so that it does what it is for. What the request needs is made first. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "pluginCalls.complete": ({ tenant }) =>
    Effect.map(givenPluginCall(tenant.organization), ({ id }) => ({ id, body: { output: { total: 3 } } }))
}
