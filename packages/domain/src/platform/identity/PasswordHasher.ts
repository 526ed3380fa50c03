import { Context, type Effect, type Redacted } from "effect"
import type { LoginBusy } from "./Errors.ts"
import type { CheckedPassword } from "./passwords/CheckedPassword.ts"

/** What a try came to: whether it fits, and whether the hash should be made anew with today's parameters. */
export interface Verdict {
  readonly fits: boolean
  readonly outdated: boolean
}

/**
 * Whether who waits for a password to be checked is known from before. They stand in a line of their own, so that a flood of
 * strangers, at whichever accounts, does not keep them out.
 */
export const IsKnownCaller = Context.Reference<boolean>("@parley/domain/platform/identity/IsKnownCaller", {
  defaultValue: () => false
})

/** Hashes passwords so that guessing them is slow. So that a flood of logins starves nothing else, it may refuse. */
export class PasswordHasher extends Context.Service<
  PasswordHasher,
  {
    readonly hash: (password: CheckedPassword) => Effect.Effect<string, LoginBusy>
    /** Hashes a verified password with the current parameters. It is already the user's password, so it is not checked again. */
    readonly rehash: (verified: Redacted.Redacted) => Effect.Effect<string, LoginBusy>
    /** Against `null`, for a user who does not exist, it takes as long and never fits. */
    readonly verify: (password: Redacted.Redacted, hash: string | null) => Effect.Effect<Verdict, LoginBusy>
  }
>()("@parley/domain/platform/identity/PasswordHasher") {}
