import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import {
  AsOperator,
  Authenticated,
  Idempotent,
  InOnlyOrganization,
  InOrganization,
  Public,
  WithDocsSession
} from "../../src/api/middleware.ts"

/** Callers that the contract admits to an endpoint. */
export type Admission = "open" | "public" | "user" | "only organization" | "organization" | "docs session" | "operator"

/** An endpoint of the contract, found by reflection. */
export interface Endpoint {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly admission: Admission
  readonly isIdempotent: boolean
  /** The status of a success. */
  readonly success: number
  readonly contract: HttpApiEndpoint.Top
}

const admissions: ReadonlyArray<readonly [unknown, Admission]> = [
  [InOrganization, "organization"],
  [InOnlyOrganization, "only organization"],
  [Authenticated, "user"],
  [WithDocsSession, "docs session"],
  [AsOperator, "operator"],
  [Public, "public"]
]

const found: Array<Endpoint> = []

HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group, middleware, successes }) => {
    const names: ReadonlySet<unknown> = middleware
    found.push({
      id: `${group.identifier}.${endpoint.identifier}`,
      method: endpoint.method,
      path: endpoint.path,
      admission: admissions.find(([service]) => names.has(service))?.[1] ?? "open",
      isIdempotent: names.has(Idempotent),
      // An answer that is streamed has no schema.
      success: Array.from(successes.keys())[0] ?? 200,
      contract: endpoint
    })
  }
})

/** Every endpoint there is. */
export const endpoints: ReadonlyArray<Endpoint> = found

/** Whether the endpoint reads a body that is one JSON value; another one takes in bytes as they are. */
export const readsJson = ({ contract }: Endpoint): boolean =>
  contract.payload.get("application/json")?.encoding._tag === "Json"

/** Whether the endpoint accepts any body unchanged. */
export const readsFiles = (endpoint: Endpoint): boolean => endpoint.contract.payload.size > 0 && !readsJson(endpoint)

/** Whether a provider calls the endpoint under its own rules. */
export const isWebhook = ({ id }: Endpoint): boolean =>
  id.startsWith("chatWebhooks.") || id.startsWith("storeWebhooks.")

/** One slot of a request that the contract describes. */
export type Slot = "path" | "query" | "headers" | "body"

/** A field of a request, with the schema node that describes it. */
export interface Field {
  readonly slot: Slot
  readonly name: string
  readonly node: object
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** Every object that can be reached from a schema node. */
export const reachable = (root: object): ReadonlySet<object> => {
  const seen = new Set<object>()
  const visit = (value: unknown): void => {
    if (!isObject(value) || seen.has(value)) return
    seen.add(value)
    for (const inner of Object.values(value)) visit(inner)
  }
  visit(root)
  return seen
}

const fieldsOf = (slot: Slot, root: object): ReadonlyArray<Field> =>
  Array.from(reachable(root)).flatMap((node) => {
    if (!("propertySignatures" in node) || !Array.isArray(node.propertySignatures)) return []
    return node.propertySignatures.map(({ name, type }: { readonly name: PropertyKey; readonly type: object }) => ({
      slot,
      name: String(name),
      node: type
    }))
  })

/** Every field that a request of the endpoint may have, at any depth. */
export const requestFields = ({ contract }: Endpoint): ReadonlyArray<Field> => {
  const payloads = Array.from(contract.payload.values()).flatMap(({ schemas }) => schemas)
  return [
    ...(contract.params === undefined ? [] : fieldsOf("path", contract.params.ast)),
    ...(contract.query === undefined ? [] : fieldsOf("query", contract.query.ast)),
    ...(contract.headers === undefined ? [] : fieldsOf("headers", contract.headers.ast)),
    ...payloads.flatMap((schema) => fieldsOf("body", schema.ast))
  ]
}
