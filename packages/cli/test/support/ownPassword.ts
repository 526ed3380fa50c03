import { Effect, Schema } from "effect"

const Session = Schema.Struct({ accessToken: Schema.String })

const post = (address: string, path: string, body: unknown, token?: string) =>
  Effect.promise(() =>
    fetch(`${address}/api/v1${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token !== undefined && { authorization: `Bearer ${token}` })
      },
      body: JSON.stringify(body)
    })
  )

/** Password that replaces an operator's password in tests. */
export const chosenPassword = "four brown owls in a wood"

/** Replaces an operator's password and returns the new one. */
export const ownPassword = Effect.fnUntraced(function* (address: string, email: string, password: string) {
  const answer = yield* post(address, "/auth/login", { email, password })
  const { accessToken } = yield* Effect.orDie(
    Schema.decodeUnknownEffect(Session)(yield* Effect.promise(() => answer.json()))
  )
  const change = { currentPassword: password, newPassword: chosenPassword }
  const { status } = yield* post(address, "/auth/password", change, accessToken)
  if (status !== 204) return yield* Effect.die(new Error(`The password was not changed: ${status}`))
  return chosenPassword
})
