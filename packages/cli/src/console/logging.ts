import { Effect, Layer, Logger, References, Stdio } from "effect"
import type { Settings } from "../composition/settings.ts"

const levels = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  none: "None"
} as const

/** Logs as configured, to the standard error stream: what goes to the standard output is the answer of the command. */
export const layerLogging = (
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
