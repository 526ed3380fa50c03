import {
  cancelJob,
  CurrentBackgroundHealth,
  exchangeDocsCode,
  getDocsSession,
  getJob,
  handOffToDocs,
  listJobs,
  TokenSigner
} from "@parley/domain"
import { Effect, Redacted } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { DocsReader } from "../../api/middleware.ts"
import { pageOf } from "../../api/shapes.ts"
import { Drain, ServerConfig } from "../ServerConfig.ts"
import { askStorage, unavailableAs } from "../StorageFaults.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

const ok = { status: "ok" as const }

export const layerOperations = HttpApiBuilder.group(Api, "operations", (handlers) =>
  Effect.map(Effect.all([Drain, CurrentBackgroundHealth]), ([drain, health]) =>
    withAnswerWriters(handlers).handleAll({
      jwks: () =>
        Effect.flatMap(TokenSigner, (signer) =>
          Effect.map(signer.publicKeys, (keys) =>
            HttpServerResponse.jsonUnsafe({ keys }, { headers: { "cache-control": "public, max-age=60" } })
          )
        ),
      health: () => Effect.succeed(ok),
      ready: () =>
        Effect.suspend(() => (drain.isDraining ? Effect.fail("The process is stopping") : askStorage)).pipe(
          Effect.timeout("1 second"),
          Effect.andThen(health === null ? Effect.succeed({ state: "off" as const }) : health.status),
          Effect.map(({ state }) => ({ ...ok, background: state })),
          Effect.catchCause(() => Effect.fail(unavailableAs("not_made")))
        )
    })
  )
)

export const layerJobs = HttpApiBuilder.group(Api, "jobs", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query: { kind, state, ...page } }) =>
      listJobs({ kind: kind ?? null, state: state ?? null, page: pageOf(page) }),
    get: ({ params }) => getJob(params),
    cancel: ({ params }) => cancelJob(params)
  })
)

export const layerDocs = HttpApiBuilder.group(
  Api,
  "docs",
  Effect.fnUntraced(function* (handlers) {
    const { docsUrl } = yield* ServerConfig
    return withAnswerWriters(handlers).handleAll({
      handoff: () =>
        Effect.map(handOffToDocs(), ({ code, expiresAt }) => ({
          code,
          url: `${docsUrl}#code=${Redacted.value(code)}`,
          expiresAt
        })),
      exchange: ({ payload }) => exchangeDocsCode(payload),
      session: () => Effect.flatMap(DocsReader, getDocsSession)
    })
  })
)
