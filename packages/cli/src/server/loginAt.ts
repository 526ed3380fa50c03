import { ParleyClient } from "@parley/http-adapter/client"
import { Effect, type Redacted } from "effect"
import { Refused } from "../console/Failure.ts"
import type { Account } from "./account.ts"
import { type Asker, explained } from "./explained.ts"
import { layerHttp } from "./http.ts"
import { withSlugs } from "./organizations.ts"

/** Logs in. Gives the tokens, a client that goes on with them, and the organizations that it may act in. */
export const loginAt = Effect.fnUntraced(function* (
  { address, email, password }: Account,
  deviceToken: Redacted.Redacted | null,
  asker: Asker
) {
  const stranger = yield* ParleyClient.make({ baseUrl: address, retry: { times: 0 } })
  const answer = yield* stranger.sessions
    .login({ payload: { email, password, ...(deviceToken !== null && { deviceToken }) } })
    .pipe(
      Effect.mapError((failure) =>
        failure._tag === "InvalidCredentials"
          ? new Refused({
              message: `${address} refuses: ${failure.message} For a new password, ask an operator: parley user reset-link ${email}`
            })
          : explained(asker)(failure)
      )
    )
  const { accessToken, refreshToken } = answer
  const client = yield* ParleyClient.make({ baseUrl: address, token: accessToken, refreshToken })
  return {
    client,
    tokens: { accessToken, refreshToken },
    deviceToken: answer.deviceToken,
    organizations: yield* withSlugs(client, answer.organizations)
  }
}, Effect.provide(layerHttp))
