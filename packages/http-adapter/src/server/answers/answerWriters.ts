import {
  compileVisibility,
  CurrentActor,
  type Mask,
  type Page,
  EncodedJson,
  type FieldVisibility
} from "@parley/domain/kernel"
import { Context, Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApi, type HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { uncheckedEncoder } from "./uncheckedEncoder.ts"

interface Answer {
  readonly schema: Schema.Top
  readonly status: number
}

/** Writes the result of a handler, masked for the caller. */
export type Write = (value: unknown) => Effect.Effect<HttpServerResponse.HttpServerResponse>

/** Writes with the mask of the caller; `null` for a caller with all permissions. Without annotated fields, the caller is not read. */
const writeMasked =
  <A>(showing: FieldVisibility, write: (value: A, mask: Mask | null) => HttpServerResponse.HttpServerResponse) =>
  (value: A): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
    showing.permissions.length === 0
      ? Effect.succeed(write(value, null))
      : Effect.withFiber(({ context }) =>
          Effect.succeed(write(value, showing.maskFor(Context.getOrUndefined(context, CurrentActor) ?? null)))
        )

/** Compiles a writer of JSON from the schema of an answer. */
export const makeAnswerWriter = ({ schema, status }: Answer): Write => {
  const encode = uncheckedEncoder(schema)
  return writeMasked(compileVisibility(schema), (value, mask) => {
    const json = encode(value)
    return HttpServerResponse.text(JSON.stringify(mask === null ? json : mask(json)), {
      status,
      contentType: "application/json"
    })
  })
}

const findAnswers = () => {
  const found = new Map<HttpApiEndpoint.Top, Answer>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, successes }) => {
      const [[status, schemas] = [], ...others] = successes
      // The schemas select among several answers: their checks distinguish the answers.
      if (status === undefined || schemas === undefined || schemas.length > 1 || others.length > 0) return
      const [schema] = schemas
      if (!HttpApiSchema.isNoContent(schema.ast) && endpoint.success.size === 1) found.set(endpoint, { schema, status })
    }
  })
  return found
}

/** Endpoints with one answer, whose JSON is written without validation. */
export const answers: ReadonlyMap<HttpApiEndpoint.Top, Answer> = findAnswers()

type Handler = (request: { readonly endpoint: HttpApiEndpoint.Top }) => Effect.Effect<unknown, unknown, unknown>

const answered = (handler: Handler): Handler => {
  let write: Write | null | undefined
  return (request) => {
    if (write === undefined) {
      const answer = answers.get(request.endpoint)
      write = answer === undefined ? null : makeAnswerWriter(answer)
    }
    const outcome = handler(request)
    if (write === null) return outcome
    const written = write
    return Effect.filterOrElse(outcome, HttpServerResponse.isHttpServerResponse, written)
  }
}

type Entry = Handler | { readonly handler: Handler }

const answeredEntry = (entry: Entry): Entry =>
  typeof entry === "function" ? answered(entry) : { ...entry, handler: answered(entry.handler) }

interface Registry {
  readonly handleAll: (handlers: Readonly<Record<string, Entry>>) => unknown
}

/** The handlers of a group, with answers written by compiled writers instead of being validated again. */
export const withAnswerWriters = <Handlers extends object>(handlers: Handlers): Handlers => {
  const registry = handlers as unknown as Registry
  const own: Registry = {
    handleAll: (all) =>
      registry.handleAll(Object.fromEntries(Object.entries(all).map(([name, entry]) => [name, answeredEntry(entry)])))
  }
  return Object.assign(Object.create(handlers), own)
}

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]
const [begin, comma] = [encoder.encode('{"data":['), encoder.encode(",")]

const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/**
 * Compiles a page writer from the row schema. Rows that storage rendered are written unchanged. For callers with a mask, the rows are parsed and
 * written again.
 */
export const makePageWriter = <S extends Schema.Top>(item: S) => {
  const encode = uncheckedEncoder(Schema.toCodecJson(item))
  const bytesOf = (row: unknown, mask: Mask | null): Uint8Array => {
    if (mask === null) return row instanceof EncodedJson ? row.json : encoder.encode(JSON.stringify(encode(row)))
    const json: unknown = row instanceof EncodedJson ? JSON.parse(decoder.decode(row.json)) : encode(row)
    return encoder.encode(JSON.stringify(mask(json)))
  }
  return writeMasked<Page<S["Type"] | EncodedJson<S["Type"]>>>(
    compileVisibility(item),
    ({ data, nextCursor }, mask) => {
      const rows = data.flatMap((row, place) => {
        const json = bytesOf(row, mask)
        return place === 0 ? [json] : [comma, json]
      })
      const end = encoder.encode(`],"nextCursor":${JSON.stringify(nextCursor)}}`)
      return HttpServerResponse.uint8Array(joined([begin, ...rows, end]), { contentType: "application/json" })
    }
  )
}
