import type { Redacted } from "effect"

/** A number of the provider, and the right to use it. */
export interface Line {
  readonly accessToken: Redacted.Redacted
  /** The provider's id of the number. */
  readonly phoneId: string
  /** The provider's id of the business account that the number belongs to. */
  readonly businessId: string
}
