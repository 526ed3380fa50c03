import {
  CurrentCommitCount,
  CurrentActor,
  CurrentOrganization,
  type IdempotencyKeyInProgress,
  IdempotencyKeyReused,
  IdempotencyKeys,
  type IdempotencyKeyOwner,
  LoginOverloaded,
  noOrganization,
  toActorRef,
  type StoredResponse,
  transact,
  UnitOfWork,
  Vault
} from "@parley/domain"
import { Context, Effect, Layer, Option, Predicate, Redacted, Schema, Semaphore } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
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
const AnswerText = Schema.fromJsonString(Answer)
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

const sealContext = (owner: IdempotencyKeyOwner) => `idempotency:${owner.organizationId}:${owner.actor}:${owner.key}`

/** Owner of a key. For callers without a token, the fingerprint of the request is part of the owner, so unrelated callers never share a key. */
const ownerOf = Effect.fnUntraced(function* (key: string, fingerprint: string) {
  const context = yield* Effect.context()
  const actor = Context.getOption(context, CurrentActor)
  const organization = Context.getOption(context, CurrentOrganization)
  return {
    organizationId: Option.isSome(organization) ? organization.value.id : noOrganization,
    actor: Option.isSome(actor) ? `${actor.value.kind}:${toActorRef(actor.value).id}` : `anonymous:${fingerprint}`,
    key
  }
})

/** Deduplicates requests by idempotency key. */
export class Repetition extends Context.Service<
  Repetition,
  {
    /** `body` is the request body or its digest. */
    readonly once: <E, R>(
      request: HttpServerRequest.HttpServerRequest,
      body: string,
      effect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
    ) => Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      E | IdempotencyKeyInvalid | IdempotencyKeyReused | IdempotencyKeyInProgress,
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

    const replay = Effect.fnUntraced(
      function* (owner: IdempotencyKeyOwner, stored: StoredResponse) {
        const text = yield* vault.open(sealContext(owner), stored.sealedAnswer)
        const answer = yield* unpackAnswer(Redacted.value(text))
        return HttpServerResponse.setHeader(responseOf(answer), "idempotency-replayed", "true")
      },
      Effect.catchTag("SchemaError", Effect.die)
    )

    const keep = Effect.fnUntraced(
      function* (owner: IdempotencyKeyOwner, fingerprint: string, response: HttpServerResponse.HttpServerResponse) {
        const answer = answerOf(response)
        if (answer === null)
          return yield* Effect.die(new Error("A streamed answer cannot be stored for a repeated call"))
        const sealedAnswer = yield* vault.seal(sealContext(owner), Redacted.make(yield* packAnswer(answer)))
        yield* keys.store(owner, { fingerprint, sealedAnswer })
      },
      Effect.catchTag("SchemaError", Effect.die)
    )

    return Repetition.of({
      once: <E, R>(
        request: HttpServerRequest.HttpServerRequest,
        body: string,
        effect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
      ) =>
        Effect.gen(function* () {
          const key = request.headers["idempotency-key"]
          if (key === undefined) return yield* effect
          if (!visibleAscii.test(key)) return yield* new IdempotencyKeyInvalid()
          const fingerprint = yield* vault.fingerprint("idempotency", `${request.method} ${request.url}\n${body}`)
          const owner = yield* ownerOf(key, fingerprint)
          const answered = (stored: StoredResponse) =>
            stored.fingerprint === fingerprint ? replay(owner, stored) : Effect.fail(new IdempotencyKeyReused())
          const once = transact(
            Effect.gen(function* () {
              const stored = yield* keys.claim(owner)
              if (stored !== null) return yield* answered(stored)
              const { isKept, response } = yield* settled(effect)
              if (isKept) yield* keep(owner, fingerprint, response)
              return response
            })
          ).pipe(Effect.provideService(UnitOfWork, unitOfWork))
          if (owner.organizationId !== noOrganization) return yield* once
          // Password checks are slow here. A flood of them must not use every connection for units of work.
          const stored = yield* transact(keys.claim(owner)).pipe(
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
            const once = repetition.once(request, body, effect)
            // A provider can be slow. Requests that wait for it must not use every connection for units of work.
            return yield* Context.get(endpoint.annotations, AsksProvider)
              ? Effect.catchIf(inTurn(once), isBusy, () => renderProblem(unavailableAs("not_made")))
              : once
          })
    )
  })
).pipe(Layer.provide(layerRepetition))
