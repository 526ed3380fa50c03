import type { Redacted } from "effect"

/** A number of the provider, and the right to use it. */
export interface Line {
  /** What lets us in: a token of the provider, or the secret that we sign with. */
  readonly accessToken: Redacted.Redacted
  /** The secret before this one, as long as the other side may still go by it. */
  readonly formerToken?: Redacted.Redacted
  /** The address of the account, where it has one of its own. */
  readonly url?: string
  /** The provider's id of the number. */
  readonly phoneId: string
  /** The provider's id of the business account that the number belongs to. */
  readonly businessId: string
}
