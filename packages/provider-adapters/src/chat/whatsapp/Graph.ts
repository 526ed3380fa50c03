import {
  ChannelInDoubt,
  type ChannelRefused,
  ChannelUnreachable,
  type ProviderConnection
} from "@parley/domain/messaging"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Clock, Context, Duration, Effect, Layer, Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { parsed } from "../../json.ts"
import { answerText, wasNeverSent } from "../../outbound/answers.ts"
import { type DirectAnswer, directCall, notSent } from "../../outbound/directCall.ts"
import { type Lookup, makePublicClient } from "../../outbound/publicClient.ts"
import { defaultApiVersion, defaultArchiveUrl, defaultBaseUrl, defaultMediaHosts } from "./assumptions.ts"
import { makeCallUsage } from "./callUsage.ts"
import type { MarketingOptions } from "./outgoing.ts"
import { type Answer, refusalIn } from "./refusals.ts"

export interface WhatsAppOptions {
  /** Base URL. Default: `https://graph.facebook.com`. Tests use the address of the simulator. */
  readonly baseUrl?: string
  readonly apiVersion?: string
  /** App for signups. Without it, codes cannot be exchanged. */
  readonly app?: { readonly appId: string; readonly appSecret: Redacted.Redacted } | null
  /** Timeout of a call. Default: 20 seconds. */
  readonly timeout?: Duration.Input
  /** Timeout of an upload, and of each wait for bytes of a download. Default: one minute. */
  readonly fileTimeout?: Duration.Input
  /** Timeout of a whole download. Default: ten minutes. */
  readonly fileDeadline?: Duration.Input
  /** Hosts for file downloads over TLS, including their subdomains. */
  readonly mediaHosts?: ReadonlyArray<string>
  /** Allows files from the host and port of `baseUrl`, also over plain HTTP, if that is on this machine. For the simulator. */
  readonly loopbackMedia?: boolean
  /** Options of marketing templates of business accounts that are onboarded for marketing messages. */
  readonly marketing?: MarketingOptions
  /** Resolver of file hosts. Default: the system. */
  readonly lookup?: Lookup
}

/** Options with defaults. */
export interface WhatsAppSettings {
  readonly root: string
  /** Base URL of the calls that archive templates. It has no version. */
  readonly archiveRoot: string
  readonly app: { readonly appId: string; readonly appSecret: Redacted.Redacted } | null
  readonly timeout: Duration.Duration
  readonly fileTimeout: Duration.Duration
  readonly fileDeadline: Duration.Duration
  readonly mediaHosts: ReadonlyArray<string>
  readonly marketing: MarketingOptions
  /** Only local origin that can serve files; `null` for none. */
  readonly loopbackMedia: string | null
}

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"])

const loopbackOrigin = ({ baseUrl, loopbackMedia = false }: WhatsAppOptions): string | null => {
  if (!loopbackMedia || baseUrl === undefined || !URL.canParse(baseUrl)) return null
  const { hostname, origin, protocol } = new URL(baseUrl)
  return loopback.has(hostname) && (protocol === "http:" || protocol === "https:") ? origin : null
}

const withoutSlash = (url: string) => url.replace(/\/+$/u, "")

export const settingsOf = (options: WhatsAppOptions): WhatsAppSettings => ({
  root: `${withoutSlash(options.baseUrl ?? defaultBaseUrl)}/${options.apiVersion ?? defaultApiVersion}`,
  archiveRoot: withoutSlash(options.baseUrl ?? defaultArchiveUrl),
  app: options.app ?? null,
  timeout: Duration.fromInputUnsafe(options.timeout ?? "20 seconds"),
  fileTimeout: Duration.fromInputUnsafe(options.fileTimeout ?? "1 minute"),
  fileDeadline: Duration.fromInputUnsafe(options.fileDeadline ?? "10 minutes"),
  mediaHosts: options.mediaHosts ?? defaultMediaHosts,
  marketing: options.marketing ?? {},
  loopbackMedia: loopbackOrigin(options)
})

/** Whether a file comes from the simulator. Other local ports are not trusted. */
export const isOfSimulator = (address: string, { loopbackMedia }: WhatsAppSettings): boolean =>
  new URL(address).origin === loopbackMedia

/** Calls the API of the provider once, without retries and redirects. */
export class Graph extends Context.Service<
  Graph,
  {
    readonly settings: WhatsAppSettings
    /** Opens a file as a stream. Files outside of the simulator come from the public Internet. */
    readonly open: (
      request: HttpClientRequest.HttpClientRequest
    ) => Effect.Effect<HttpClientResponse.HttpClientResponse, ChannelUnreachable | ChannelInDoubt>
    /** Opens an address that callers wrote. It comes from the public Internet, also for the simulator. */
    readonly openPublic: (
      request: HttpClientRequest.HttpClientRequest
    ) => Effect.Effect<HttpClientResponse.HttpClientResponse, ChannelUnreachable | ChannelInDoubt>
    /** Outcome of a call with effects and a body in memory. Uncertain outcomes stay uncertain. */
    readonly act: <A>(
      request: HttpClientRequest.HttpClientRequest,
      secrets: ReadonlyArray<Redacted.Redacted>,
      read: (body: unknown) => A | null
    ) => Effect.Effect<A, ChannelRefused | ChannelUnreachable | ChannelInDoubt>
    /** Answer to a call that can be retried. Without an answer, the provider was not reached. */
    readonly ask: <A>(
      request: HttpClientRequest.HttpClientRequest,
      secrets: ReadonlyArray<Redacted.Redacted>,
      read: (body: unknown) => A | null,
      timeout?: Duration.Duration
    ) => Effect.Effect<A, ChannelRefused | ChannelUnreachable>
  }
>()("@parley/provider-adapters/chat/whatsapp/Graph") {}

/** Authorizes a request for a number. */
export const authorized = (line: ProviderConnection) => HttpClientRequest.bearerToken(line.accessToken)

const seconds = /^\d{1,6}$/u

/** Value of a header that is sent once. */
const single = (value: string | ReadonlyArray<string> | undefined) => (typeof value === "string" ? value : undefined)

const retryAfterOf = ({ headers }: Pick<DirectAnswer, "headers">) => {
  const value = single(headers["retry-after"])
  return value !== undefined && seconds.test(value) ? Number(value) * 1_000 : null
}

/** Maximum size of an answer. The longest answer of the provider, a page of templates, has some hundred kilobytes. */
const mostBytes = 8 * 1024 * 1024

const textIn = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.mapError(answerText(response, mostBytes), ({ reason }) => new ChannelInDoubt({ reason }))

// With or without a timeout, a started call may have been written.
const inTime =
  (timeout: Duration.Duration) =>
  <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.timeoutOrElse(effect, {
      duration: timeout,
      orElse: () => Effect.fail(new ChannelInDoubt({ reason: "timeout" }))
    })

// Disables spans and trace headers: spans would contain secret URLs, and headers would expose internals to the provider.
const calling = Context.make(FetchHttpClient.RequestInit, { redirect: "manual" as const }).pipe(
  Context.add(HttpClient.TracerDisabledWhen, () => true)
)

const make = (options: WhatsAppOptions) =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const publicClient = yield* makePublicClient(options.lookup)
    const settings = settingsOf(options)
    const call = directCall(yield* NodeHttpClient.makeDispatcher, mostBytes)
    const usage = makeCallUsage()
    const tokenOf = ([token]: ReadonlyArray<Redacted.Redacted>) => (token === undefined ? "" : Redacted.value(token))

    /** Slows management calls down while the provider reports a high use of their limit. Messages have their own pace. */
    const slowedDown = (request: HttpClientRequest.HttpClientRequest, secrets: ReadonlyArray<Redacted.Redacted>) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const delay = request.url.endsWith("/messages") ? 0 : usage.delay(tokenOf(secrets), now)
        return delay === 0 ? Effect.void : Effect.sleep(Duration.millis(delay))
      })

    const executed = (request: HttpClientRequest.HttpClientRequest, by = client) =>
      by.execute(request).pipe(
        Effect.mapError((error) =>
          wasNeverSent(error) ? new ChannelUnreachable() : new ChannelInDoubt({ reason: "connection_lost" })
        ),
        Effect.provideContext(calling)
      )

    const answered = (request: HttpClientRequest.HttpClientRequest) =>
      executed(request).pipe(
        Effect.flatMap((response) =>
          Effect.map(textIn(response), (text): Answer => ({
            status: response.status,
            body: parsed(text),
            retryAfterMillis: retryAfterOf(response),
            businessUsage: response.headers["x-business-use-case-usage"],
            appUsage: response.headers["x-app-usage"]
          }))
        )
      )

    /** Answer to a message. Thousands of them are sent per second. */
    const answeredDirectly = (request: HttpClientRequest.HttpClientRequest) =>
      call(request).pipe(
        Effect.map(({ headers, status, text }): Answer => ({
          status,
          body: parsed(text),
          retryAfterMillis: retryAfterOf({ headers }),
          businessUsage: single(headers["x-business-use-case-usage"]),
          appUsage: single(headers["x-app-usage"])
        })),
        Effect.mapError((error) =>
          error === notSent ? new ChannelUnreachable() : new ChannelInDoubt({ reason: error.reason })
        )
      )

    const outcomeOf = <A>(
      answered: Effect.Effect<Answer, ChannelUnreachable | ChannelInDoubt>,
      secrets: ReadonlyArray<Redacted.Redacted>,
      read: (body: unknown) => A | null,
      timeout = settings.timeout
    ): Effect.Effect<A, ChannelRefused | ChannelUnreachable | ChannelInDoubt> => {
      const noted = Effect.tap(inTime(timeout)(answered), (answer) =>
        Effect.map(Clock.currentTimeMillis, (now) => usage.record(tokenOf(secrets), answer, now))
      )
      return Effect.flatMap(noted, (answer): Effect.Effect<A, ChannelRefused | ChannelInDoubt> => {
        const refusal = refusalIn(answer, secrets)
        if (refusal !== null) return Effect.fail(refusal)
        const done = answer.status === 200 ? read(answer.body) : null
        return done === null
          ? Effect.fail(new ChannelInDoubt({ reason: answer.status >= 500 ? "server_fault" : "unreadable_answer" }))
          : Effect.succeed(done)
      })
    }

    return Graph.of({
      settings,
      open: (request) =>
        inTime(settings.timeout)(executed(request, isOfSimulator(request.url, settings) ? client : publicClient)),
      openPublic: (request) => inTime(settings.timeout)(executed(request, publicClient)),
      act: (request, secrets, read) => outcomeOf(answeredDirectly(request), secrets, read),
      ask: (request, secrets, read, timeout) =>
        Effect.andThen(
          slowedDown(request, secrets),
          Effect.catchTag(
            outcomeOf(answered(request), secrets, read, timeout),
            "ChannelInDoubt",
            () => new ChannelUnreachable()
          )
        )
    })
  })

export const layer = (options: WhatsAppOptions) => Layer.effect(Graph, make(options))
