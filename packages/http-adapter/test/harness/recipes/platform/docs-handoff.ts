import { Effect, Redacted } from "effect"
import { givenDocsCode, givenDocsSession } from "../../tenants.ts"
import { nothing, type Recipe } from "../../Recipe.ts"

/** A valid request for each endpoint of this area, with creation of the data that the request needs. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "docs.handoff": nothing,
  "docs.exchange": ({ person, tenant }) =>
    Effect.map(givenDocsCode(tenant.organization, person), (code) => ({ body: { code: Redacted.value(code) } })),
  "docs.session": ({ person, tenant }) =>
    Effect.map(givenDocsSession(tenant.organization, person), (token) => ({ token }))
}
