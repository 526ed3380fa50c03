import type { Settings } from "@parley/service/configuration"
import { Cause, Console, Effect, Layer, Logger, References, Stdio } from "effect"

const levels = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  none: "None"
} as const

type LogSettings = Pick<Settings, "logLevel" | "logFormat">

const formatOf = (settings: LogSettings) =>
  Effect.gen(function* () {
    const stdio = yield* Stdio.Stdio
    return settings.logFormat.value ?? ((yield* stdio.stderrIsTerminal) ? "pretty" : "json")
  })

/** Writes a message about the life of a process. */
export type Announce = (message: string) => Effect.Effect<void>

/** Prints messages on the standard error stream. */
export const announceAsText: Announce = (message) => Console.error(message)

/** Announcements of a service. In a JSON log they are entries, so each line stays JSON. */
export const announcing = (
  settings: LogSettings
): Effect.Effect<{ started: Announce; ending: Announce }, never, Stdio.Stdio> =>
  Effect.map(formatOf(settings), (format) =>
    format === "json"
      ? { started: (message) => Effect.andThen(Console.log(message), Effect.logInfo(message)), ending: Effect.logInfo }
      : { started: (message) => Console.log(message), ending: announceAsText }
  )

const layerLogging = (settings: LogSettings, usual: (typeof levels)[keyof typeof levels]) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const stdio = yield* Stdio.Stdio
      const format = yield* formatOf(settings)
      const level = settings.logLevel.value === null ? usual : levels[settings.logLevel.value]
      return Layer.mergeAll(
        Logger.layer([
          format === "json"
            ? Logger.withConsoleError(Logger.formatJson)
            : Logger.consolePretty({ colors: yield* stdio.stderrIsTerminal, mode: "tty" })
        ]),
        Layer.succeed(Logger.LogToStderr, true),
        Layer.succeed(References.MinimumLogLevel, level)
      )
    })
  )

const logDetails = (cause: Cause.Cause<unknown>) =>
  Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logDebug("The command failed.", cause)

/**
 * Runs a command with the configured log on the standard error stream. The standard output contains only the answer. The debug level logs all details
 * of a failure, which the user message omits.
 */
export const logged =
  (settings: LogSettings, usual: "Error" | "Warn" | "Info") =>
  <A, E, R>(command: Effect.Effect<A, E, R>) =>
    command.pipe(Effect.tapCause(logDetails), Effect.provide(layerLogging(settings, usual)))
