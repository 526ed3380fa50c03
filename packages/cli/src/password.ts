import { Ids, NewPassword } from "@parley/domain"
import { WrongUsage } from "@parley/service/configuration"
import { Console, Effect, Redacted, Schema, Stdio, Stream } from "effect"
import { Flag } from "effect/cli"

/** Lets a password come in on the standard input: one given as a flag would stay in the shell's history. */
export const passwordFromInput = Flag.Boolean("password-stdin").pipe(
  Flag.withDescription("Read the password from the standard input, instead of making one"),
  Flag.withDefault(false)
)

/** A password from the standard input. */
export const readPassword = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const text = yield* Effect.orDie(Stream.mkString(Stream.decodeText(stdio.stdin)))
  return yield* Effect.mapError(
    Schema.decodeEffect(NewPassword)(text.replace(/\r?\n$/, "")),
    () => new WrongUsage({ message: "The password must have 8 to 256 characters." })
  )
})

/** A password, and whether it was made here and so must be shown once. */
export const choosePassword = Effect.fnUntraced(function* (fromInput: boolean) {
  if (fromInput) return { password: yield* readPassword, isMade: false }
  return { password: yield* (yield* Ids).secret(15), isMade: true }
})

/** Shows a password that was made here. It cannot be shown again. */
export const showMade = (password: Redacted.Redacted) =>
  Console.log(`\nPassword (shown this once): ${Redacted.value(password)}`)
