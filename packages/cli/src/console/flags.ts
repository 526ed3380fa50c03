import { wholeNumber } from "@parley/service/configuration"
import { Argument, Flag } from "effect/cli"
import { typedFlag } from "./typed.ts"

export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))

export const quiet = Flag.Boolean("quiet").pipe(
  Flag.withAlias("q"),
  Flag.withDescription("Print only the ids, one per line"),
  Flag.withDefault(false)
)

/** For commands that create a token. */
export const tokenOnly = Flag.Boolean("quiet").pipe(
  Flag.withAlias("q"),
  Flag.withDescription("Print only the token"),
  Flag.withDefault(false)
)

export const yes = Flag.Boolean("yes").pipe(
  Flag.withAlias("y"),
  Flag.withDescription("Do not ask for confirmation"),
  Flag.withDefault(false)
)

export const limit = typedFlag("limit", wholeNumber(1, 100_000)).pipe(
  Flag.withMetavar("integer"),
  Flag.withDescription("Maximum number of rows (100)"),
  Flag.withDefault(100)
)

export const organization = Argument.String("organization").pipe(
  Argument.withDescription("Slug or id of the organization")
)

export const org = Flag.String("org").pipe(
  Flag.withMetavar("organization"),
  Flag.withDescription("Slug or id of the organization (default: the only one)"),
  Flag.optional
)

export const user = Argument.String("user").pipe(Argument.withDescription("E-mail address or id of the user"))
