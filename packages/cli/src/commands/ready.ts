import { readSettings } from "@parley/service/configuration"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { Refused, ServiceUnusable } from "../console/Failure.ts"
import { flagOf, parley } from "../parley.ts"
import { askReady } from "../ready.ts"

export const ready = Command.make(
  "ready",
  { host: flagOf("host"), port: flagOf("port") },
  Effect.fn(function* (flags) {
    const { host, port } = yield* readSettings({ ...(yield* parley), ...flags })
    const { code, line } = yield* Effect.promise(() => askReady({ host: host.value, port: port.value }))
    if (code === 0) return yield* Console.log(line)
    return yield* code === 1 ? new Refused({ message: line }) : new ServiceUnusable({ message: line })
  })
).pipe(
  Command.withExamples([
    { command: "parley ready", description: "As the health check of a container" },
    { command: "parley ready --port 9100", description: "For a worker with this metrics port" }
  ])
)
