import type { Effect } from "effect"
import type { HttpRouter } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { PageRequest, PermissionDenied, ScopeDenied, UseCaseDeclaration } from "@parley/domain/kernel"

/** Public part of a use case. */
export interface Declared {
  readonly declaration: UseCaseDeclaration
}

type Part<Request, Name extends string> = Request extends { readonly [Key in Name]: infer Fields } ? Fields : unknown

type FromQuery<Query> = "cursor" extends keyof Query
  ? Omit<Query, "cursor" | "limit"> & { readonly page: PageRequest }
  : Query

type FromHeaders<Headers> = "if-match" extends keyof Headers ? { readonly ifVersion: number | null } : unknown

/** Input that an endpoint passes to its use case: path parameters, body and query flat, `page` and `ifVersion`. */
export type InputOf<
  Endpoint extends HttpApiEndpoint.ConstraintRequest,
  Request = HttpApiEndpoint.Request<Endpoint>
> = Part<Request, "params"> &
  Part<Request, "payload"> &
  FromQuery<Part<Request, "query">> &
  FromHeaders<Part<Request, "headers">>

/** Use cases refuse operator tokens with `ScopeDenied` only, so endpoints for operator tokens do not declare `PermissionDenied`. */
type Unreachable<MiddlewareError> = ScopeDenied extends MiddlewareError ? PermissionDenied : never

type MiddlewareError<Endpoint extends HttpApiEndpoint.ConstraintRequest> = HttpApiEndpoint.MiddlewareError<Endpoint>

/** Use case with the input, the result and the errors of an endpoint. */
interface Runs<Endpoint extends HttpApiEndpoint.ConstraintRequest> extends Declared {
  (
    input: InputOf<Endpoint>
  ): ReturnType<
    HttpApiEndpoint.Handler<Endpoint, MiddlewareError<Endpoint> | Unreachable<MiddlewareError<Endpoint>>, unknown>
  >
}

type RequestExample<Endpoint extends HttpApiEndpoint.ConstraintRequest> = [Endpoint["~Payload"]] extends [never]
  ? {}
  : { readonly request: Endpoint["~Payload"]["Type"] }

type ResponseExample<Endpoint extends HttpApiEndpoint.ConstraintRequest> = [Endpoint["~Success"]["Type"]] extends [void]
  ? {}
  : {
      readonly response: Endpoint["~Success"]["Type"]
      /** Other responses, if there are several kinds. */
      readonly others?: ReadonlyArray<Endpoint["~Success"]["Type"]>
    }

/**
 * Binding of an endpoint, with an example of its request and response. `runs`: the server calls the use case with the input of the endpoint. `uses`: a
 * handler of the group calls it; `null` if it calls none.
 */
export type Binding<Endpoint extends HttpApiEndpoint.ConstraintRequest> = (
  | { readonly runs: Runs<Endpoint> }
  | { readonly uses: Declared | null }
) &
  RequestExample<Endpoint> &
  ResponseExample<Endpoint>

type Endpoints<Group extends HttpApiGroup.Constraint> = Group["endpoints"] extends infer All extends Readonly<
  Record<string, HttpApiEndpoint.ConstraintRequest>
>
  ? All
  : never

/** A binding for every endpoint of a group: leaving one out does not compile. */
export type Bindings<Group extends HttpApiGroup.Constraint> = {
  readonly [Name in keyof Endpoints<Group>]: Binding<Endpoints<Group>[Name]>
}

/** Endpoints that the server calls without a handler. */
export type BoundNames<All> = {
  readonly [Name in keyof All]: All[Name] extends { readonly runs: unknown } ? Name : never
}[keyof All]

/** Services of a bound use case. */
type ServicesOf<Bound> = Bound extends {
  readonly runs: (...input: ReadonlyArray<never>) => Effect.Effect<unknown, unknown, infer R>
}
  ? R
  : never

type Requests<R> = [R] extends [never] ? never : HttpRouter.Request.From<"Requires", R>

type EndpointRequirements<Endpoint extends HttpApiEndpoint.Constraint, R> =
  | HttpApiEndpoint.Middleware<Endpoint>
  | HttpApiEndpoint.MiddlewareServices<Endpoint>
  | Requests<HttpApiEndpoint.ExcludeProvided<Endpoint, R | HttpApiEndpoint.ServerServices<Endpoint>>>

/** Services that the bound endpoints of a group require. */
export type Requirements<Group extends HttpApiGroup.Constraint, All> = {
  readonly [Name in BoundNames<All> & keyof Endpoints<Group>]: EndpointRequirements<
    Endpoints<Group>[Name],
    ServicesOf<All[Name]>
  >
}[BoundNames<All> & keyof Endpoints<Group>]
