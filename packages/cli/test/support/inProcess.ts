import * as NodeServices from "@effect/platform-node/NodeServices"
import { serve } from "@parley/service"
import { readSettings } from "@parley/service/configuration"
import { ConfigProvider, Deferred, Effect, Logger } from "effect"
import type { Environment } from "./commandLine.ts"
import { freePort } from "./process.ts"

/** A service in this process, on the database of the environment, until the scope ends; gives its address. */
export const serviceOn = Effect.fnUntraced(function* (environment: Environment) {
  const port = yield* freePort
  const address = `http://127.0.0.1:${port}`
  const ready = yield* Deferred.make<void>()
  const variables = { ...environment, PARLEY_PORT: String(port), PARLEY_ACCESS_LOG: "off" }
  const running = Effect.gen(function* () {
    const settings = yield* readSettings({})
    return yield* serve(settings, {
      works: true,
      migrates: false,
      drains: false,
      before: Effect.void,
      ready: () => Deferred.succeed(ready, undefined),
      stopping: Effect.void
    })
  }).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(variables)),
    Effect.provide([NodeServices.layer, Logger.layer([])]),
    Effect.orDie
  )
  yield* Effect.forkScoped(running)
  yield* Deferred.await(ready)
  return address
})
