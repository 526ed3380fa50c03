import { type Effect, type Layer, type Schema, SchemaAST, type Scope } from "effect"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import type { StorageFaults } from "../../api/middleware.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { withFaultPointers } from "../faults.ts"
import type { Bindings, BoundNames, Declared, Requirements } from "./binding.ts"

/** Binding as the OpenAPI document reads it. */
export interface Sample {
  readonly declared: Declared | null
  readonly request?: unknown
  readonly response?: unknown
  readonly others?: ReadonlyArray<unknown>
}

/** Group of the contract with its handlers and examples. */
export interface BoundGroup<Name extends string, E, R> {
  readonly layer: Layer.Layer<HttpApiGroup.Service<"parley", Name>, E, R>
  readonly samples: Readonly<Record<string, Sample>>
}

/** Handlers of a group after the registration of the bound use cases. */
type Remaining<Group extends HttpApiGroup.Constraint, All> = HttpApiBuilder.Handlers<
  Requirements<Group, All>,
  Group["endpoints"],
  BoundNames<All> & keyof Group["endpoints"]
>

interface RequestParts {
  readonly params?: object
  readonly payload?: object
  readonly query?: { readonly limit?: number; readonly cursor?: string }
  readonly headers?: { readonly "if-match"?: number }
}

interface EndpointParts {
  readonly query: Schema.Top | undefined
  readonly headers: Schema.Top | undefined
  readonly payload: ReadonlyMap<string, unknown>
}

const hasField = (schema: Schema.Top | undefined, name: string) =>
  schema !== undefined &&
  SchemaAST.isObjects(schema.ast) &&
  schema.ast.propertySignatures.some((field) => field.name === name)

/** Prefixes a pointer with the query. */
export const inQuery = (pointer: string) => `/query${pointer}`

type Query = NonNullable<RequestParts["query"]>

/** Replaces the page parameters by the page. Use cases with a filter take all other fields of the query as the filter. */
const withPage = ({ cursor: _cursor, limit: _limit, ...fields }: Query, query: Query) => ({
  ...fields,
  page: pageOf(query)
})

/** Builds the input of the use case from the parts of the request that the endpoint has. No field of the body replaces a parameter of the path. */
const inputBuilder = ({ headers, query }: EndpointParts) => {
  const isPaged = hasField(query, "cursor")
  const isVersioned = hasField(headers, "if-match")
  return ({ headers = {}, params, payload, query = {} }: RequestParts): object => {
    const asked = isPaged ? withPage(query, query) : query
    return isVersioned
      ? { ...payload, ...asked, ...params, ifVersion: expectedVersion(headers) }
      : { ...payload, ...asked, ...params }
  }
}

type AnyUseCase = (input: object) => Effect.Effect<unknown, unknown, unknown>

/** Calls the use case with the input of the endpoint. Without a body, its pointers are pointers into the query. */
const handlerOf = (endpoint: EndpointParts, run: AnyUseCase) => {
  const build = inputBuilder(endpoint)
  return endpoint.query !== undefined && endpoint.payload.size === 0
    ? (request: RequestParts) => withFaultPointers(inQuery)(run(build(request)))
    : (request: RequestParts) => run(build(request))
}

interface AnyBinding {
  readonly runs?: AnyUseCase & Declared
  readonly uses?: Declared | null
  readonly request?: unknown
  readonly response?: unknown
  readonly others?: ReadonlyArray<unknown>
}

interface Registry {
  readonly handleAll: (handlers: Readonly<Record<string, unknown>>) => unknown
}

const boundGroup = (
  name: string,
  bindings: Readonly<Record<string, AnyBinding>>,
  own: (handlers: never) => unknown
): BoundGroup<never, never, never> => {
  const groups: Readonly<Record<string, { readonly endpoints: Readonly<Record<string, EndpointParts>> }>> = Api.groups
  const { endpoints } = groups[name] ?? { endpoints: {} }
  const bound = Object.entries(bindings).flatMap(([key, { runs }]) => {
    const endpoint = endpoints[key]
    return runs === undefined || endpoint === undefined ? [] : [[key, handlerOf(endpoint, runs)] as const]
  })
  const build = (handlers: object) => {
    const answered = withAnswerWriters(handlers)
    const registry = answered as unknown as Registry
    registry.handleAll(Object.fromEntries(bound))
    return own(answered as never)
  }
  return {
    layer: HttpApiBuilder.group(Api, name as never, build as never) as never,
    samples: Object.fromEntries(
      Object.entries(bindings).map(([key, { others, request, response, runs, uses }]) => [
        key,
        { declared: runs ?? uses ?? null, request, response, ...(others !== undefined && { others }) }
      ])
    )
  }
}

/** Every endpoint of the contract has this middleware. */
type Shared = StorageFaults

/** Binds a group in which the server calls every use case directly. */
export const bind = <Group extends HttpApiGroup.Constraint, const All extends Bindings<Group>>(
  group: Group,
  bindings: All & ([Exclude<keyof All, BoundNames<All>>] extends [never] ? unknown : never)
): BoundGroup<Group["identifier"], never, Exclude<Requirements<Group, All>, Scope.Scope> | Shared> =>
  boundGroup(group.identifier, bindings as never, (handlers: never) => handlers) as never

/** Binds a group with handlers of its own for the endpoints that declare `uses`. */
export const bindWith = <Group extends HttpApiGroup.Constraint, const All extends Bindings<Group>, Return>(
  group: Group,
  bindings: All,
  own: (handlers: Remaining<Group, All>) => HttpApiBuilder.Handlers.ValidateReturn<Return>
): BoundGroup<
  Group["identifier"],
  HttpApiBuilder.Handlers.Error<Return>,
  Exclude<HttpApiBuilder.Handlers.Context<Return>, Scope.Scope> | Shared
> => boundGroup(group.identifier, bindings as never, own as never) as never
