import { Effect, Option, Predicate, Redacted, Stream } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import type { Client } from "./Client.ts"
import { callable, ChosenKey, ChosenMediaType, ChosenOrganization } from "./CurrentCall.ts"
import { makePromiseClient, type PromiseClient } from "./PromiseClient.ts"
import { makeSession, refreshSession, type TokenPair } from "./Session.ts"
import { eventFeed } from "./eventFeed.ts"
import { defaultRetryPolicy, type RetryPolicy, transport } from "./transport.ts"

/** Start of a page: none for the first page, else the cursor of the previous page. */
export interface From {
  readonly cursor?: string
}

/** A page of a list. */
export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly nextCursor: string | null
}

/**
 * Every page of a list, one after the other, as they are asked for.
 *
 * The feed of events always has a next cursor; there it ends when nothing more has happened yet.
 */
export const pages = <A, E, R>(
  read: (from: From) => Effect.Effect<Page<A>, E, R>
): Stream.Stream<ReadonlyArray<A>, E, R> =>
  Stream.paginate<From, ReadonlyArray<A>, E, R>({}, (from) =>
    Effect.map(read(from), ({ data, nextCursor }) => [
      [data],
      nextCursor === null || data.length === 0 ? Option.none<From>() : Option.some<From>({ cursor: nextCursor })
    ])
  )

/** Every row of a list, page by page: `all((from) => client.members.list({ query: from }))`. */
export const all = <A, E, R>(read: (from: From) => Effect.Effect<Page<A>, E, R>): Stream.Stream<A, E, R> =>
  Stream.flattenIterable(pages(read))

export {
  type CallFailure,
  type Client,
  type EdgeFailure,
  type Follow,
  type FollowFailure,
  type FollowFrom,
  type SessionFailure
} from "./Client.ts"

export { type CallOptions, type FileBytes, type FollowedEvent, type PromiseClient } from "./PromiseClient.ts"

export { defaultRetryPolicy, type RetryPolicy } from "./transport.ts"

export { type TokenPair } from "./Session.ts"

/** A secret, or the text of one. */
export type Secret = string | Redacted.Redacted

/** Options of a client. */
export interface ClientOptions {
  /** URL of the service, without `/api/v1`. */
  readonly baseUrl: string | URL
  /** An access token or an automation token. Without one, only public calls succeed. */
  readonly token?: Secret
  /** With it, an access token that has expired is renewed, once for all calls at a time. */
  readonly refreshToken?: Secret
  /** Stores every new pair of tokens before the call continues: the old refresh token is used up. */
  readonly onTokens?: (tokens: TokenPair) => Effect.Effect<void>
  /**
   * Reads the token pair that several processes of one session share and that `onTokens` stores. It is called before a refresh, and again after
   * another process has refreshed, so that one of many processes refreshes the session.
   */
  readonly sharedTokens?: Effect.Effect<TokenPair | null>
  /** The organization that calls act in. */
  readonly organizationId?: string
  readonly retry?: Partial<RetryPolicy>
  /** Whether requests carry the headers that join traces. Browsers refuse them unless the service allows them. */
  readonly propagatesTraces?: boolean
}

/** Acts in another organization than the client's own, with the same session. */
export const inOrganization = (organizationId: string) => Effect.provideService(ChosenOrganization, organizationId)

/** Repeats an earlier call with its key. Every other call gets a new key. */
export const withIdempotencyKey = (key: string) => Effect.provideService(ChosenKey, key)

/** Sends a file as this media type, where the endpoint reads several. */
export const sendingAs = (mediaType: string) => Effect.provideService(ChosenMediaType, mediaType)

const secretOf = (secret: Secret) => (Predicate.isString(secret) ? Redacted.make(secret) : secret)

/** A typed client of the whole contract. It needs an `HttpClient`: `FetchHttpClient.layer` does, in Node and in browsers. */
export const make = Effect.fnUntraced(function* (
  options: ClientOptions
): Effect.fn.Return<Client, never, HttpClient.HttpClient> {
  const settings = {
    baseUrl: options.baseUrl,
    organizationId: options.organizationId ?? null,
    policy: { ...defaultRetryPolicy, ...options.retry },
    propagatesTraces: options.propagatesTraces ?? false
  }
  const http = yield* HttpClient.HttpClient
  const refresh = yield* refreshSession(transport<never>(http, settings, null))
  const session =
    options.token === undefined
      ? null
      : makeSession({
          accessToken: secretOf(options.token),
          refreshToken: options.refreshToken === undefined ? null : secretOf(options.refreshToken),
          refresh,
          onTokens: options.onTokens ?? (() => Effect.void),
          sharedTokens: options.sharedTokens ?? null
        })
  const httpClient = transport(http, settings, session)
  return callable(httpClient, eventFeed(httpClient))
})

/** Credentials of a login. Without an organization, a person with only one organization acts in it. */
export interface LoginOptions extends Omit<ClientOptions, "token" | "refreshToken"> {
  readonly email: string
  readonly password: Secret
  /** Device token of an earlier login; `login` returns the token for the next one. */
  readonly deviceToken?: Secret | undefined
}

/** Logs in, and gives a client that stays logged in. */
export const login = Effect.fnUntraced(function* ({ deviceToken: kept, email, password, ...options }: LoginOptions) {
  const anybody = yield* make(options)
  const answer = yield* anybody.sessions.login({
    payload: {
      email: email.trim().toLowerCase(),
      password: secretOf(password),
      ...(kept !== undefined && { deviceToken: secretOf(kept) })
    }
  })
  const { accessToken, deviceToken, organizations, refreshToken, user } = answer
  if (options.onTokens !== undefined) yield* options.onTokens({ accessToken, refreshToken })
  const [only, another] = organizations
  const organizationId = options.organizationId ?? (another === undefined ? only?.id : undefined)
  const client = yield* make({
    ...options,
    token: accessToken,
    refreshToken,
    ...(organizationId !== undefined && { organizationId })
  })
  return { client, deviceToken, user, organizations }
})

/** Options of a promise client. */
export interface PromiseClientOptions extends Omit<ClientOptions, "onTokens" | "sharedTokens"> {
  readonly onTokens?: (tokens: { readonly accessToken: string; readonly refreshToken: string }) => void | Promise<void>
}

/** The client for code without Effect: promises and plain JSON, over `fetch`. A failed call rejects with the domain error. */
export const promise = ({ onTokens, ...options }: PromiseClientOptions): PromiseClient =>
  make({
    ...options,
    ...(onTokens !== undefined && {
      onTokens: ({ accessToken, refreshToken }) =>
        Effect.promise(async () =>
          onTokens({ accessToken: Redacted.value(accessToken), refreshToken: Redacted.value(refreshToken) })
        )
    })
  }).pipe(Effect.map(makePromiseClient), Effect.provide(FetchHttpClient.layer), Effect.runSync)

/** Every row of a list, for `for await`: `each((from) => parley.members.list({ query: from }))`. */
export const each = <A>(read: (from: From) => Promise<Page<A>>): AsyncIterable<A> =>
  Stream.toAsyncIterable(all((from) => Effect.promise(() => read(from))))
