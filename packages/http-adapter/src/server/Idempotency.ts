import {
  type Actor,
  checkAccess,
  compileVisibility,
  CurrentCommitCount,
  CurrentActor,
  CurrentOrganization,
  hasPermission,
  IdempotencyAnswerWithdrawn,
  type IdempotencyKeyInProgress,
  IdempotencyKeyReused,
  IdempotencyKeys,
  type IdempotencyKeyOwner,
  type KeyClaim,
  noOrganization,
  Permission,
  permissionsOf,
  toActorRef,
  type StoredResponse,
  transact,
  UnitOfWork,
  Vault
} from "@parley/domain/kernel"
import { LoginOverloaded } from "@parley/domain/platform"
import { Context, Effect, Layer, Option, Predicate, Redacted, Schema, Semaphore } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { AsksProvider } from "../api/describe.ts"
import { Idempotent } from "../api/middleware.ts"
import { problemJson } from "../api/problem.ts"
import { IdempotencyKeyInvalid } from "../api/problems.ts"
import { isStreamed } from "./RequestFaults.ts"
import { unavailableAs } from "./StorageFaults.ts"
import { isProblem, type Problem, renderProblem } from "./renderProblem.ts"

/** Limits how many effects run concurrently and how many wait. Further callers get an error and can retry. */
export const makeTurns = ({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }) => {
  const turns = Semaphore.makeUnsafe(atOnce)
  let present = 0
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | LoginOverloaded, R> => {
      if (present >= atOnce + waiting) return Effect.fail(new LoginOverloaded({ retryAfterSeconds: 2 }))
      present += 1
      return Effect.ensuring(
        turns.withPermits(1)(effect),
        Effect.sync(() => {
          present -= 1
        })
      )
    })
}

const visibleAscii = /^[\x21-\x7e]{1,255}$/

/** Limits for requests outside of an organization: concurrent units of work, and waiting requests. */
const outside = { atOnce: 2, waiting: 64 }

/** Limits for requests that call a provider inside a unit of work: concurrent units of work, and waiting requests. */
const asking = { atOnce: 2, waiting: 64 }

const isBusy = (error: unknown): error is LoginOverloaded => error instanceof LoginOverloaded

const Answer = Schema.Struct({ status: Schema.Int, contentType: Schema.NullOr(Schema.String), body: Schema.String })
type Answer = typeof Answer.Type

/** Answer with the permissions of its caller. Earlier releases stored none. */
const StoredAnswer = Schema.Struct({ ...Answer.fields, permissions: Schema.optionalKey(Schema.Array(Schema.String)) })

const AnswerText = Schema.fromJsonString(StoredAnswer)
const packAnswer = Schema.encodeEffect(AnswerText)
const unpackAnswer = Schema.decodeUnknownEffect(AnswerText)

const decoder = new TextDecoder()

const answerOf = (response: HttpServerResponse.HttpServerResponse): Answer | null => {
  const { body, status } = response
  if (body._tag === "Empty") return { status, contentType: null, body: "" }
  if (body._tag === "Uint8Array") return { status, contentType: body.contentType, body: decoder.decode(body.body) }
  return null
}

const responseOf = ({ body, contentType, status }: Answer) =>
  contentType === null ? HttpServerResponse.empty({ status }) : HttpServerResponse.text(body, { status, contentType })

/** Whether the answer is stored. Temporary errors and requests that reached no use case are not, so a fixed request can use the key again. */
const isAnswer = ({ headers, status }: HttpServerResponse.HttpServerResponse) =>
  status < 400 || (status !== 429 && status !== 503 && headers["content-type"] === problemJson)

/** Whether a refusal tells the client to repeat the request later. */
const isTemporary = (problem: Problem) => Predicate.hasProperty(problem, "retryAfterSeconds")

/** Renders the problem of a refused request, and decides whether the answer is stored. */
const settled = <E, R>(effect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  effect.pipe(
    Effect.map((response) => ({ response, isKept: isAnswer(response) })),
    Effect.catch((error) =>
      isProblem(error)
        ? Effect.map(renderProblem(error), (response) => ({
            response,
            isKept: isAnswer(response) && !isTemporary(error)
          }))
        : Effect.fail(error)
    )
  )

const findActor = Effect.map(Effect.context(), (context) => Context.getOrUndefined(context, CurrentActor) ?? null)

/** Permissions that the caller of the first request had and the current caller lacks. */
const findMissing = (permissions: ReadonlyArray<string>, actor: Actor | null): ReadonlyArray<Permission> =>
  Permission.literals.filter(
    (permission) => permissions.includes(permission) && (actor === null || !hasPermission(actor, permission))
  )

/** Finds out once for each endpoint whether its answers may contain data of contacts. The contract annotates such fields. */
const makeShowsContactData = () => {
  const known = new Map<HttpApiEndpoint.Top, boolean>()
  return (endpoint: HttpApiEndpoint.Top): boolean => {
    const before = known.get(endpoint)
    if (before !== undefined) return before
    const shows = Array.from(endpoint.success).some((schema) => compileVisibility(schema).permissions.length > 0)
    known.set(endpoint, shows)
    return shows
  }
}

const sealContext = (owner: IdempotencyKeyOwner) => `idempotency:${owner.organizationId}:${owner.actor}:${owner.key}`

/** Owner of a key. For callers without a token, the fingerprint of the request is part of the owner, so unrelated callers never share a key. */
const ownerOf = Effect.fnUntraced(function* (key: string, fingerprint: string) {
  const actor = yield* findActor
  const organization = yield* Effect.map(Effect.context(), (context) => Context.getOption(context, CurrentOrganization))
  return {
    organizationId: Option.isSome(organization) ? organization.value.id : noOrganization,
    actor: actor === null ? `anonymous:${fingerprint}` : `${actor.kind}:${toActorRef(actor).id}`,
    key
  }
})

/** Request that takes effect once. */
export interface AskedOnce {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly endpoint: HttpApiEndpoint.Top
  /** Request body or its digest. */
  readonly body: string
}

/** Deduplicates requests by idempotency key. */
export class Repetition extends Context.Service<
  Repetition,
  {
    /** `effect` calls a use case before it changes anything. */
    readonly once: <E, R>(
      asked: AskedOnce,
      effect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
    ) => Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      E | IdempotencyKeyInvalid | IdempotencyKeyReused | IdempotencyKeyInProgress | IdempotencyAnswerWithdrawn,
      R
    >
  }
>()("@parley/http-adapter/Repetition") {}

/**
 * Stores answers and replays them. The unit of work of the effect stores the answer, so both commit or neither does. A duplicate on another process
 * does not wait: it gets the error that the first request is in progress.
 */
export const layerRepetition = Layer.effect(
  Repetition,
  Effect.gen(function* () {
    const keys = yield* IdempotencyKeys
    const vault = yield* Vault
    const unitOfWork = yield* UnitOfWork
    const inTurn = makeTurns(outside)
    const showsContactData = makeShowsContactData()

    const open = Effect.fnUntraced(
      function* (owner: IdempotencyKeyOwner, sealedAnswer: string) {
        const text = yield* vault.open(sealContext(owner), sealedAnswer)
        return yield* unpackAnswer(Redacted.value(text))
      },
      Effect.catchTag("SchemaError", Effect.die)
    )

    const keep = Effect.fnUntraced(
      function* (
        owner: IdempotencyKeyOwner,
        claim: KeyClaim,
        fingerprint: string,
        endpoint: HttpApiEndpoint.Top,
        response: HttpServerResponse.HttpServerResponse
      ) {
        const answer = answerOf(response)
        if (answer === null)
          return yield* Effect.die(new Error("A streamed answer cannot be stored for a repeated call"))
        const actor = yield* findActor
        const permissions = actor === null ? [] : Array.from(permissionsOf(actor))
        const packed = yield* packAnswer({ ...answer, permissions })
        const sealedAnswer = yield* vault.seal(sealContext(owner), Redacted.make(packed))
        yield* keys.store(owner, claim, { fingerprint, sealedAnswer, mayHoldContactData: showsContactData(endpoint) })
      },
      Effect.catchTag("SchemaError", Effect.die)
    )

    /** Returns the stored answer if the caller could get it now. */
    const replay = Effect.fnUntraced(function* <E, R>(
      owner: IdempotencyKeyOwner,
      sealedAnswer: string | null,
      effect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
    ) {
      if (sealedAnswer === null) return yield* new IdempotencyAnswerWithdrawn({ reason: "contact_erased", missing: [] })
      const { permissions = [], ...answer } = yield* open(owner, sealedAnswer)
      // A refusal answered the first call too. Its repetition shows nothing new.
      if (answer.status < 400) yield* checkAccess(effect)
      const missing = findMissing(permissions, yield* findActor)
      if (missing.length > 0) return yield* new IdempotencyAnswerWithdrawn({ reason: "permission_lost", missing })
      return HttpServerResponse.setHeader(responseOf(answer), "idempotency-replayed", "true")
    })

    return Repetition.of({
      once: <E, R>(
        { body, endpoint, request }: AskedOnce,
        effect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
      ) =>
        Effect.gen(function* () {
          const key = request.headers["idempotency-key"]
          if (key === undefined) return yield* effect
          if (!visibleAscii.test(key)) return yield* new IdempotencyKeyInvalid()
          const fingerprint = yield* vault.fingerprint("idempotency", `${request.method} ${request.url}\n${body}`)
          const owner = yield* ownerOf(key, fingerprint)
          const answered = (stored: StoredResponse) =>
            stored.fingerprint === fingerprint
              ? replay(owner, stored.sealedAnswer, effect)
              : Effect.fail(new IdempotencyKeyReused())
          const once = transact(
            Effect.gen(function* () {
              const claim = yield* keys.claim(owner)
              if (claim.stored !== null) return yield* answered(claim.stored)
              const { isKept, response } = yield* settled(effect)
              if (isKept) yield* keep(owner, claim, fingerprint, endpoint, response)
              return response
            })
          ).pipe(Effect.provideService(UnitOfWork, unitOfWork))
          if (owner.organizationId !== noOrganization) return yield* once
          // Password checks are slow here. A flood of them must not use every connection for units of work.
          const { stored } = yield* transact(keys.claim(owner)).pipe(
            Effect.provideService(UnitOfWork, unitOfWork),
            // The read changes no data.
            Effect.provideService(CurrentCommitCount, { count: 0 })
          )
          if (stored !== null) return yield* answered(stored)
          return yield* Effect.catchIf(inTurn(once), isBusy, (busy: LoginOverloaded) => renderProblem(busy))
        })
    })
  })
)

/** Middleware that replays answers. It cannot read streamed bodies: their handlers deduplicate. */
export const layer = Layer.effect(
  Idempotent,
  Effect.map(Repetition, (repetition) => {
    const inTurn = makeTurns(asking)
    return Idempotent.of((effect, { endpoint }) =>
      isStreamed(endpoint)
        ? effect
        : Effect.gen(function* () {
            const request = yield* HttpServerRequest.HttpServerRequest
            if (request.headers["idempotency-key"] === undefined) return yield* effect
            const body = yield* Effect.catchTag(request.text, "HttpServerError", Effect.die)
            const once = repetition.once({ request, endpoint, body }, effect)
            // A provider can be slow. Requests that wait for it must not use every connection for units of work.
            return yield* Context.get(endpoint.annotations, AsksProvider)
              ? Effect.catchIf(inTurn(once), isBusy, () => renderProblem(unavailableAs("not_made")))
              : once
          })
    )
  })
).pipe(Layer.provide(layerRepetition))
