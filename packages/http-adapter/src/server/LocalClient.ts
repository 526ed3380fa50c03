import { type Actor, CurrentActor, CurrentOrganization, CurrentRequest, OrganizationId } from "@parley/domain/kernel"
import { OrganizationHeaderInvalid, OrganizationHeaderMissing, Unauthenticated } from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import { Effect, Exit, Layer, Schema, Scope } from "effect"
import {
  Etag,
  HttpClient,
  HttpEffect,
  HttpPlatform,
  HttpRouter,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import {
  AsOperator,
  Authenticated,
  Idempotent,
  InOnlyOrganization,
  InOrganization,
  Public,
  StorageFaults as StorageFaultsMiddleware,
  WithDocsSession
} from "../api/middleware.ts"
import { ParleyClient } from "../client/index.ts"
import { Repetition } from "./Idempotency.ts"
import { OpenStreams } from "./OpenStreams.ts"
import * as RequestFaults from "./RequestFaults.ts"
import { ServerConfig, type ServerSettings } from "./ServerConfig.ts"
import { layerHandlers } from "./bindings/index.ts"

/** Caller of a local client. It is not a part of the requests, so no request can name another caller. */
export interface LocalCaller {
  readonly actor: Actor
  /** Id of the request in the audit trail. Null: the entries have none. */
  readonly requestId: string | null
}

const decodeOrganizationId = Schema.decodeUnknownEffect(OrganizationId)

const requestedOrganization = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const id = headers["x-organization-id"]
  if (id === undefined) return yield* new OrganizationHeaderMissing()
  return yield* Effect.mapError(decodeOrganizationId(id), () => new OrganizationHeaderInvalid())
})

/** Middlewares that read no credentials: every request is from this caller. */
const layerIdentified = ({ actor, requestId }: LocalCaller) => {
  const withRequest = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, CurrentRequest, { id: requestId })
  const asCaller = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    withRequest(Effect.provideService(effect, CurrentActor, actor))
  const inOrganization = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(requestedOrganization, (id) => asCaller(Effect.provideService(effect, CurrentOrganization, { id })))
  return Layer.mergeAll(
    Layer.succeed(Public, withRequest),
    Layer.succeed(Authenticated, Authenticated.of({ bearer: asCaller })),
    Layer.succeed(AsOperator, AsOperator.of({ operatorBearer: asCaller })),
    Layer.succeed(InOrganization, InOrganization.of({ bearer: inOrganization })),
    Layer.succeed(InOnlyOrganization, InOnlyOrganization.of({ bearer: inOrganization })),
    Layer.succeed(WithDocsSession, WithDocsSession.of({ docsBearer: () => Effect.fail(new Unauthenticated()) }))
  )
}

/** No answer is lost inside a process, so no call is repeated: its idempotency key has no effect. */
const layerUnrepeated = Layer.merge(
  Layer.succeed(Idempotent, (effect) => effect),
  Layer.succeed(Repetition, Repetition.of({ once: (_request, effect) => effect }))
)

/** The caller gets an outage of the database as a defect. A server would answer it. */
const layerUnanswered = Layer.succeed(StorageFaultsMiddleware, (effect) => effect)

/** The reader of a stream is this process: the stream ends with the call. */
const layerUnlimitedStreams = Layer.succeed(
  OpenStreams,
  OpenStreams.of({
    open: () => Effect.succeed({ given: Effect.void, back: Effect.void }),
    ending: Effect.never,
    end: Effect.void
  })
)

const routesFor = (settings: ServerSettings, caller: LocalCaller) =>
  HttpApiBuilder.layer(Api).pipe(
    Layer.provide(layerHandlers),
    Layer.provide(
      Layer.mergeAll(
        layerIdentified(caller),
        RequestFaults.layer,
        layerUnanswered,
        layerUnrepeated,
        layerUnlimitedStreams
      )
    ),
    Layer.provide(Layer.succeed(ServerConfig, settings)),
    Layer.provide(Layer.mergeAll(HttpPlatform.layer, Etag.layer))
  )

/** Relative URLs need a base. No request leaves the process. */
const baseUrl = "http://localhost"

/**
 * Creates a client whose calls run in this process, as this caller, in this organization. It takes the same steps as a server behind the middlewares:
 * validation, handlers and answers. Rate limits, size limits and time limits of a server do not apply. The routes belong to this function and have no
 * listener, so no socket reaches them.
 */
export const makeLocalClient = Effect.fnUntraced(function* (
  settings: ServerSettings,
  caller: LocalCaller,
  organizationId: OrganizationId
) {
  const answer = yield* HttpRouter.toHttpEffect(routesFor(settings, caller))
  const scope = yield* Effect.scope
  const ports = yield* Effect.context<Ports>()
  const http = HttpClient.make((request) =>
    Effect.suspend(() => {
      const requestScope = Scope.forkUnsafe(scope)
      let isStreamed = false
      return answer.pipe(
        Effect.map((response) => {
          const transferred = HttpEffect.scopeTransferToStream(response)
          isStreamed = transferred !== response
          return HttpServerResponse.toClientResponse(transferred, { request })
        }),
        Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromClientRequest(request)),
        Effect.provideService(Scope.Scope, requestScope),
        Effect.provideContext(ports),
        Effect.orDie,
        // A streamed answer closes the scope at its end.
        Effect.onExit((exit) => (isStreamed && Exit.isSuccess(exit) ? Effect.void : Scope.close(requestScope, exit)))
      )
    })
  )
  return yield* ParleyClient.make({
    baseUrl,
    organizationId,
    retry: { times: 0, attemptTimeout: Infinity }
  }).pipe(Effect.provideService(HttpClient.HttpClient, http))
})
