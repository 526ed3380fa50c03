import { createParley, ParleyProblem, type Session } from "@parley/client"
import { Data, Duration, Effect, Redacted, Schema, SchemaAST, Stream } from "effect"
import { FetchHttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import { reflectApi, type Reflected } from "../../src/api/describe.ts"
import { problems } from "../../src/api/problems.ts"
import { ChosenHeaders, ChosenKey, ChosenMediaType, ChosenOrganization } from "../../src/client/CurrentCall.ts"
import type { ParleyClient } from "../../src/client/index.ts"

type Codec = Schema.Codec<unknown, unknown>

class Thrown extends Data.TaggedError("Thrown")<{ readonly cause: unknown }> {}

type Methods = Readonly<Record<string, Readonly<Record<string, (...args: ReadonlyArray<object>) => Promise<unknown>>>>>

interface Parts {
  readonly params?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly payload?: unknown
}

const isFile = (schema: object) => Reflect.get(schema, "_tag") === "StreamUint8Array"

const jsonOf = (schema: Schema.Top | undefined, value: unknown): Effect.Effect<object> =>
  schema === undefined || value === undefined
    ? Effect.succeed({})
    : Effect.map(
        Effect.orDie(Schema.encodeUnknownEffect(Schema.toCodecJson(Schema.toType(schema)) as Codec)(value)),
        Object
      )

/** The input that the light client has for parts of a request in values of the domain. */
const inputOf = Effect.fnUntraced(function* (
  { headers, params, payload, query }: Parts,
  endpoint: HttpApiEndpoint.Top
) {
  const { "content-type": contentType, "if-match": ifMatch } = Object(headers)
  const { expand, ...fields } = Object(yield* jsonOf(endpoint.query, query))
  const [schema] = Array.from(endpoint.payload.values()).flatMap(({ schemas }) => schemas)
  const isUpload = schema !== undefined && isFile(schema)
  const type = (yield* ChosenMediaType) ?? contentType
  const body = isUpload
    ? { body: yield* bytesOf(payload as Stream.Stream<Uint8Array>) }
    : schema === undefined || payload === undefined
      ? {}
      : Object(yield* Effect.orDie(Schema.encodeUnknownEffect(schema as Codec)(payload)))
  return {
    ...(yield* jsonOf(endpoint.params, params)),
    ...fields,
    ...(expand !== undefined && { expand: expand.join(",") }),
    ...(ifMatch !== undefined && { ifMatch }),
    ...(type !== undefined && { contentType: type }),
    ...body
  }
})

const bytesOf = (stream: Stream.Stream<Uint8Array>) =>
  Effect.map(Stream.runCollect(stream), (pieces) => new Uint8Array(Buffer.concat(pieces)))

const readProblem = Schema.decodeUnknownEffect(Schema.Union(Object.values(problems) as unknown as ReadonlyArray<Codec>))

/** The error of the domain, as the Effect client reads it from the same answer. */
const errorOf = (problem: unknown): Effect.Effect<never, unknown> => {
  if (!(problem instanceof ParleyProblem)) return Effect.die(problem)
  const request = HttpClientRequest.get("/")
  if (problem.status === 0) {
    return Effect.fail(
      new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause: problem }) })
    )
  }
  const { errors, name: _, retryAfter: __, cause: ___, ...document } = Object.assign({}, problem)
  const body = { ...document, ...(problem.code === "validation_failed" && { errors }) }
  return Effect.flatMap(Effect.orDie(readProblem(body)), Effect.fail)
}

const answerOf = (data: unknown, { endpoint }: Reflected): Effect.Effect<unknown> => {
  if (data instanceof Response && data.body !== null) {
    const { body } = data
    return Effect.succeed(Stream.fromReadableStream({ evaluate: () => body, onError: (cause) => cause }))
  }
  const schemas = Array.from(endpoint.success).filter(({ ast }) => !SchemaAST.isVoid(ast))
  return schemas.length === 0
    ? Effect.succeed(data)
    : Effect.orDie(Schema.decodeUnknownEffect(Schema.Union(schemas as unknown as ReadonlyArray<Codec>))(data))
}

const secret = (value: ParleyClient.Secret) => (typeof value === "string" ? value : Redacted.value(value))

const plain = ({ accessToken, refreshToken }: ParleyClient.TokenPair) => ({
  accessToken: Redacted.value(accessToken),
  refreshToken: Redacted.value(refreshToken)
})

const millis = (input: Duration.Input) => Duration.toMillis(Duration.fromInputUnsafe(input))

const retryOf = ({ firstWait, longestWait, times }: Partial<ParleyClient.RetryPolicy>) => ({
  ...(times !== undefined && { times }),
  ...(firstWait !== undefined && { firstWait: millis(firstWait) }),
  ...(longestWait !== undefined && { longestWait: millis(longestWait) })
})

/** A light client whose requests take the wire of the test and whose waits take its time. */
const lightClient = Effect.fnUntraced(function* (options: ParleyClient.ClientOptions) {
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const { onTokens, organizationId, refreshToken, retry = {}, sharedTokens, token } = options
  const session: Session | null =
    token === undefined || refreshToken === undefined
      ? null
      : {
          accessToken: secret(token),
          refreshToken: secret(refreshToken),
          save: ({ accessToken, refreshToken }) =>
            run(
              onTokens?.({ accessToken: Redacted.make(accessToken), refreshToken: Redacted.make(refreshToken) }) ??
                Effect.void
            ),
          ...(sharedTokens !== undefined && {
            load: async () => {
              const shared = await run(sharedTokens)
              return shared === null ? null : plain(shared)
            }
          })
        }
  return createParley({
    baseUrl: options.baseUrl,
    fetch: yield* FetchHttpClient.Fetch,
    sleep: (milliseconds, signal) => run(Effect.sleep(milliseconds), { signal }).catch(() => {}),
    retry: retryOf(retry),
    ...(retry.attemptTimeout !== undefined && { timeout: millis(retry.attemptTimeout) }),
    ...(organizationId !== undefined && { organizationId }),
    ...(session === null ? token !== undefined && { token: secret(token) } : { session })
  })
})

/** The light client with the methods of the Effect client: values and errors of the domain are read from its JSON. */
export const make = Effect.fnUntraced(function* (options: ParleyClient.ClientOptions) {
  const methods = (yield* lightClient(options)).throwing() as unknown as Methods
  const areas: Record<string, Record<string, (parts?: Parts) => Effect.Effect<unknown, unknown>>> = {}
  for (const reflected of reflectApi(Api)) {
    const { endpoint, group } = reflected
    const method = methods[group]?.[endpoint.identifier]
    if (method === undefined) continue
    const call = Effect.fnUntraced(function* (parts: Parts = {}) {
      const input = yield* inputOf(parts, endpoint)
      const [organizationId, idempotencyKey] = [yield* ChosenOrganization, yield* ChosenKey]
      const settings = {
        headers: yield* ChosenHeaders,
        ...(organizationId !== null && { organizationId }),
        ...(idempotencyKey !== null && { idempotencyKey })
      }
      const data = yield* Effect.tryPromise({
        try: (signal) => method(input, { ...settings, signal }),
        catch: (cause) => new Thrown({ cause })
      }).pipe(Effect.catch(({ cause }) => errorOf(cause)))
      return yield* answerOf(data, reflected)
    })
    areas[group] = { ...areas[group], [endpoint.identifier]: call }
  }
  return areas as unknown as ParleyClient.Client
}) as typeof ParleyClient.make

/** Logs in with a light client. */
export const login: typeof ParleyClient.login = Effect.fnUntraced(function* ({ email, password, ...options }) {
  const anybody = yield* make(options)
  const { accessToken, deviceToken, organizations, refreshToken, user } = yield* anybody.sessions.login({
    payload: { email, password: Redacted.make(secret(password)) }
  })
  if (options.onTokens !== undefined) yield* options.onTokens({ accessToken, refreshToken })
  const [only] = organizations
  const organization = only === undefined ? {} : { organizationId: only.id }
  const client = yield* make({ ...organization, ...options, token: accessToken, refreshToken })
  return { client, deviceToken, organizations, user }
})
