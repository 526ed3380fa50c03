import { metricsAddressOf, readSettings } from "@parley/service/configuration"
import { Console, Effect, Option } from "effect"
import { Command } from "effect/cli"
import { Refused, ServiceUnusable } from "../console/Failure.ts"
import { flagOf, parley } from "../parley.ts"
import { askReady } from "../ready.ts"

export const ready = Command.make(
  "ready",
  { host: flagOf("host"), port: flagOf("port") },
  Effect.fn(function* (flags) {
    const settings = yield* readSettings({ ...(yield* parley), ...flags })
    const isChosen = Option.isSome(flags.host) || Option.isSome(flags.port)
    const target = {
      host: settings.host.value,
      port: settings.port.value,
      metrics: isChosen ? null : metricsAddressOf(settings)
    }
    const { code, line } = yield* Effect.promise(() => askReady(target))
    if (code === 0) return yield* Console.log(line)
    return yield* code === 1 ? new Refused({ message: line }) : new ServiceUnusable({ message: line })
  })
).pipe(
  Command.withExamples([
    { command: "parley ready", description: "As the health check of a container" },
    { command: "parley ready --port 9100", description: "For a worker with this metrics port" }
  ])
)
