import { ChannelInDoubt, type ChannelRefused, ChannelUnreachable, type ProviderConnection } from "@parley/domain"
import { Context, Duration, Effect, Layer, type Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { parsed } from "../../json.ts"
import { answerText, wasNeverSent } from "../../outbound/answers.ts"
import { type Lookup, makePublicClient } from "../../outbound/publicClient.ts"
import { defaultApiVersion, defaultBaseUrl, defaultMediaHosts } from "./assumptions.ts"
import { type Answer, refusalIn } from "./refusals.ts"

/** What the adapter is told. */
export interface WhatsAppOptions {
  /** `https://graph.facebook.com` unless it is said; the simulator's address otherwise. */
  readonly baseUrl?: string
  readonly apiVersion?: string
  /** The app that signups go through; without it no code can be exchanged. */
  readonly app?: { readonly appId: string; readonly appSecret: Redacted.Redacted } | null
  /** How long a call may take: 20 seconds unless it is said. */
  readonly timeout?: Duration.Input
  /** How long a file may take to go up, or to send its next bytes when it comes down: a minute unless it is said. */
  readonly fileTimeout?: Duration.Input
  /** How long a file may take to come down altogether: ten minutes unless it is said. */
  readonly fileDeadline?: Duration.Input
  /** Files are fetched from these hosts and from those below them, over TLS. */
  readonly mediaHosts?: ReadonlyArray<string>
  /** Files may come from where `baseUrl` is, host and port, also in plain HTTP, if that is on this machine: for the simulator. */
  readonly loopbackMedia?: boolean
  /** Says which addresses the hosts of files have: the system, unless it is said. */
  readonly lookup?: Lookup
}

/** The options, with what was not said. */
export interface WhatsAppSettings {
  readonly root: string
  readonly app: { readonly appId: string; readonly appSecret: Redacted.Redacted } | null
  readonly timeout: Duration.Duration
  readonly fileTimeout: Duration.Duration
  readonly fileDeadline: Duration.Duration
  readonly mediaHosts: ReadonlyArray<string>
  /** The one origin of this machine that files may come from; `null` if there is none. */
  readonly loopbackMedia: string | null
}

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"])

const loopbackOrigin = ({ baseUrl, loopbackMedia = false }: WhatsAppOptions): string | null => {
  if (!loopbackMedia || baseUrl === undefined || !URL.canParse(baseUrl)) return null
  const { hostname, origin, protocol } = new URL(baseUrl)
  return loopback.has(hostname) && (protocol === "http:" || protocol === "https:") ? origin : null
}

export const settingsOf = (options: WhatsAppOptions): WhatsAppSettings => ({
  root: `${(options.baseUrl ?? defaultBaseUrl).replace(/\/+$/u, "")}/${options.apiVersion ?? defaultApiVersion}`,
  app: options.app ?? null,
  timeout: Duration.fromInputUnsafe(options.timeout ?? "20 seconds"),
  fileTimeout: Duration.fromInputUnsafe(options.fileTimeout ?? "1 minute"),
  fileDeadline: Duration.fromInputUnsafe(options.fileDeadline ?? "10 minutes"),
  mediaHosts: options.mediaHosts ?? defaultMediaHosts,
  loopbackMedia: loopbackOrigin(options)
})

/** Whether a file comes from the simulator. Any other port of this machine may be anybody's. */
export const isOfSimulator = (address: string, { loopbackMedia }: WhatsAppSettings): boolean =>
  new URL(address).origin === loopbackMedia

/** Calls the provider's API once: no call is repeated, and no redirect followed. */
export class Graph extends Context.Service<
  Graph,
  {
    readonly settings: WhatsAppSettings
    /** The response to a request for a file, as it comes. Where it is not of the simulator, it comes from the public Internet. */
    readonly open: (
      request: HttpClientRequest.HttpClientRequest
    ) => Effect.Effect<HttpClientResponse.HttpClientResponse, ChannelUnreachable | ChannelInDoubt>
    /** What became of a call that does something: nothing is taken for granted. */
    readonly act: <A>(
      request: HttpClientRequest.HttpClientRequest,
      secrets: ReadonlyArray<Redacted.Redacted>,
      read: (body: unknown) => A | null
    ) => Effect.Effect<A, ChannelRefused | ChannelUnreachable | ChannelInDoubt>
    /** The answer to a call that may be made again: without one, the provider was not reached. */
    readonly ask: <A>(
      request: HttpClientRequest.HttpClientRequest,
      secrets: ReadonlyArray<Redacted.Redacted>,
      read: (body: unknown) => A | null,
      timeout?: Duration.Duration
    ) => Effect.Effect<A, ChannelRefused | ChannelUnreachable>
  }
>()("@parley/provider-adapters/chat/whatsapp/Graph") {}

/** A request in the name of a number. */
export const authorized = (line: ProviderConnection) => HttpClientRequest.bearerToken(line.accessToken)

const seconds = /^\d{1,6}$/u

const retryAfterOf = ({ headers }: HttpClientResponse.HttpClientResponse) => {
  const value = headers["retry-after"]
  return value !== undefined && seconds.test(value) ? Number(value) * 1_000 : null
}

/** The longest answer that is read: the longest of the provider's, a page of templates, has some hundred kilobytes. */
const mostBytes = 8 * 1024 * 1024

const textIn = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.mapError(answerText(response, mostBytes), ({ reason }) => new ChannelInDoubt({ reason }))

// Interrupted by the time limit or not: a call that has begun may have been written.
const inTime =
  (timeout: Duration.Duration) =>
  <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.timeoutOrElse(effect, {
      duration: timeout,
      orElse: () => Effect.fail(new ChannelInDoubt({ reason: "timeout" }))
    })

// Spans would carry addresses that are secrets in themselves, and headers that tell the provider about us.
const calling = Context.make(FetchHttpClient.RequestInit, { redirect: "manual" as const }).pipe(
  Context.add(HttpClient.TracerDisabledWhen, () => true)
)

const make = (options: WhatsAppOptions) =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const publicClient = yield* makePublicClient(options.lookup)
    const settings = settingsOf(options)

    const executed = (request: HttpClientRequest.HttpClientRequest, by = client) =>
      by.execute(request).pipe(
        Effect.mapError((error) =>
          wasNeverSent(error) ? new ChannelUnreachable() : new ChannelInDoubt({ reason: "connection_lost" })
        ),
        Effect.provideContext(calling)
      )

    const answered = (request: HttpClientRequest.HttpClientRequest, timeout: Duration.Duration) =>
      executed(request).pipe(
        Effect.flatMap((response) =>
          Effect.map(textIn(response), (text): Answer => ({
            status: response.status,
            body: parsed(text),
            retryAfterMillis: retryAfterOf(response)
          }))
        ),
        inTime(timeout)
      )

    const act = <A>(
      request: HttpClientRequest.HttpClientRequest,
      secrets: ReadonlyArray<Redacted.Redacted>,
      read: (body: unknown) => A | null,
      timeout = settings.timeout
    ): Effect.Effect<A, ChannelRefused | ChannelUnreachable | ChannelInDoubt> =>
      Effect.flatMap(answered(request, timeout), (answer): Effect.Effect<A, ChannelRefused | ChannelInDoubt> => {
        const refusal = refusalIn(answer, secrets)
        if (refusal !== null) return Effect.fail(refusal)
        const done = answer.status === 200 ? read(answer.body) : null
        return done === null
          ? Effect.fail(new ChannelInDoubt({ reason: answer.status >= 500 ? "server_fault" : "unreadable_answer" }))
          : Effect.succeed(done)
      })

    return Graph.of({
      settings,
      open: (request) =>
        inTime(settings.timeout)(executed(request, isOfSimulator(request.url, settings) ? client : publicClient)),
      act,
      ask: (request, secrets, read, timeout) =>
        Effect.catchTag(act(request, secrets, read, timeout), "ChannelInDoubt", () => new ChannelUnreachable())
    })
  })

export const layer = (options: WhatsAppOptions) => Layer.effect(Graph, make(options))
