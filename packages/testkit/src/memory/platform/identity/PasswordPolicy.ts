import { passwordLength, PasswordPolicy } from "@parley/domain/platform"
import { Effect, Layer } from "effect"

/** A sample of the list that ships with Parley. */
const few: ReadonlySet<string> = new Set([
  "password",
  "12345678",
  "123456789",
  "1234567890",
  "iloveyou",
  "princess",
  "sunshine",
  "trustno1"
])

export const layer = Layer.succeed(PasswordPolicy, {
  minLength: passwordLength.min,
  hasCommon: (passwords) => Effect.sync(() => passwords.some((each) => few.has(each)))
})
