import { Effect, Predicate, Schema, Stream } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { FeedEvent } from "../api/events.ts"
import type { Client } from "./Client.ts"
import { ChosenHeaders, ChosenKey, ChosenMediaType, ChosenOrganization, SentOnce } from "./CurrentCall.ts"
import { bytesOf, isSentOnce } from "./fileBytes.ts"
import type { CallOptions, FileBytes, FollowedEvent, PromiseClient } from "./PromiseClient.ts"

interface Parts {
  readonly params?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly payload?: unknown
}

type Call = (parts: Parts) => Effect.Effect<unknown, unknown>
type Codec = Schema.Codec<unknown, unknown>

/** Reads a part that goes into the address or the headers from its JSON form, in which numbers are numbers. */
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
