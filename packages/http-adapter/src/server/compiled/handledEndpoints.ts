import { type Context, type Effect, Predicate, Schema } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "../../api/Api.ts"

/** What a handler is called with, beside the parts of the request. */
export interface Call {
  readonly request: unknown
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
}

/** A handler as `HttpApiBuilder.group` keeps it. */
interface Handler {
  readonly handler: (call: Call) => Effect.Effect<unknown, unknown, unknown>
  /** It reads the body by itself. */
  readonly isRaw: boolean
  readonly uninterruptible: boolean
}

/** An endpoint of the contract, with its handler. */
export interface HandledEndpoint extends Handler {
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
  /** The statuses of its successes. */
  readonly statuses: ReadonlyArray<number>
  /** Whether the contract says that it may fail so. */
  readonly declares: (error: unknown) => boolean
}

const isHandler = (value: unknown): value is Handler =>
  Predicate.hasProperty(value, "handler") &&
  Predicate.isFunction(value.handler) &&
  Predicate.hasProperty(value, "isRaw") &&
  Predicate.hasProperty(value, "uninterruptible")

/** Where the framework keeps the handlers of a group is its own affair: another version may keep them elsewhere. */
const handlerOf = (context: Context.Context<never>, group: HttpApiGroup.Top, name: string): Handler | null => {
  const service: unknown = context.mapUnsafe.get(group.key)
  if (!Predicate.hasProperty(service, "handlers") || !(service.handlers instanceof Map)) return null
  const handler: unknown = service.handlers.get(name)
  return isHandler(handler) ? handler : null
}

/** Compiled when the endpoint fails for the first time. */
const declaring = (schemas: ReadonlyArray<Schema.Top>) => {
  let is: ((error: unknown) => boolean) | null = null
  return (error: unknown): boolean => {
    is ??= Schema.is(Schema.Union(schemas))
    return is(error)
  }
}

/** Every endpoint of the contract whose handler is in the context. */
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
