import { Effect } from "effect"
import type { Recipe } from "../Recipe.ts"

const asking =
  (query: string): Recipe =>
  () =>
    Effect.succeed({ query })

/** A valid request for each endpoint of this area, with creation of the data that the request needs. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "analytics.overview": asking("?period=7d"),
  "analytics.series": asking("?figure=conversations.opened&by=day&period=7d"),
  "analytics.agents": asking("?period=30d"),
  "analytics.broadcasts": asking("?period=30d"),
  "analytics.heatmap": asking("?period=30d"),
  "analytics.costs": asking("?period=30d"),
  "analytics.live": asking("")
}
