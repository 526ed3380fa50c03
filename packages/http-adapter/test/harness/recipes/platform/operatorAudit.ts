import { nothing, type Recipe } from "../../Recipe.ts"

/** A valid request for each endpoint of this area. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "operatorAudit.list": nothing
}
