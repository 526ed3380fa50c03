import { HttpUrl } from "@parley/service/configuration"
import { Schema } from "effect"

/** An organization that a login may act in. A slug that the login may not read is `null`. */
export const KnownOrganization = Schema.Struct({
  id: Schema.String,
  slug: Schema.NullOr(Schema.String),
  name: Schema.String
})
export type KnownOrganization = typeof KnownOrganization.Type

const Secret = Schema.RedactedFromValue(Schema.String)

/** A login at a service, as it is kept on this machine. */
export const Profile = Schema.Struct({
  server: HttpUrl,
  /** Whether its tokens may go over plain HTTP. */
  insecure: Schema.Boolean,
  /** Who logged in; `null` where that is an automation token. */
  email: Schema.NullOr(Schema.String),
  organizations: Schema.Array(KnownOrganization),
  /** `null` after the logout. An automation token has no refresh token. */
  tokens: Schema.NullOr(Schema.Struct({ accessToken: Secret, refreshToken: Schema.NullOr(Secret) })),
  /** What the next login from this machine proves itself with. */
  deviceToken: Schema.NullOr(Secret)
})
export type Profile = typeof Profile.Type

/** A profile and its name. */
export interface NamedProfile {
  readonly name: string
  readonly profile: Profile
}
