import { CurrentActor } from "@parley/domain"
import { operatorName } from "@parley/service/configuration"
import { Effect } from "effect"
import { logged } from "./console/logging.ts"
import { sharedSettings } from "./parley.ts"
import { requireDatabase, requireReachable } from "./target.ts"

/** Runs a command on the configured database, in the operator's name. */
export const onDatabase = Effect.fnUntraced(function* <A, E, R>(command: Effect.Effect<A, E, R>) {
  const settings = yield* sharedSettings
  // The database is loaded only by commands that need it: the others start in half the time.
  const { layerPorts } = yield* Effect.promise(() => import("@parley/service/ports"))
  return yield* command.pipe(
    Effect.provideService(CurrentActor, { kind: "operator", name: operatorName(settings) }),
    Effect.provide(layerPorts(settings)),
    logged(settings, "Warn")
  )
})

/** Runs an operator command that is not available over HTTP. `instead` names the HTTP alternative. */
export const operate = Effect.fnUntraced(function* <A, E, R>(command: Effect.Effect<A, E, R>, instead = "") {
  const settings = yield* sharedSettings
  yield* requireDatabase(settings, instead)
  yield* requireReachable(settings, instead)
  return yield* onDatabase(command)
})
