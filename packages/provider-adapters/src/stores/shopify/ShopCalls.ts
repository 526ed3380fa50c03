import { type ShopAccess, StoreRefused, StoreUnreachable } from "@parley/domain/commerce"
import { Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { at, parsed } from "../../json.ts"
import { answerText } from "../../outbound/answers.ts"
import { makePublicClient } from "../../outbound/publicClient.ts"
import { makePaces, type ShopPace } from "./Pace.ts"
import { type Answer, bucketIn, costIn, type Denied, failureIn, verdictOn } from "./answers.ts"
import { rootOf, settingsOf, type ShopifyOptions, type ShopifySettings } from "./settings.ts"

/** The call requests more than the provider allows per call. */
export class TooCostly extends Schema.TaggedError<TooCostly>()("TooCostly", {}) {}

/** A GraphQL call. `name` identifies all calls with the same cost. */
export interface Query {
  readonly name: string
  readonly document: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** The data of an answer, and the fields of it that the app may not read. */
export interface Data {
  readonly data: unknown
  readonly denied: ReadonlyArray<Denied>
}

type Failure = StoreRefused | StoreUnreachable

/** Calls shops, each within its rate limit. Only throttled calls are repeated, and no redirect is followed. */
export class ShopCalls extends Context.Service<
  ShopCalls,
  {
    readonly settings: ShopifySettings
    readonly query: (access: ShopAccess, query: Query) => Effect.Effect<Data, Failure | TooCostly>
    /** Posts JSON without a token, for one. */
    readonly grant: (
      shopDomain: string,
      body: object,
      secrets: ReadonlyArray<Redacted.Redacted>
    ) => Effect.Effect<Answer, Failure>
    /** Opens a file of an export from a byte on, as it comes. */
    readonly open: (
      address: string,
      from: number,
      to: number
    ) => Effect.Effect<HttpClientResponse.HttpClientResponse, StoreUnreachable>
  }
>()("@parley/provider-adapters/stores/shopify/ShopCalls") {}

const seconds = /^\d{1,6}(?:\.\d{1,6})?$/u

const retryAfterOf = ({ headers }: HttpClientResponse.HttpClientResponse) => {
  const value = headers["retry-after"]
  return value !== undefined && seconds.test(value) ? Math.ceil(Number(value) * 1_000) : null
}

/** Maximum length of an answer. The cost limit keeps pages far shorter. */
const mostBytes = 16 * 1024 * 1024

const shortestRest = 1_000

const make = (options: ShopifyOptions) =>
  Effect.gen(function* () {
    const settings = settingsOf(options)
    const publicClient = yield* makePublicClient(options.lookup)
    const simulated = settings.baseUrl === null ? null : yield* HttpClient.HttpClient
    const origin = settings.baseUrl === null ? null : new URL(settings.baseUrl).origin
    const paces = makePaces()

    // Shops are foreign machines: all calls go to the public Internet, except to the simulator.
    const clientFor = (address: string) =>
      simulated !== null && URL.canParse(address) && new URL(address).origin === origin ? simulated : publicClient

    const isTrusted = (address: string) =>
      URL.canParse(address) && (new URL(address).protocol === "https:" || new URL(address).origin === origin)

    const executed = (request: HttpClientRequest.HttpClientRequest) =>
      clientFor(request.url)
        .execute(request)
        .pipe(
          Effect.mapError(() => new StoreUnreachable()),
          Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
          // Spans would carry headers that tell shops about us.
          Effect.provideService(HttpClient.TracerDisabledWhen, () => true)
        )

    const inTime = <A, E>(effect: Effect.Effect<A, E>) =>
      Effect.timeoutOrElse(effect, {
        duration: settings.timeout,
        orElse: () => Effect.fail(new StoreUnreachable())
      })

    const answered = (request: HttpClientRequest.HttpClientRequest): Effect.Effect<Answer, StoreUnreachable> =>
      executed(request).pipe(
        Effect.flatMap((response) =>
          Effect.map(
            Effect.mapError(answerText(response, mostBytes), () => new StoreUnreachable()),
            (text): Answer => ({
              status: response.status,
              body: parsed(text),
              retryAfterMillis: retryAfterOf(response)
            })
          )
        ),
        inTime
      )

    const tooFast = (retryAfterMillis: number) =>
      new StoreRefused({
        remedy: "slow_down",
        code: "THROTTLED",
        reason: "The store is asked for more than it gives at the moment.",
        retryAfterMillis
      })

    /** Waits until a call of this name is allowed, up to the timeout. */
    const whenAffordable = Effect.fnUntraced(function* (pace: ShopPace, cost: number) {
      const wait = yield* pace.waitFor(cost)
      if (wait > Duration.toMillis(settings.patience)) return yield* tooFast(wait)
      if (wait > 0) yield* Effect.sleep(wait)
    })

    const attempt = Effect.fnUntraced(function* (access: ShopAccess, query: Query, pace: ShopPace) {
      const request = HttpClientRequest.post(
        `${rootOf(settings, access.shopDomain)}/admin/api/${settings.apiVersion}/graphql.json`
      ).pipe(
        HttpClientRequest.setHeader("x-shopify-access-token", Redacted.value(access.accessToken)),
        HttpClientRequest.bodyJsonUnsafe({ query: query.document, variables: query.variables })
      )
      pace.spend(paces.costOf(query.name))
      const answer = yield* answered(request)
      const secrets = [access.accessToken]
      const failure = failureIn(answer, secrets)
      if (failure?._tag === "StoreRefused" && failure.remedy === "slow_down") {
        yield* pace.rest(failure.retryAfterMillis ?? shortestRest)
        return null
      }
      if (failure !== null) return yield* failure
      const bucket = bucketIn(answer.body)
      if (bucket !== null) yield* pace.learn(bucket)
      const cost = costIn(answer.body)
      if (cost !== null) paces.learnCost(query.name, cost)
      const verdict = verdictOn(answer.body, secrets)
      switch (verdict.kind) {
        case "throttled":
          return null
        case "too_costly":
          return yield* new TooCostly()
        case "failed":
          return yield* verdict.error
        case "fine": {
          const data = at(answer.body, "data")
          // An answer without data is not from the provider, unless it contains a reason.
          if (data == null && verdict.denied.length === 0) return yield* new StoreUnreachable()
          return { data, denied: verdict.denied }
        }
      }
    })

    return ShopCalls.of({
      settings,
      query: (access, query) => {
        const pace = paces.of(access.shopDomain)
        const once = Effect.andThen(
          Effect.suspend(() => whenAffordable(pace, paces.costOf(query.name))),
          attempt(access, query, pace)
        )
        const isDone = (data: Data | null): data is Data => data !== null
        // Uses the values of the shop, because other processes can also draw from the bucket.
        const stillTooFast = Effect.suspend(() =>
          Effect.flatMap(pace.restoredIn(paces.costOf(query.name)), (wait) => Effect.fail(tooFast(wait)))
        )
        return once.pipe(
          Effect.filterOrElse(isDone, () => once),
          Effect.filterOrElse(isDone, () => stillTooFast),
          pace.inTurn
        )
      },
      grant: (shopDomain, body, secrets) =>
        answered(
          HttpClientRequest.post(`${rootOf(settings, shopDomain)}/admin/oauth/access_token`).pipe(
            HttpClientRequest.acceptJson,
            HttpClientRequest.bodyJsonUnsafe(body)
          )
        ).pipe(
          Effect.flatMap((answer) => {
            const failure = failureIn(answer, secrets)
            return failure === null ? Effect.succeed(answer) : Effect.fail(failure)
          })
        ),
      open: (address, from, to) =>
        isTrusted(address)
          ? inTime(
              executed(HttpClientRequest.get(address).pipe(HttpClientRequest.setHeader("range", `bytes=${from}-${to}`)))
            )
          : Effect.fail(new StoreUnreachable())
    })
  })

export const layer = (options: ShopifyOptions) => Layer.effect(ShopCalls, make(options))
