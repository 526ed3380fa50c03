import type { Ports } from "@parley/domain/composition"
import { Effect } from "effect"
import type { Endpoint } from "./contract.ts"
import type { Http } from "./Http.ts"
import { fixtureRecipe } from "./fixtureRequests.ts"
import { ownRequests } from "./ownRequests.ts"
import type { Caller, Recipe, ValidRequest } from "./Recipe.ts"
import { givenOperatorToken } from "./tenants.ts"

export type { Caller, ValidRequest } from "./Recipe.ts"

/** The path of the endpoint with these in it. */
export const pathWith = ({ path }: Endpoint, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))

/** Creates a valid request: from the fixture of the use case, or by hand. `null`: it has neither. */
const recipeOf = (endpoint: Endpoint): Recipe | null => ownRequests[endpoint.id] ?? fixtureRecipe(endpoint)

/** Whether the endpoint has a valid request. */
export const hasRequest = (endpoint: Endpoint): boolean => recipeOf(endpoint) !== null

const needsOrganization = (endpoint: Endpoint) =>
  endpoint.admission === "organization" || endpoint.admission === "only organization"

const needsToken = (endpoint: Endpoint) => needsOrganization(endpoint) || endpoint.admission === "user"

/** A request to the endpoint that this caller can make. Creates its dependencies first. */
export const validRequest = Effect.fnUntraced(function* (
  endpoint: Endpoint,
  caller: Caller,
  recipe: Recipe | null = recipeOf(endpoint)
) {
  if (recipe === null) {
    return yield* Effect.die(
      new Error(
        `${endpoint.id} has no request. Add a fixture of its use case to packages/testkit/src/fixtures, or a request to harness/ownRequests.ts.`
      )
    )
  }
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
