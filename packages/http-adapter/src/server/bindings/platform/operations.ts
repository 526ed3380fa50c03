import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { CurrentBackgroundHealth, TokenSigner } from "@parley/domain/platform"
import { OperationsApi } from "../../../api/operations.ts"
import { Drain } from "../../ServerConfig.ts"
import { askStorage, unavailableAs } from "../../StorageFaults.ts"
import { makeProbes } from "../../operatorAnswers.ts"
import { bindWith } from "../bind.ts"

const ok = { status: "ok" as const }

export const operations = bindWith(
  OperationsApi,
  {
    jwks: {
      uses: null,
      response: {
        keys: [
          {
            kty: "OKP",
            crv: "Ed25519",
            x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
            kid: "01934a10-0000-7099-81b3-829304152637",
            alg: "EdDSA",
            use: "sig"
          }
        ]
      }
    },
    health: { uses: null, response: { status: "ok" } },
    ready: { uses: null, response: { status: "ok", background: "ok" } },
    startup: { uses: null, response: { status: "ok" } }
  },
  (handlers) =>
    Effect.map(Effect.all([Drain, CurrentBackgroundHealth]), ([drain, health]) => {
      const readiness = Effect.suspend(() =>
        drain.isDraining ? Effect.fail("The process is stopping") : askStorage
      ).pipe(
        Effect.timeout("1 second"),
        Effect.andThen(health === null ? Effect.succeed({ state: "off" as const }) : health.status),
        Effect.map(({ state }) => ({ ...ok, background: state })),
        Effect.catchCause(() => Effect.fail(unavailableAs("not_made")))
      )
      const { ready, startup } = makeProbes(readiness, ok)
      return handlers.handleAll({
        jwks: () =>
          Effect.flatMap(TokenSigner, (signer) =>
            Effect.map(signer.publicKeys, (keys) =>
              HttpServerResponse.jsonUnsafe({ keys }, { headers: { "cache-control": "public, max-age=60" } })
            )
          ),
        health: () => Effect.succeed(ok),
        ready: () => ready,
        startup: () => Effect.as(startup, ok)
      })
    })
)
