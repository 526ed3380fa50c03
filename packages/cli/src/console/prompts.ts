import { Ids } from "@parley/domain/kernel"
import { NewPassword } from "@parley/domain/platform"
import { WrongUsage } from "@parley/service/configuration"
import { Console, Effect, Redacted, Schema, Stdio, Stream } from "effect"
import { Flag, Prompt, TerminalCapabilities } from "effect/cli"
import { Refused } from "./Failure.ts"

/** Asks for confirmation of a destructive action. Without a terminal, `--yes` is required. */
export const confirm = Effect.fnUntraced(function* (question: string, yes: boolean) {
  if (yes) return
  const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
  if (!canPrompt) return yield* new WrongUsage({ message: `${question} Repeat the command with --yes to confirm.` })
  const agreed = yield* Prompt.run(Prompt.Confirm({ message: question }))
  if (!agreed) return yield* new Refused({ message: "Nothing was changed." })
})

/** Reads a password from the standard input. A flag value would stay in the shell history. */
export const passwordFromInput = Flag.Boolean("password-stdin").pipe(
  Flag.withDescription("Read the password from the standard input. Default: a generated password, which is shown once"),
  Flag.withDefault(false)
)

const readInput = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const text = yield* Effect.orDie(Stream.mkString(Stream.decodeText(stdio.stdin)))
  return text.replace(/\r?\n$/, "")
})

const passwordOf = (text: string) =>
  Effect.mapError(
    Schema.decodeEffect(NewPassword)(text),
    () => new WrongUsage({ message: "The password must have 8 to 256 characters." })
  )

/** Reads a password from the standard input. */
export const readPassword = Effect.flatMap(readInput, passwordOf)

/** Reads the current and the new password from the first two lines of the standard input. */
export const readPasswordChange = Effect.gen(function* () {
  const [current, next, ...others] = (yield* readInput).split(/\r?\n/u)
  if (current === undefined || next === undefined || others.length > 0) {
    return yield* new WrongUsage({
      message: "Expected two lines on the standard input: the current password, and the new one."
    })
  }
  return { password: yield* passwordOf(current), newPassword: yield* passwordOf(next) }
})

/** A password, and whether it was generated. A generated password is shown once. */
export const choosePassword = Effect.fnUntraced(function* (fromInput: boolean) {
  if (fromInput) return { password: yield* readPassword, isMade: false }
  return { password: yield* (yield* Ids).secret(15), isMade: true }
})

/** Shows a generated password. It cannot be shown again. */
export const showMade = (password: Redacted.Redacted) =>
  Console.log(`\nPassword (shown once): ${Redacted.value(password)}`)
