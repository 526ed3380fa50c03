import { CurrentBackgroundHealth, TokenSigner } from "@parley/domain"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { askStorage } from "../askStorage.ts"
import { Drain } from "../Drain.ts"
import { unavailableAs } from "../StorageFaults.ts"

const ok = { status: "ok" as const }

/** Health and public keys. */
export const layer = HttpApiBuilder.group(Api, "operations", (handlers) =>
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
        Effect.suspend(() => (drain.isDraining ? Effect.fail("It is about to stop") : askStorage)).pipe(
          Effect.timeout("1 second"),
          Effect.andThen(health === null ? Effect.succeed({ state: "off" as const }) : health.status),
          Effect.map(({ state }) => ({ ...ok, background: state })),
          Effect.catchCause(() => Effect.fail(unavailableAs("not_made")))
        )
    })
  )
)
