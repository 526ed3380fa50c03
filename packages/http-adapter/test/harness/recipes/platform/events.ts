import { nothing, type Recipe } from "../../Recipe.ts"

/** What to send to each endpoint of this area so that it does what it is for. What the request needs is made first. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "events.list": nothing,
  "events.listTypes": nothing
}
