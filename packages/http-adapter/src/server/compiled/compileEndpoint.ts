import { type Cause, Context, Effect, Predicate, Schema } from "effect"
import { HttpMethod, type HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import {
  HttpApi,
  HttpApiBuilder,
  type HttpApiEndpoint,
  HttpApiError,
  type HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSchema
} from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { answers, makeAnswerWriter, type Write } from "../answers/answerWriters.ts"
import { isProblem, renderProblem } from "../renderProblem.ts"
import { checksOf } from "../requestParts.ts"

/** Arguments of a handler, in addition to the parts of the request. */
export interface Call {
  readonly request: unknown
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
}

/** Handler, as `HttpApiBuilder.group` stores it. */
interface Handler {
  readonly handler: (call: Call) => Effect.Effect<unknown, unknown, unknown>
  /** Whether the handler reads the body. */
  readonly isRaw: boolean
  readonly uninterruptible: boolean
}

export interface HandledEndpoint extends Handler {
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
  /** Statuses of the successful answers. */
  readonly statuses: ReadonlyArray<number>
  /** Whether the contract declares this failure. */
  readonly declares: (error: unknown) => boolean
}

const isHandler = (value: unknown): value is Handler =>
  Predicate.hasProperty(value, "handler") &&
  Predicate.isFunction(value.handler) &&
  Predicate.hasProperty(value, "isRaw") &&
  Predicate.hasProperty(value, "uninterruptible")

/** Finds the handler of an endpoint. The framework stores handlers in an internal place, which can change between versions. */
const handlerOf = (context: Context.Context<never>, group: HttpApiGroup.Top, name: string): Handler | null => {
  const service: unknown = context.mapUnsafe.get(group.key)
  if (!Predicate.hasProperty(service, "handlers") || !(service.handlers instanceof Map)) return null
  const handler: unknown = service.handlers.get(name)
  return isHandler(handler) ? handler : null
}

/** Compiles the check when the endpoint fails for the first time. */
const declaring = (schemas: ReadonlyArray<Schema.Top>) => {
  let is: ((error: unknown) => boolean) | null = null
  return (error: unknown): boolean => {
    is ??= Schema.is(Schema.Union(schemas))
    return is(error)
  }
}

/** Lists the endpoints of the contract whose handlers are in the context. */
export const handledEndpoints = (context: Context.Context<never>): ReadonlyArray<HandledEndpoint> => {
  const found: Array<HandledEndpoint> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, group, successes }) => {
      const handler = handlerOf(context, group, endpoint.identifier)
      if (handler === null) return
      found.push({
        endpoint,
        group,
        handler: handler.handler,
        isRaw: handler.isRaw,
        uninterruptible: handler.uninterruptible,
        statuses: Array.from(successes.keys()),
        declares: declaring(Array.from(errors.values()).flat())
      })
    }
  })
  return found
}

type Response = HttpServerResponse.HttpServerResponse

export type Answering = Effect.Effect<Response, unknown, HttpRouter.Provided>

/** Returns the writer of the result for an endpoint with one kind of answer. */
const writerOf = ({ endpoint, statuses }: HandledEndpoint): Write | null => {
  const answer = answers.get(endpoint)
  if (answer !== undefined) return makeAnswerWriter(answer)
  const [success, ...others] = endpoint.success
  const [status] = statuses
  if (success === undefined || others.length > 0 || !HttpApiSchema.isNoContent(success.ast)) return null
  return status === undefined ? null : () => Effect.succeed(HttpServerResponse.empty({ status }))
}

/** Whether the endpoint decodes a body before its handler. */
export const readsPayload = ({ endpoint: { payload }, isRaw }: HandledEndpoint): boolean => !isRaw && payload.size > 0

const readsJsonAtMost = (handled: HandledEndpoint) => {
  const { method, payload } = handled.endpoint
  const isJson = payload.size === 1 && payload.get("application/json")?.encoding._tag === "Json"
  return !readsPayload(handled) || (isJson && HttpMethod.hasBody(method))
}

const names = { Params: "params", Headers: "headers", Query: "query", Payload: "payload" } as const

/** Decodes the parts of the request in order, calls the handler and writes its result. */
const handling = (handled: HandledEndpoint, write: Write): Answering => {
  const { endpoint, group, handler, isRaw } = handled
  const parts = Array.from(checksOf(endpoint)).filter(([part]) => !(isRaw && part === "Payload"))
  type Decoding = Effect.Effect<Call, HttpApiError.HttpApiSchemaError, HttpRouter.Provided>

  const decode = (call: Call, place: number): Decoding => {
    const next = parts[place]
    if (next === undefined) return Effect.succeed(call)
    const [part, { decode: decodePart, input }] = next
    const decoded = Effect.flatMap(input, (given) => HttpApiError.HttpApiSchemaError.wrap(part, decodePart(given)))
    return Effect.flatMap(decoded, (value) => decode({ ...call, [names[part]]: value }, place + 1))
  }

  return HttpServerRequest.HttpServerRequest.pipe(
    Effect.flatMap((request) => decode({ request, endpoint, group }, 0)),
    // The handler uses services of the server, which the types of its layer require.
    Effect.flatMap((call) => handler(call) as Effect.Effect<unknown, unknown>),
    Effect.filterOrElse(HttpServerResponse.isHttpServerResponse, write)
  )
}

type Around = (inner: Answering, options: Pick<HandledEndpoint, "endpoint" | "group">) => Answering

type AroundSecured = (inner: Answering, options: Parameters<Around>[1] & { readonly credential: unknown }) => Answering

/** Returns a middleware from the context; `null` if it accepts several credentials. */
const aroundOf = (context: Context.Context<never>, key: HttpApiMiddleware.AnyService): Around | null => {
  const service: unknown = Context.getUnsafe(context, key)
  if (!HttpApiMiddleware.isSecurity(key)) return service as Around
  const [entry, ...others] = Object.entries(key.security)
  if (entry === undefined || others.length > 0) return null
  const [name, security] = entry
  const around = (service as Readonly<Record<string, AroundSecured>>)[name]
  if (around === undefined) return null
  const credential = HttpApiBuilder.securityDecode(security)
  return (inner, options) => Effect.flatMap(credential, (given) => around(inner, { ...options, credential: given }))
}

/**
 * Compiles an endpoint: the middlewares of the contract, the decoding, the handler, and the writers of answers and failures. `null` leaves the
 * endpoint to the framework, which gives the same result.
 */
export const compileEndpoint = (context: Context.Context<never>, handled: HandledEndpoint): Answering | null => {
  const { declares, endpoint, group, uninterruptible } = handled
  const write = writerOf(handled)
  if (write === null || uninterruptible || !readsJsonAtMost(handled)) return null
  let answering = handling(handled, write)
  for (const key of endpoint.middlewares) {
    const around = aroundOf(context, key as HttpApiMiddleware.AnyService)
    if (around === null) return null
    answering = around(answering, { endpoint, group })
  }
  const failed = (cause: Cause.Cause<unknown>) =>
    Effect.failCause(cause).pipe(
      Effect.withErrorReporting,
      Effect.catch((error) => (isProblem(error) && declares(error) ? renderProblem(error) : Effect.die(error)))
    )
  return Effect.interruptible(Effect.catchCause(answering, failed))
}
