import { type Brand, type DateTime, Effect, Predicate, type Redacted, Schema, Stream } from "effect"
import { HttpApi, type HttpApiClient, type HttpApiEndpoint } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { FeedEvent } from "../api/events.ts"
import type { Client, FollowFrom, Groups, Part } from "./Client.ts"
import { ChosenHeaders, ChosenKey, ChosenMediaType, ChosenOrganization, SentOnce } from "./CurrentCall.ts"

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

/** Bytes of a file to send. A stream can only be sent once, so such a call is not repeated automatically. */
export type FileBytes = Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

type AnyStream = Stream.Stream<Uint8Array, unknown>

type Sent<Payload> = Payload extends AnyStream ? FileBytes : Plain<Payload>

/** A file of an answer, as it arrives: `new Response(file).bytes()` has all of it. */
type Given<Success> = Success extends AnyStream ? ReadableStream<Uint8Array<ArrayBuffer>> : Plain<Success>

/** Options of one call. */
export interface CallOptions {
  /** Acts in another organization than the client's own. */
  readonly organizationId?: string
  /** Repeats what an earlier call with this key began. */
  readonly idempotencyKey?: string
  /** Media type of a file, for endpoints that read several: `application/x-ndjson`. */
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

const isReadable = (file: FileBytes): file is ReadableStream<Uint8Array> => file instanceof ReadableStream

const unread = (cause: unknown) => new Error("The file could not be read", { cause })

/** The bytes of a file as they are sent. */
const bytesOf = (file: FileBytes): Stream.Stream<Uint8Array, Error> => {
  if (file instanceof Uint8Array) return Stream.make(file)
  if (file instanceof Blob) return Stream.fromReadableStream({ evaluate: () => file.stream(), onError: unread })
  return isReadable(file)
    ? Stream.fromReadableStream({ evaluate: () => file, onError: unread })
    : Stream.fromAsyncIterable(file, unread)
}

/** Whether a part of a request can be sent once only, because reading consumes a stream. */
const isSentOnce = (payload: unknown): boolean =>
  typeof payload === "object" &&
  payload !== null &&
  (payload instanceof ReadableStream || Symbol.asyncIterator in payload)

interface Parts {
  readonly params?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly payload?: unknown
}

type Call = (parts: Parts) => Effect.Effect<unknown, unknown>
type Codec = Schema.Codec<unknown, unknown>

/** Decodes a part for the URL or the headers from its JSON form, with numbers as numbers. */
const readPart = (schema: Schema.Top | undefined) =>
  schema === undefined ? undefined : Schema.decodeUnknownEffect(Schema.toCodecJson(Schema.toType(schema)) as Codec)

const isFile = (schema: object) => Predicate.hasProperty(schema, "_tag") && schema._tag === "StreamUint8Array"

const readPayload = (endpoint: HttpApiEndpoint.Top) => {
  const [payload] = Array.from(endpoint.payload.values()).flatMap(({ schemas }) => schemas)
  if (payload === undefined) return undefined
  if (isFile(payload)) return (file: unknown) => Effect.sync(() => bytesOf(file as FileBytes))
  return Schema.decodeUnknownEffect(payload as Codec)
}

const readParts = (endpoint: HttpApiEndpoint.Top) => {
  const readers = Object.entries({
    params: readPart(endpoint.params),
    query: readPart(endpoint.query),
    headers: readPart(endpoint.headers),
    payload: readPayload(endpoint)
  })
  return Effect.fnUntraced(function* (parts: Parts) {
    const read: Record<string, unknown> = {}
    for (const [part, value] of Object.entries(parts)) {
      const reader = readers.find(([name]) => name === part)?.[1]
      if (reader !== undefined && value !== undefined) read[part] = yield* reader(value)
    }
    return read
  })
}

const writeAnswer = (endpoint: HttpApiEndpoint.Top) => {
  if (Array.from(endpoint.success).some(isFile)) return writeFile
  const successes = Array.from(endpoint.success, (success) => success as Codec)
  return successes.length === 0 ? Effect.succeed : Schema.encodeUnknownEffect(Schema.Union(successes))
}

const writeFile = (file: unknown) =>
  Effect.sync(() => Stream.toReadableStream(file as Stream.Stream<Uint8Array<ArrayBuffer>, unknown>))

const writeRow = Schema.encodeUnknownEffect(Schema.toCodecJson(FeedEvent)) as unknown as (
  row: typeof FeedEvent.Type
) => Effect.Effect<FollowedEvent>

/** Waits until the signal is given. */
const aborted = (signal: AbortSignal) =>
  Effect.callback<void>((resume) => {
    const end = () => resume(Effect.void)
    if (signal.aborted) end()
    else signal.addEventListener("abort", end, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", end))
  })

/** The same client in promises and plain JSON. */
export const makePromiseClient = (client: Client): PromiseClient => {
  const calls = client as unknown as Readonly<Record<string, Readonly<Record<string, Call>>>>
  const areas: Record<string, Record<string, (parts?: Parts, options?: CallOptions) => Promise<unknown>>> = {}
  HttpApi.reflect(Api, {
    onGroup: ({ group }) => {
      areas[group.identifier] = {}
    },
    onEndpoint: ({ endpoint, group }) => {
      const call = calls[group.identifier]?.[endpoint.identifier]
      const area = areas[group.identifier]
      if (call === undefined || area === undefined) return
      const read = readParts(endpoint)
      const write = writeAnswer(endpoint)
      area[endpoint.identifier] = (parts = {}, { contentType, headers, idempotencyKey, organizationId, signal } = {}) =>
        read(parts).pipe(
          Effect.flatMap(call),
          Effect.flatMap(write),
          Effect.provideService(ChosenOrganization, organizationId ?? null),
          Effect.provideService(ChosenKey, idempotencyKey ?? null),
          Effect.provideService(ChosenMediaType, contentType ?? null),
          Effect.provideService(ChosenHeaders, headers ?? {}),
          Effect.provideService(SentOnce, isSentOnce(parts.payload)),
          (program) => Effect.runPromise(program, signal === undefined ? {} : { signal })
        )
    }
  })
  const follow: PromiseClient["events"]["follow"] = (from = {}, { organizationId, signal } = {}) =>
    client.events.follow(from).pipe(
      Stream.mapEffect((row) => writeRow(row)),
      Stream.provideService(ChosenOrganization, organizationId ?? null),
      Stream.interruptWhen(signal === undefined ? Effect.never : aborted(signal)),
      Stream.toAsyncIterable
    )
  return { ...areas, events: { ...areas.events, follow } } as unknown as PromiseClient
}
