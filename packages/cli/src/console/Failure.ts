import { type ValidationIssue, toValidationIssues } from "@parley/domain"
import { Cause, Console, Data, Effect, Predicate, type SchemaIssue } from "effect"
import { CliError, CliOutput } from "effect/cli"

/** A rule refuses what was asked for, or what it names is not there. */
export class Refused extends Data.TaggedError("Refused")<{ readonly message: string }> {}

/** The service cannot be reached, or does not fit this version. */
export class ServiceUnusable extends Data.TaggedError("ServiceUnusable")<{ readonly message: string }> {}

/** However a call can fail: what went wrong has a name, and says it in words. */
export interface Failure {
  readonly _tag: string
  readonly message: string
}

/** What the process says with its exit code. */
export const ExitCode = {
  ok: 0,
  refused: 1,
  usage: 2,
  configuration: 3,
  database: 4,
  unexpected: 70,
  interrupted: 130
} as const

/** The exit codes as `--help` explains them. */
export const explanation = `Exit codes
    0    done
    1    refused by a rule, or not found
    2    wrong usage
    3    wrong configuration
    4    the database or the service is out of reach, in use or of another version
    70   something unexpected`

/** What a service calls a parameter of its address is a flag here. */
const placeIn = (pointer: string): string => pointer.replace(/^\/query(?=\/)/u, "")

/** A fault with its place, where it has one. */
const placed = ({ message, pointer }: ValidationIssue): string =>
  pointer === "" ? message : `${placeIn(pointer)}: ${message}`

/** Every fault of a value that somebody wrote, a line each. */
export const faultLines = (issue: SchemaIssue.Issue, written: unknown): string =>
  toValidationIssues(issue, written).map(placed).join("\n")

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

const hasFaults = (error: object): error is { readonly errors: ReadonlyArray<ValidationIssue> } =>
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
