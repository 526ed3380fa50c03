import { Effect, Redacted } from "effect"
import { givenDocsCode, givenDocsSession } from "../../tenants.ts"
import { nothing, type Recipe } from "../../Recipe.ts"

/** What to send to each endpoint of this area so that it does what it is for. What the request needs is made first. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "docs.handoff": nothing,
  "docs.exchange": ({ person, tenant }) =>
    Effect.map(givenDocsCode(tenant.organization, person), (code) => ({ body: { code: Redacted.value(code) } })),
  "docs.session": ({ person, tenant }) =>
    Effect.map(givenDocsSession(tenant.organization, person), (token) => ({ token }))
}
