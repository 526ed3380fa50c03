import type { Fault } from "@parley/domain"
import { Cause, Console, Effect, Predicate } from "effect"
import { CliError, CliOutput } from "effect/cli"
import { ExitCode } from "./ExitCode.ts"
import { placed } from "./placed.ts"

/** What is said of an end that is no success, and the code it ends with. */
export interface Verdict {
  readonly code: number
  readonly lines: ReadonlyArray<string>
}

const codes: Readonly<Record<string, number>> = {
  WrongUsage: ExitCode.usage,
  WrongConfiguration: ExitCode.configuration,
  DatabaseUnusable: ExitCode.database,
  ServiceUnusable: ExitCode.database
}

const isTagged = (error: unknown): error is { readonly _tag: string; readonly message: string } =>
  Predicate.hasProperty(error, "_tag") &&
  typeof error._tag === "string" &&
  Predicate.hasProperty(error, "message") &&
  typeof error.message === "string"

/** An error may say itself with which code to end. */
const exitCodeOf = (error: object): number | null =>
  "exitCode" in error && typeof error.exitCode === "number" ? error.exitCode : null

const hasFaults = (error: object): error is { readonly errors: ReadonlyArray<Fault> } =>
  Predicate.hasProperty(error, "_tag") && error._tag === "ValidationFailed" && Predicate.hasProperty(error, "errors")

const connectionReasons: ReadonlySet<unknown> = new Set(["ConnectionError", "AuthenticationError"])

const isConnectionLost = (error: unknown) =>
  Predicate.hasProperty(error, "_tag") &&
  error._tag === "SqlError" &&
  Predicate.hasProperty(error, "reason") &&
  Predicate.hasProperty(error.reason, "_tag") &&
  connectionReasons.has(error.reason._tag)

const lastWords = "Something unexpected went wrong. Run it again with --log-level debug for the details"

/** Tells what an end means to the person at the terminal. */
export const judge = (cause: Cause.Cause<unknown>): Verdict => {
  if (Cause.hasInterruptsOnly(cause)) return { code: ExitCode.interrupted, lines: [] }
  const error = Cause.squash(cause)
  const failed = cause.reasons.some(Cause.isFailReason)
  if (CliError.isCliError(error) && error._tag === "ShowHelp") {
    return { code: error.errors.length === 0 ? ExitCode.ok : ExitCode.usage, lines: [] }
  }
  if (failed && isTagged(error)) {
    const lines = hasFaults(error) ? error.errors.map(placed) : error.message.split("\n")
    return { code: exitCodeOf(error) ?? codes[error._tag] ?? ExitCode.refused, lines }
  }
  if (isConnectionLost(error)) {
    return { code: ExitCode.database, lines: ["The connection to the database was lost. See `parley doctor`."] }
  }
  const message = isTagged(error) || error instanceof Error ? error.message.split("\n", 1)[0] : String(error)
  return { code: ExitCode.unexpected, lines: [`${lastWords}: ${message}`] }
}

/** Says why a command failed, a line each, and gives its exit code. */
export const report = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
  const verdict = judge(cause)
  yield* Effect.forEach(verdict.lines, (line) => Console.error(`parley: ${line}`), { discard: true })
  return verdict.code
})

/** Says what is wrong with an invocation in a line each, and where to read on, instead of printing the whole help. */
export const layerPresenter = CliOutput.layerPresenter({
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Effect.andThen(
          Effect.forEach(event.errors, (error) => Console.error(`parley: ${error.message.trim()}`), { discard: true }),
          Console.error(`Run '${event.commandPath.join(" ")} --help' to see how it is used.`)
        )
      : CliOutput.defaultPresenter.present(event)
})
