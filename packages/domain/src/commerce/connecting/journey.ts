import { Duration, Schema } from "effect"

/** Random bytes of a state and of a one-time code. */
export const secretBytes = 32

/** Maximum duration of each half of a journey: to the shop and back, and from the callback to the completing call. */
export const journeyTimeout = Duration.minutes(10)

/** PKCE with S256 (RFC 7636): the SHA-256 of the verifier, in base64url. */
export const CodeChallenge = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]{43}$/u, {
    message: "Expected the S256 code challenge of your verifier: 43 characters of base64url (RFC 7636)"
  })
)
