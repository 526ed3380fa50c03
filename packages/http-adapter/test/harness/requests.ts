import type { Ports } from "@parley/domain/composition"
import { Effect } from "effect"
import type { Endpoint } from "./contract.ts"
import type { Http } from "./Http.ts"
import { ofAreas } from "./ofAreas.ts"
import type { Caller, Recipe, ValidRequest } from "./Recipe.ts"
import { givenOperatorToken } from "./tenants.ts"

export type { Caller, ValidRequest } from "./Recipe.ts"

/** The path of the endpoint with these in it. */
export const pathWith = ({ path }: Endpoint, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))

/** A valid request for each endpoint, from one file per area. */
const recipes: Readonly<Record<string, Recipe>> = Object.fromEntries(
  (await ofAreas<{ readonly recipes: Readonly<Record<string, Recipe>> }>("recipes")).flatMap(({ recipes }) =>
    Object.entries(recipes)
  )
)

/** Which endpoints have a recipe: all of them, or the tests that are generated from the contract have a hole. */
export const described = new Set(Object.keys(recipes))

const needsOrganization = (endpoint: Endpoint) =>
  endpoint.admission === "organization" || endpoint.admission === "only organization"

const needsToken = (endpoint: Endpoint) => needsOrganization(endpoint) || endpoint.admission === "user"

/** A request to the endpoint that this caller can make. Creates its dependencies first. */
export const validRequest = Effect.fnUntraced(function* (
  endpoint: Endpoint,
  caller: Caller,
  recipe: Recipe | undefined = recipes[endpoint.id]
) {
  if (recipe === undefined) return yield* Effect.die(new Error(`There is no recipe for a request to ${endpoint.id}.`))
  const { id, params: others = {}, query = "", ...call } = yield* recipe(caller)
  const [, first = "id"] = /:(\w+)/.exec(endpoint.path) ?? []
  const params = { ...(id !== undefined && { [first]: id }), ...others }
  return {
    ...(needsToken(endpoint) && { token: caller.person.token }),
    ...(endpoint.admission === "operator" && { token: (yield* givenOperatorToken()).token }),
    ...(needsOrganization(endpoint) && { organization: caller.tenant.organization.id }),
    ...call,
    params,
    path: pathWith(endpoint, params) + query
  } satisfies ValidRequest
})

/** The environment of a test over HTTP. */
export type World = Http | Ports
