import { type Brand, Context, Effect, Redacted } from "effect"
import { invalid } from "../../../kernel/index.ts"
import { MailSettings } from "../../mail/index.ts"
import { type Credentials, Users } from "../User.ts"
import { InvalidCredentials, type LoginOverloaded } from "../errors.ts"
import {
  commonSpellings,
  isMostlyContext,
  isRepetition,
  type PasswordContext,
  passwordLength
} from "./passwordRules.ts"

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

/** A password that passed `checkPassword`. The hasher accepts only this type for new passwords. */
export type CheckedPassword = Redacted.Redacted & Brand.Brand<"CheckedPassword">

/** Whether the list of common passwords contains this one, ignoring case and a short suffix. */
export const isCommonPassword = Effect.fnUntraced(function* (password: Redacted.Redacted) {
  return yield* (yield* PasswordPolicy).hasCommon(commonSpellings(Redacted.value(password)))
})

const urlHost = (url: string) => /^[a-z]+:\/\/([^/:?#]+)/iu.exec(url)?.[1] ?? ""

const passwordIssue = Effect.fnUntraced(function* (password: Redacted.Redacted, context: PasswordContext) {
  const text = Redacted.value(password)
  const length = Array.from(text).length
  const { minLength } = yield* PasswordPolicy
  if (length < minLength) return `Expected at least ${minLength} characters`
  if (length > passwordLength.max) return `Expected at most ${passwordLength.max} characters`
  if (isRepetition(text)) return "The password repeats one character or a row of the keyboard. Choose another password"
  if (isMostlyContext(text, context)) {
    return "Half of the password or more is a name or an address that others know. Choose another password"
  }
  return (yield* isCommonPassword(password))
    ? "The password is on the list of common passwords. Choose another password"
    : null
})

export interface PasswordCheckInput extends Omit<PasswordContext, "hosts"> {
  readonly password: Redacted.Redacted
  /** Pointer to the password in the request. */
  readonly pointer: string
}

/** Checks a new password: its length, common passwords, known words and repetitions. All use cases that set a password call it. */
export const checkPassword = Effect.fnUntraced(function* ({ password, pointer, ...owner }: PasswordCheckInput) {
  const { publicUrl } = yield* MailSettings
  const issue = yield* passwordIssue(password, { ...owner, hosts: [urlHost(publicUrl)] })
  if (issue !== null) return yield* invalid(pointer, issue)
  return password as CheckedPassword
})

/** Result of a check: whether the password matches, and whether the hash has outdated parameters. */
export interface PasswordCheck {
  readonly fits: boolean
  readonly outdated: boolean
}

/**
 * Whether the caller is known from an earlier login. Known callers have a separate queue, because a flood of unknown callers at any account must not
 * block them.
 */
export const IsKnownCaller = Context.Reference<boolean>("@parley/domain/platform/identity/IsKnownCaller", {
  defaultValue: () => false
})

/** Hashes passwords slowly to prevent guessing. It may reject calls, because a flood of logins must not starve other work. */
export class PasswordHasher extends Context.Service<
  PasswordHasher,
  {
    readonly hash: (password: CheckedPassword) => Effect.Effect<string, LoginOverloaded>
    /** Hashes a verified password with the current parameters. It is already the user's password, so it is not checked again. */
    readonly rehash: (verified: Redacted.Redacted) => Effect.Effect<string, LoginOverloaded>
    /** Against `null`, for a user who does not exist, it takes equally long and never matches. */
    readonly verify: (password: Redacted.Redacted, hash: string | null) => Effect.Effect<PasswordCheck, LoginOverloaded>
  }
>()("@parley/domain/platform/identity/PasswordHasher") {}

/**
 * Locks the verified credentials until this unit of work ends. During the slow check, the mailbox owner may have reclaimed the account and ended
 * every session. A hash that was only renewed still matches.
 */
export const lockVerified = Effect.fnUntraced(function* (proved: Credentials, password: Redacted.Redacted) {
  const current = yield* (yield* Users).lockCredentials(proved.user.id)
  if (current === null) return yield* new InvalidCredentials()
  if (current.passwordHash === proved.passwordHash) return current
  const { fits } = yield* (yield* PasswordHasher).verify(password, current.passwordHash)
  return fits ? current : yield* new InvalidCredentials()
})
