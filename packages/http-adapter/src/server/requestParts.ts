import { Context, Effect, Schema, type SchemaAST, SchemaIssue } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { goesWithoutBody } from "../api/openapi/reflectApi.ts"

/** A part of a request, and where the pointers of its faults begin. */
export const requestParts = { Params: "/path", Headers: "/headers", Query: "/query", Payload: "" } as const
export type RequestPart = keyof typeof requestParts

type Check = Effect.Effect<unknown, Schema.SchemaError, HttpRouter.Provided>

// Reflection does not know that no schema of the contract needs a service.
const decoderOf = (schema: Schema.Top, options: SchemaAST.ParseOptions | undefined) =>
  Schema.decodeUnknownEffect(schema as Schema.Codec<unknown>, options)

const notJson = () => new Schema.SchemaError(new SchemaIssue.InvalidValue({ message: "Expected a valid JSON body" }))

const readJson = Effect.fnUntraced(function* (goesWithout: boolean) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const text = yield* Effect.catchTag(request.text, "HttpServerError", Effect.die)
  return text === ""
    ? goesWithout
      ? null
      : undefined
    : yield* Effect.try({ try: (): unknown => JSON.parse(text), catch: notJson })
})

/** Checks each part that the endpoint describes, in the order in which the framework does, which stops at the first fault. */
export const checksOf = ({ headers, params, payload, query }: HttpApiEndpoint.Top): ReadonlyMap<RequestPart, Check> => {
  const checks = new Map<RequestPart, Check>()
  const { annotations } = Api
  if (params !== undefined) {
    const decode = decoderOf(params, Context.getOrUndefined(annotations, HttpApi.ParamsParseOptions))
    checks.set(
      "Params",
      Effect.flatMap(HttpRouter.RouteContext, ({ params }) => decode(params))
    )
  }
  if (headers !== undefined) {
    const decode = decoderOf(headers, Context.getOrUndefined(annotations, HttpApi.HeadersParseOptions))
    checks.set(
      "Headers",
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => decode(headers))
    )
  }
  if (query !== undefined) {
    const fromParameters = Schema.toCodecArrayFromSingle(query)
    const decode = decoderOf(fromParameters, Context.getOrUndefined(annotations, HttpApi.QueryParseOptions))
    checks.set("Query", Effect.flatMap(HttpServerRequest.ParsedSearchParams, decode))
  }
  const body = payload.get("application/json")
  if (body !== undefined) {
    const decode = decoderOf(
      Schema.Union(body.schemas),
      Context.getOrUndefined(annotations, HttpApi.PayloadParseOptions)
    )
    checks.set("Payload", Effect.flatMap(readJson(goesWithoutBody({ payload })), decode))
  }
  return checks
}
