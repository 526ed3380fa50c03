import { type ValidationIssue, toValidationIssues } from "@parley/domain/kernel"
import { Cause, Console, Data, Effect, Predicate, type SchemaIssue } from "effect"
import { CliError, CliOutput } from "effect/cli"
import { presentHelp } from "./help.ts"

/** A rule rejects the command, or a named record does not exist. */
export class Refused extends Data.TaggedError("Refused")<{ readonly message: string }> {}

/** The service is unreachable, or incompatible with this version. */
export class ServiceUnusable extends Data.TaggedError("ServiceUnusable")<{ readonly message: string }> {}

/** A failed call, with the name of the failure and a message. */
export interface Failure {
  readonly _tag: string
  readonly message: string
}

export const ExitCode = {
  ok: 0,
  refused: 1,
  usage: 2,
  configuration: 3,
  database: 4,
  unexpected: 70,
  interrupted: 130
} as const

/** Explanation of the exit codes in `--help`. */
export const explanation = `Exit codes
    0    done
    1    refused by a rule, or not found
    2    wrong usage
    3    wrong configuration
    4    the database or the service is unreachable, in use or of another version
    70   unexpected error`

/** Converts the pointer of a query parameter to its flag. */
const placeIn = (pointer: string): string => pointer.replace(/^\/query(?=\/)/u, "")

/** Formats an issue with its place, if it has one. */
const placed = ({ message, pointer }: ValidationIssue): string =>
  pointer === "" ? message : `${placeIn(pointer)}: ${message}`

/** Formats each issue of a value on a separate line. */
export const faultLines = (issue: SchemaIssue.Issue, written: unknown): string =>
  toValidationIssues(issue, written).map(placed).join("\n")

/** Message and exit code of a failure. */
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

/** An error can define its own exit code. */
const exitCodeOf = (error: object): number | null =>
  "exitCode" in error && typeof error.exitCode === "number" ? error.exitCode : null

/** Whether a failure lists its issues. */
export const hasFaults = (error: object): error is { readonly errors: ReadonlyArray<ValidationIssue> } =>
  Predicate.hasProperty(error, "_tag") && error._tag === "ValidationFailed" && Predicate.hasProperty(error, "errors")

const connectionReasons: ReadonlySet<unknown> = new Set(["ConnectionError", "AuthenticationError"])

const isConnectionLost = (error: unknown) =>
  Predicate.hasProperty(error, "_tag") &&
  error._tag === "SqlError" &&
  Predicate.hasProperty(error, "reason") &&
  Predicate.hasProperty(error.reason, "_tag") &&
  connectionReasons.has(error.reason._tag)

const lastWords = "An unexpected error occurred. Repeat the command with --log-level debug for details"

/** Explains a failure to the user. */
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

/** Prints why a command failed, one line per cause, and returns its exit code. */
export const report = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
  const verdict = judge(cause)
  yield* Effect.forEach(verdict.lines, (line) => Console.error(`parley: ${line}`), { discard: true })
  return verdict.code
})

/** Prints each invalid part of a command line and where to find help, instead of the full help. */
export const layerPresenter = CliOutput.layerPresenter({
  present: (event) => {
    switch (event._tag) {
      case "Help":
        return presentHelp(event.helpDoc)
      case "InvalidInvocation":
        return Effect.andThen(
          Effect.forEach(event.errors, (error) => Console.error(`parley: ${error.message.trim()}`), { discard: true }),
          Console.error(`Run '${event.commandPath.join(" ")} --help' for usage.`)
        )
      default:
        return CliOutput.defaultPresenter.present(event)
    }
  }
})
