import { ByteSize, Context, Effect, Predicate, Schema, type SchemaAST, SchemaIssue } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest } from "effect/http"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { goesWithoutBody } from "../api/describe.ts"
import { PayloadTooLarge } from "../api/problems.ts"

/** A part of a request, and where the pointers of its faults begin. */
export const requestParts = { Params: "/path", Headers: "/headers", Query: "/query", Payload: "" } as const
export type RequestPart = keyof typeof requestParts

/** How a part of a request is checked, and what of the request it is. */
export interface Check {
  readonly input: Effect.Effect<unknown, never, HttpRouter.Provided>
  readonly decode: (input: unknown) => Effect.Effect<unknown, Schema.SchemaError>
}

// Reflection does not know that no schema of the contract needs a service.
const decoderOf = (schema: Schema.Top, options: SchemaAST.ParseOptions | undefined) =>
  Schema.decodeUnknownEffect(schema as Schema.Codec<unknown>, options)

const notJson = Symbol("not JSON")

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return notJson
  }
}

/** What the body says; an empty one says nothing, or `null` to an endpoint that goes without one. */
const readBody = Effect.fnUntraced(function* (goesWithout: boolean) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const text = yield* Effect.catchTag(request.text, "HttpServerError", Effect.die)
  if (text === "") return goesWithout ? null : undefined
  return parsed(text)
})

const isNotJson = new Schema.SchemaError(new SchemaIssue.InvalidValue({ message: "Expected valid JSON" }))

/** How each part is checked that the endpoint describes, in the order in which the framework does, which stops at the first fault. */
export const checksOf = ({ headers, params, payload, query }: HttpApiEndpoint.Top): ReadonlyMap<RequestPart, Check> => {
  const checks = new Map<RequestPart, Check>()
  const { annotations } = Api
  if (params !== undefined) {
    checks.set("Params", {
      input: Effect.map(HttpRouter.RouteContext, ({ params }) => params),
      decode: decoderOf(params, Context.getOrUndefined(annotations, HttpApi.ParamsParseOptions))
    })
  }
  if (headers !== undefined) {
    checks.set("Headers", {
      input: Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => headers),
      decode: decoderOf(headers, Context.getOrUndefined(annotations, HttpApi.HeadersParseOptions))
    })
  }
  if (query !== undefined) {
    checks.set("Query", {
      input: HttpServerRequest.ParsedSearchParams,
      decode: decoderOf(
        Schema.toCodecArrayFromSingle(query),
        Context.getOrUndefined(annotations, HttpApi.QueryParseOptions)
      )
    })
  }
  const body = payload.get("application/json")
  if (body?.encoding._tag === "Json") {
    const decode = decoderOf(
      Schema.Union(body.schemas),
      Context.getOrUndefined(annotations, HttpApi.PayloadParseOptions)
    )
    checks.set("Payload", {
      input: readBody(goesWithoutBody({ payload })),
      decode: (input) => (input === notJson ? Effect.fail(isNotJson) : decode(input))
    })
  }
  return checks
}

/** The bytes as they were signed, at most `max` of them. */
export const rawBody =
  (max: number) =>
  (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Uint8Array, PayloadTooLarge> =>
    Number(request.headers["content-length"]) > max
      ? Effect.fail(new PayloadTooLarge({ max }))
      : request.arrayBuffer.pipe(
          Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(max)),
          Effect.map((buffer) => new Uint8Array(buffer)),
          Effect.catchTag("HttpServerError", (error) =>
            error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
              ? Effect.fail(new PayloadTooLarge({ max }))
              : Effect.die(error)
          )
        )

/** The parameters of a query that are said once. */
export const plainParameters = (query: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => Predicate.isString(entry[1])))
