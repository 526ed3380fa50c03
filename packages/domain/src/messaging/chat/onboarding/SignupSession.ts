import { Schema } from "effect"
import { isStorable } from "../../../kernel/index.ts"

/** Session event of a signup, as the browser received it from the provider. Unknown fields are allowed. */
export const SignupSession = Schema.Record(Schema.String, Schema.Json).check(isStorable).annotate({
  identifier: "SignupSession",
  description: "The JSON message of the type WA_EMBEDDED_SIGNUP that the signup window sends to the page."
})
export type SignupSession = typeof SignupSession.Type

/** Result of a signup, read from its session event. */
export type SignupResult =
  | {
      readonly kind: "finished"
      readonly externalAccountId: string
      /** `null` if the signup ended without a number. */
      readonly externalPhoneId: string | null
      readonly isCoexistence: boolean
    }
  | {
      readonly kind: "cancelled"
      readonly step: string | null
      readonly shownError: string | null
      readonly errorId: string | null
    }
  /** Not a session event of this provider. `pointer` is the JSON pointer of the unexpected value. */
  | { readonly kind: "invalid"; readonly pointer: string; readonly message: string }
