import type { Brand, DateTime, Redacted, Stream } from "effect"
import type { HttpApiClient, HttpApiEndpoint } from "effect/http-api"
import type { FeedEvent } from "../api/events.ts"
import type { FollowFrom, Groups, Part } from "./Client.ts"

/** A value as JSON has it: times and secrets are texts, ids are plain. */
export type Plain<Value> =
  Value extends Redacted.Redacted<infer Secret>
    ? Secret
    : Value extends DateTime.Utc
      ? string
      : Value extends string & Brand.Brand<string>
        ? string
        : Value extends ReadonlyArray<infer Item>
          ? ReadonlyArray<Plain<Item>>
          : Value extends object
            ? { readonly [Name in keyof Value]: Plain<Value[Name]> }
            : Value

/** The bytes of a file to send. A stream of them can be sent once only: such a call is not repeated by itself. */
export type FileBytes = Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

type AnyStream = Stream.Stream<Uint8Array, unknown>

type Sent<Payload> = Payload extends AnyStream ? FileBytes : Plain<Payload>

/** A file of an answer, as it arrives: `new Response(file).bytes()` has all of it. */
type Given<Success> = Success extends AnyStream ? ReadableStream<Uint8Array<ArrayBuffer>> : Plain<Success>

/** What may be said of one call. */
export interface CallOptions {
  /** Acts in another organization than the client's own. */
  readonly organizationId?: string
  /** Repeats what an earlier call with this key began. */
  readonly idempotencyKey?: string
  /** What a file is, where the endpoint reads several: `application/x-ndjson`. */
  readonly contentType?: string
  /** Further headers, such as the signature of a delivery. */
  readonly headers?: Readonly<Record<string, string>>
  /** Gives the call up. */
  readonly signal?: AbortSignal
}

type RequestOf<Endpoint extends HttpApiEndpoint.ConstraintRequest> = Part<
  "params",
  Plain<Endpoint["~Params"]["Type"]>
> &
  Part<"query", Plain<Endpoint["~Query"]["Type"]>> &
  Part<"headers", Plain<Endpoint["~Headers"]["Type"]>> &
  Part<"payload", Sent<Endpoint["~Payload"]["Type"]>>

type Arguments<Request> = {} extends Request
  ? [request?: Request, options?: CallOptions]
  : [request: Request, options?: CallOptions]

type Method<Endpoint extends HttpApiEndpoint.ConstraintRequest> = (
  ...args: Arguments<RequestOf<Endpoint>>
) => Promise<Given<HttpApiClient.SuccessType<Endpoint["~Success"]>>>

type MethodsOf<Endpoints> = {
  readonly [Name in keyof Endpoints]: Endpoints[Name] extends HttpApiEndpoint.ConstraintRequest
    ? Method<Endpoints[Name]>
    : never
}

/** A row of the feed, in plain JSON. */
export type FollowedEvent = Plain<typeof FeedEvent.Type>

/** Every endpoint of the contract, by area and name, in promises and plain JSON. A failed call rejects with the domain error. */
export type PromiseClient = { readonly [Group in Groups as Group["identifier"]]: MethodsOf<Group["endpoints"]> } & {
  readonly events: {
    /** Follows the events as they happen, for `for await`: each once, in order and without a gap. */
    readonly follow: (
      from?: FollowFrom,
      options?: Pick<CallOptions, "organizationId" | "signal">
    ) => AsyncIterable<FollowedEvent>
  }
}
