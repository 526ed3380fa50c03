import { nothing, type Recipe } from "../../Recipe.ts"

/** A valid request for each endpoint of this area, with creation of the data that the request needs. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "operations.jwks": nothing,
  "operations.health": nothing,
  "operations.ready": nothing
}
