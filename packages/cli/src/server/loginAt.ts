import { ParleyClient } from "@parley/http-adapter/client"
import { Console, Effect, type Redacted } from "effect"
import { TerminalCapabilities } from "effect/cli"
import { Refused } from "../console/Failure.ts"
import { type Account, askNewPassword } from "./account.ts"
import { type Asker, explained } from "./explained.ts"
import { layerHttp } from "./http.ts"
import { withSlugs } from "./organizations.ts"

/** Whether the session can only change the password. Other calls of such a session fail. */
const mustChangePassword = (client: ParleyClient.Client) =>
  client.account.update({ payload: {} }).pipe(
    Effect.match({
      onFailure: ({ _tag }) => _tag === "PasswordChangeRequired",
      onSuccess: () => false
    })
  )

const mustChange = ({ address }: Asker, email: string) =>
  `This password must be replaced first: it is a common one, or an operator set it. Replace it, with the new one on a second line of the standard input: parley login --server ${address} --email ${email} --new-password`

/**
 * Logs in, and replaces the password when the account or the service requires it. Returns the tokens, an authenticated client and the organizations
 * of the account.
 */
export const loginAt = Effect.fnUntraced(function* (
  { address, email, newPassword = null, password }: Account,
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
  const change = (next: Redacted.Redacted) =>
    client.account
      .changePassword({ payload: { currentPassword: password, newPassword: next } })
      .pipe(Effect.mapError(explained(asker)))
  if (newPassword !== null) yield* change(newPassword)
  else if (yield* mustChangePassword(client)) {
    const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
    if (!canPrompt) return yield* new Refused({ message: mustChange(asker, email) })
    yield* Console.error("This password must be replaced before anything else.")
    yield* change(yield* askNewPassword)
  }
  return {
    client,
    tokens: { accessToken, refreshToken },
    deviceToken: answer.deviceToken,
    organizations: yield* withSlugs(client, answer.organizations)
  }
}, Effect.provide(layerHttp))
