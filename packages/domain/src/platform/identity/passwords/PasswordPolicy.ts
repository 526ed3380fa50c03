import { Context, type Effect } from "effect"

/** Password rules of an installation: the minimum length, and the list of common passwords that ships with Parley. */
export class PasswordPolicy extends Context.Service<
  PasswordPolicy,
  {
    /** In code points: 8 to 64. */
    readonly minLength: number
    /** Whether the list contains one of these exact spellings. The list is in lower case. */
    readonly hasCommon: (passwords: ReadonlyArray<string>) => Effect.Effect<boolean>
  }
>()("@parley/domain/platform/identity/PasswordPolicy") {}
