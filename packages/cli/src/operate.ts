import { CurrentActor } from "@parley/domain"
import { operatorName } from "@parley/service/configuration"
import { Effect } from "effect"
import { logged } from "./console/logging.ts"
import { sharedSettings } from "./parley.ts"
import { requireDatabase } from "./target.ts"

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

/** Runs what only an operator may do; a service is not asked for it. `instead` says what it may be asked for. */
export const operate = Effect.fnUntraced(function* <A, E, R>(command: Effect.Effect<A, E, R>, instead = "") {
  yield* requireDatabase(yield* sharedSettings, instead)
  return yield* onDatabase(command)
})
