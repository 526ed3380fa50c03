import type { DateTime, Effect, Schema, Stream } from "effect"
import type { HttpClientError } from "effect/http"
import type { HttpApi, HttpApiClient, HttpApiEndpoint } from "effect/http-api"
import type { Api } from "../api/Api.ts"
import type { FeedEvent } from "../api/events.ts"
import type { Problems } from "../api/index.ts"

/** The areas of the contract. */
export type Groups = typeof Api extends HttpApi.HttpApi<string, infer All> ? All : never

type Problem<Tag extends keyof typeof Problems.problems> = (typeof Problems.problems)[Tag]["Type"]

/** Errors of the edge, possible for any call. */
export type EdgeFailure = Problem<
  | "HeadersTooLarge"
  | "InternalError"
  | "MethodNotAllowed"
  | "PathNotFound"
  | "PayloadTooLarge"
  | "RequestMalformed"
  | "RequestTimeout"
  | "UnsupportedMediaType"
>

/** Why a session could not go on. Most often: log in again, or take the tokens that another call of yours got. */
export type SessionFailure = Problem<
  | "IdempotencyKeyInProgress"
  | "RateLimited"
  | "RefreshSuperseded"
  | "ServiceUnavailable"
  | "SessionReuseDetected"
  | "TokenExpired"
  | "TokenInvalid"
  | "TokenRevoked"
>

/** Errors of a call beyond its endpoint's: failures in transit, or a violated contract. */
export type CallFailure = EdgeFailure | SessionFailure | HttpClientError.HttpClientError | Schema.SchemaError

/** A part of a request: omitted if empty, optional if all of its fields are optional. */
export type Part<Key extends string, Value> = [Value] extends [never]
  ? {}
  : {} extends Value
    ? { readonly [Name in Key]?: Value }
    : { readonly [Name in Key]: Value }

/** Input of a call. A part with only optional fields is optional. */
export type RequestOf<Endpoint extends HttpApiEndpoint.ConstraintRequest> = Part<
  "params",
  Endpoint["~Params"]["Type"]
> &
  Part<"query", Endpoint["~Query"]["Type"]> &
  Part<"headers", Endpoint["~Headers"]["Type"]> &
  Part<"payload", Endpoint["~Payload"]["Type"]>

type Arguments<Request> = {} extends Request ? [request?: Request] : [request: Request]

/** A call of an endpoint. */
export type Method<Endpoint extends HttpApiEndpoint.ConstraintRequest> = (
  ...args: Arguments<RequestOf<Endpoint>>
) => Effect.Effect<HttpApiClient.SuccessType<Endpoint["~Success"]>, HttpApiEndpoint.Errors<Endpoint> | CallFailure>

type MethodsOf<Endpoints> = {
  readonly [Name in keyof Endpoints]: Endpoints[Name] extends HttpApiEndpoint.ConstraintRequest
    ? Method<Endpoints[Name]>
    : never
}

/** Start of a feed: after a cursor, or with the next event; all events, or some types. */
export interface FollowFrom {
  readonly after?: string
  /** Includes events since this time, without a cursor. Up to five minutes of earlier events can be included. */
  readonly since?: DateTime.Utc | string
  /** Types such as `message.received`, or beginnings of some such as `contact.*`. */
  readonly type?: ReadonlyArray<string>
  /** Called when the feed is connected, and immediately when the connection is lost. */
  readonly onConnection?: (isConnected: boolean) => void
}

/** Failures of following: those of any call. A lost connection does not end it. */
export type FollowFailure =
  | HttpApiEndpoint.Errors<Extract<Groups, { readonly identifier: "events" }>["endpoints"]["list"]>
  | CallFailure

/** Follows the events as they happen. Each is given once, in order and without a gap, however often the connection is lost. */
export type Follow = (from?: FollowFrom) => Stream.Stream<typeof FeedEvent.Type, FollowFailure>

/** Every endpoint of the contract, by area and name, and the way to follow what happens. */
export type Client = { readonly [Group in Groups as Group["identifier"]]: MethodsOf<Group["endpoints"]> } & {
  readonly events: { readonly follow: Follow }
}
