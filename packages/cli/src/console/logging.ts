import type { Settings } from "@parley/service/configuration"
import { Cause, Effect, Layer, Logger, References, Stdio } from "effect"

const levels = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  none: "None"
} as const

const layerLogging = (
  settings: Pick<Settings, "logLevel" | "logFormat">,
  usual: (typeof levels)[keyof typeof levels]
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const stdio = yield* Stdio.Stdio
      const format = settings.logFormat.value ?? ((yield* stdio.stderrIsTerminal) ? "pretty" : "json")
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
  (settings: Pick<Settings, "logLevel" | "logFormat">, usual: "Error" | "Warn" | "Info") =>
  <A, E, R>(command: Effect.Effect<A, E, R>) =>
    command.pipe(Effect.tapCause(logDetails), Effect.provide(layerLogging(settings, usual)))
