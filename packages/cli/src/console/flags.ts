import { wholeNumber } from "@parley/service/configuration"
import { Argument, Flag } from "effect/cli"
import { typedFlag } from "./typed.ts"

export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON, for programs"), Flag.withDefault(false))

export const quiet = Flag.Boolean("quiet").pipe(
  Flag.withAlias("q"),
  Flag.withDescription("Print the ids alone, a line each"),
  Flag.withDefault(false)
)

export const yes = Flag.Boolean("yes").pipe(
  Flag.withAlias("y"),
  Flag.withDescription("Do it without asking"),
  Flag.withDefault(false)
)

export const limit = typedFlag("limit", wholeNumber(1, 100_000)).pipe(
  Flag.withMetavar("integer"),
  Flag.withDescription("How many to print at most (100)"),
  Flag.withDefault(100)
)

export const organization = Argument.String("organization").pipe(
  Argument.withDescription("The slug or the id of the organization")
)

export const org = Flag.String("org").pipe(
  Flag.withMetavar("organization"),
  Flag.withDescription("The organization to act in: its slug or id (the only one there is)"),
  Flag.optional
)

export const user = Argument.String("user").pipe(Argument.withDescription("The e-mail address or the id of the user"))
