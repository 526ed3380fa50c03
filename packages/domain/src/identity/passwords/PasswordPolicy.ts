import { Context, type Effect } from "effect"

/** The rules for new passwords that an installation brings: the minimum length, and the list of common passwords that ships with Parley. */
export class PasswordPolicy extends Context.Service<
  PasswordPolicy,
  {
    /** In code points: 8 to 64. */
    readonly minLength: number
    /** Whether the list has one of these, spelled exactly so. The list is in lower case. */
    readonly hasCommon: (passwords: ReadonlyArray<string>) => Effect.Effect<boolean>
  }
>()("@parley/domain/identity/PasswordPolicy") {}
