import { ParleyClient } from "@parley/http-adapter/client"
import { Effect, Option, type Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { Refused } from "./console/Failure.ts"

/** Somebody who can log in at a service. */
export interface Account {
  readonly address: string
  readonly email: string
  readonly password: Redacted.Redacted
}

/** Why a service does not do what it was asked. */
export const explainedFor = (address: string) => (error: { readonly _tag: string; readonly message: string }) =>
  new Refused({
    message:
      error._tag === "HttpClientError"
        ? `The service at ${address} does not answer. Is it running?`
        : `The service at ${address} refuses: ${error.message}`
  })

/** Logs in, and gives a client that acts in the organization that was named, or in the only one. */
export const loginTo = Effect.fnUntraced(function* (
  { address, email, password }: Account,
  wanted: Option.Option<string>
) {
  const stranger = yield* ParleyClient.make({ baseUrl: address, retry: { times: 0 } })
  const { accessToken, organizations, refreshToken } = yield* Effect.mapError(
    stranger.sessions.login({ payload: { email, password } }),
    explainedFor(address)
  )
  const candidates = Option.match(wanted, {
    onNone: () => organizations,
    onSome: (name) => organizations.filter((organization) => organization.id === name || organization.name === name)
  })
  const [organization, another] = candidates
  if (organization === undefined) return yield* new Refused({ message: `${email} is in no such organization.` })
  if (another !== undefined) {
    const names = candidates.map(({ name }) => name).join(", ")
    return yield* new Refused({ message: `${email} is in ${names}: choose one with --org.` })
  }
  const client = yield* ParleyClient.make({
    baseUrl: address,
    token: accessToken,
    refreshToken,
    organizationId: organization.id
  })
  return { client, organization }
}, Effect.provide(FetchHttpClient.layer))
