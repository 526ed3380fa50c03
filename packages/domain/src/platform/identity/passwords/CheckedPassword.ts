import { type Brand, Effect, Redacted } from "effect"
import { invalid } from "../../../kernel/index.ts"
import { MailSettings } from "../../mail/index.ts"
import { PasswordPolicy } from "./PasswordPolicy.ts"
import {
  commonSpellings,
  isMostlyContext,
  isRepetition,
  type PasswordContext,
  passwordLength
} from "./passwordRules.ts"

/** A password that passed `checkPassword`. The hasher accepts only this type for new passwords. */
export type CheckedPassword = Redacted.Redacted & Brand.Brand<"CheckedPassword">

/** Whether the list of common passwords contains this one, ignoring case and a short suffix. */
export const isCommonPassword = Effect.fnUntraced(function* (password: Redacted.Redacted) {
  return yield* (yield* PasswordPolicy).hasCommon(commonSpellings(Redacted.value(password)))
})

const hostOf = (url: string) => /^[a-z]+:\/\/([^/:?#]+)/iu.exec(url)?.[1] ?? ""

const issueOf = Effect.fnUntraced(function* (password: Redacted.Redacted, context: PasswordContext) {
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

export interface NewPasswordOf extends Omit<PasswordContext, "hosts"> {
  readonly password: Redacted.Redacted
  /** Pointer to the password in the request. */
  readonly pointer: string
}

/** Checks a new password: its length, common passwords, known words and repetitions. All use cases that set a password call it. */
export const checkPassword = Effect.fnUntraced(function* ({ password, pointer, ...owner }: NewPasswordOf) {
  const { publicUrl } = yield* MailSettings
  const issue = yield* issueOf(password, { ...owner, hosts: [hostOf(publicUrl)] })
  if (issue !== null) return yield* invalid(pointer, issue)
  return password as CheckedPassword
})
