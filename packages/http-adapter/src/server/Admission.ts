import {
  type Actor,
  CurrentActor,
  CurrentOrganization,
  OrganizationId,
  type Quota,
  toActorRef,
  type Tenancy
} from "@parley/domain/kernel"
import {
  Accounts,
  authorize,
  authorizeOperator,
  AutomationTokens,
  OperatorTokens,
  type Claims,
  resolveOnlyOrganization,
  OrganizationHeaderInvalid,
  OrganizationHeaderMissing,
  TokenSigner,
  Unauthenticated
} from "@parley/domain/platform"
import { Context, DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { AdmitsPasswordChange } from "../api/describe.ts"
import {
  AsOperator,
  Authenticated,
  DocsReader,
  InOnlyOrganization,
  InOrganization,
  Public,
  WithDocsSession
} from "../api/middleware.ts"
import { countRefusal, CurrentExchange, type Exchange } from "./Exchange.ts"
import { type QuotaState, RateLimiter } from "./RateLimiter.ts"
import { ServerConfig } from "./ServerConfig.ts"
import { addressOf, wholeAddressOf } from "./clientAddress.ts"
import { PathNotFound } from "../api/problems.ts"
import { renderProblem } from "./renderProblem.ts"

const minute = 60_000

/** Maximum requests per minute of a plugin, independent of the configuration. */
const pluginPerMinute = 600

const usualOperatorPerMinute = 600

const parseOrganizationId = Schema.decodeUnknownOption(OrganizationId)

const namedOrganization = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
  const header = request.headers["x-organization-id"]
  if (header === undefined) return Effect.succeed(null)
  return Effect.mapError(Effect.fromOption(parseOrganizationId(header)), () => new OrganizationHeaderInvalid())
})

const noteIn = (exchange: Exchange, state: QuotaState) => {
  exchange.rateLimit = {
    policy: `"default";q=${state.limit};w=60`,
    state: `"default";r=${state.remaining};t=${state.resetsInSeconds}`
  }
}

const note = (state: QuotaState) => Effect.map(CurrentExchange, (exchange) => noteIn(exchange, state))

const tighter = (one: QuotaState, other: QuotaState) => (one.remaining <= other.remaining ? one : other)

/** Middlewares of the contract that identify the caller and the organization. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { operatorApi = "off", rateLimits } = yield* ServerConfig
    const limiter = yield* RateLimiter
    const signer = yield* TokenSigner
    const tokens = yield* AutomationTokens
    const accounts = yield* Accounts
    const operatorTokens = yield* OperatorTokens

    const perToken = { limit: rateLimits.tokenPerMinute, windowMillis: minute }
    const perOrganization = { limit: rateLimits.organizationPerMinute, windowMillis: minute }
    const perPlugin = { limit: Math.min(pluginPerMinute, rateLimits.tokenPerMinute), windowMillis: minute }
    const { operatorPerMinute = usualOperatorPerMinute } = rateLimits
    const perOperator = { limit: Math.min(operatorPerMinute, rateLimits.tokenPerMinute), windowMillis: minute }
    const perAddress = { limit: rateLimits.addressPerMinute, windowMillis: minute }

    const pass = (bucket: string, quota: Quota) =>
      Effect.tapError(limiter.pass(bucket, quota), ({ retryAfterSeconds }) =>
        Effect.andThen(
          note({ limit: quota.limit, remaining: 0, resetsInSeconds: retryAfterSeconds }),
          countRefusal(bucket)
        )
      )

    const verified = <const Uses extends ReadonlyArray<Claims["use"]>>(credential: Redacted.Redacted, uses: Uses) =>
      Redacted.value(credential) === "" ? Effect.fail(new Unauthenticated()) : signer.verify(credential, uses)

    const lastTouched = new Map<string, number>()
    const touch = Effect.fnUntraced(function* (actor: Extract<Actor, { readonly kind: "token" }>, id: OrganizationId) {
      const now = yield* DateTime.now
      const millis = DateTime.toEpochMillis(now)
      if (millis - (lastTouched.get(actor.tokenId) ?? Number.NEGATIVE_INFINITY) < minute) return
      lastTouched.set(actor.tokenId, millis)
      yield* tokens
        .touch(actor.tokenId, now)
        .pipe(Effect.provideService(CurrentOrganization, { id }), Effect.provideService(CurrentActor, actor))
    })

    const admitted = Effect.fnUntraced(
      function* (
        credential: Redacted.Redacted,
        organizationId: OrganizationId | null,
        { annotations }: HttpApiEndpoint.Top
      ) {
        const claims = yield* verified(credential, ["session", "automation"])
        if (claims.use !== "session" && claims.use !== "automation") return yield* new Unauthenticated()
        const bucket = claims.use === "session" ? `session:${claims.sessionId}` : `token:${claims.tokenId}`
        const exchange = yield* CurrentExchange
        const byToken = yield* pass(bucket, perToken)
        noteIn(exchange, byToken)
        const purpose = Context.get(annotations, AdmitsPasswordChange) ? "password-change" : "anything"
        const { actor } = yield* authorize(claims, organizationId, purpose)
        // Counts all tokens of a plugin together, so a token rotation does not raise the limit.
        if (actor.kind === "plugin") noteIn(exchange, yield* pass(`plugin:${actor.pluginId}`, perPlugin))
        exchange.actor = `${actor.kind}:${toActorRef(actor).id}`
        exchange.organizationId = organizationId
        // Runs after the membership check, because a foreign caller must not use up the limit of the organization.
        if (organizationId !== null) {
          noteIn(exchange, tighter(byToken, yield* pass(`organization:${organizationId}`, perOrganization)))
        }
        return actor
      },
      Effect.provideService(Accounts, accounts)
    )

    /** Finds the actor of an operator token. Every request reads the token. */
    const admittedOperator = Effect.fnUntraced(
      function* (credential: Redacted.Redacted) {
        const claims = yield* verified(credential, ["operator"])
        if (claims.use !== "operator") return yield* new Unauthenticated()
        yield* note(yield* pass(`operator:${claims.tokenId}`, perOperator))
        const actor = yield* authorizeOperator(claims, yield* wholeAddressOf)
        const exchange = yield* CurrentExchange
        exchange.actor = `${actor.kind}:${actor.tokenId}`
        return actor
      },
      Effect.provideService(OperatorTokens, operatorTokens)
    )

    const within =
      (actor: Actor, id: OrganizationId) =>
      <A, E, R>(effect: Effect.Effect<A, E, R>) => {
        // Applies to the rest of the request, which stays inside the organization.
        const inside = Effect.withFiber<A, E, R>((fiber) => {
          fiber.setContext(
            fiber.context.pipe(Context.add(CurrentOrganization, { id }), Context.add(CurrentActor, actor))
          )
          return effect
        }) as Effect.Effect<A, E, Exclude<R, Tenancy>>
        return actor.kind === "token" ? Effect.andThen(touch(actor, id), inside) : inside
      }

    return Layer.mergeAll(
      Layer.succeed(Public, (effect) =>
        Effect.gen(function* () {
          yield* note(yield* pass(`address:${yield* addressOf}`, perAddress))
          return yield* effect
        })
      ),
      Layer.succeed(
        Authenticated,
        Authenticated.of({
          bearer: Effect.fnUntraced(function* (effect, { credential, endpoint }) {
            const actor = yield* admitted(credential, null, endpoint)
            return yield* Effect.provideService(effect, CurrentActor, actor)
          })
        })
      ),
      Layer.succeed(
        InOrganization,
        InOrganization.of({
          bearer: Effect.fnUntraced(function* (effect, { credential, endpoint }) {
            if (Redacted.value(credential) === "") return yield* new Unauthenticated()
            const id = yield* namedOrganization
            if (id === null) {
              yield* verified(credential, ["session", "automation"])
              return yield* new OrganizationHeaderMissing()
            }
            const actor = yield* admitted(credential, id, endpoint)
            return yield* within(actor, id)(effect)
          })
        })
      ),
      Layer.succeed(
        InOnlyOrganization,
        InOnlyOrganization.of({
          bearer: Effect.fnUntraced(function* (effect, { credential, endpoint }) {
            if (Redacted.value(credential) === "") return yield* new Unauthenticated()
            const named = yield* namedOrganization
            if (named !== null) return yield* within(yield* admitted(credential, named, endpoint), named)(effect)
            const caller = yield* admitted(credential, null, endpoint)
            if (caller.kind !== "user") return yield* new OrganizationHeaderMissing()
            const id = yield* Effect.provideService(resolveOnlyOrganization(caller.userId), Accounts, accounts)
            return yield* within(yield* admitted(credential, id, endpoint), id)(effect)
          })
        })
      ),
      Layer.succeed(
        AsOperator,
        AsOperator.of({
          operatorBearer: Effect.fnUntraced(function* (effect, { credential }) {
            if (operatorApi === "off") return yield* renderProblem(new PathNotFound())
            return yield* Effect.provideService(effect, CurrentActor, yield* admittedOperator(credential))
          })
        })
      ),
      Layer.succeed(
        WithDocsSession,
        WithDocsSession.of({
          docsBearer: Effect.fnUntraced(function* (effect, { credential }) {
            const claims = yield* verified(credential, ["docs"])
            if (claims.use !== "docs") return yield* new Unauthenticated()
            yield* note(yield* pass(`docs:${claims.userId}`, perToken))
            return yield* Effect.provideService(effect, DocsReader, claims)
          })
        })
      )
    )
  })
)
