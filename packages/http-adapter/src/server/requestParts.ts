import { ByteSize, Context, Effect, Predicate, Schema, type SchemaAST, SchemaIssue } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest } from "effect/http"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { goesWithoutBody } from "../api/describe.ts"
import { PayloadTooLarge } from "../api/problems.ts"

/** Request parts, and the pointer prefixes of their issues. */
export const requestParts = { Params: "/path", Headers: "/headers", Query: "/query", Payload: "" } as const
export type RequestPart = keyof typeof requestParts

/** Check of a request part, and its input. */
export interface Check {
  readonly input: Effect.Effect<unknown, never, HttpRouter.Provided>
  readonly decode: (input: unknown) => Effect.Effect<unknown, Schema.SchemaError>
}

// Reflection cannot see that the schemas of the contract need no services.
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

/** Reads the body. An empty body is undefined, or `null` if the endpoint permits no body. */
const readBody = Effect.fnUntraced(function* (goesWithout: boolean) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const text = yield* Effect.catchTag(request.text, "HttpServerError", Effect.die)
  if (text === "") return goesWithout ? null : undefined
  return parsed(text)
})

const faultOf = (message: string) => new Schema.SchemaError(new SchemaIssue.InvalidValue({ message }))

const isNotJson = faultOf("Expected valid JSON")
const isMissing = faultOf("Expected a JSON body, such as {}")

/** Rejects texts that are not JSON, and a missing body. */
const checkBody =
  (decode: Check["decode"]): Check["decode"] =>
  (input) => {
    if (input === undefined) return Effect.fail(isMissing)
    return input === notJson ? Effect.fail(isNotJson) : decode(input)
  }

/** Returns the checks of the described parts in the order of the framework, which stops at the first error. */
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
      decode: checkBody(decode)
    })
  }
  return checks
}

/** Reads the signed bytes, at most `max`. */
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

/** Returns the query parameters that occur once. */
export const plainParameters = (query: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => Predicate.isString(entry[1])))
