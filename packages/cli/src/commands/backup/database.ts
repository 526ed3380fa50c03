import type { Settings } from "@parley/service/configuration"
import type { DatabaseClient, DatabaseCreation, DriverError } from "@parley/service/database"
import { Effect } from "effect"
import { logged } from "../../console/logging.ts"
import { requireDatabase } from "../../tenant/target.ts"

/** Settings of a command that needs the database itself. */
export const requireOwnDatabase = (settings: Settings) => Effect.as(requireDatabase(settings, ""), settings)

/** Runs on the configured database, which can be without a schema. */
export const onOwnDatabase = Effect.fnUntraced(function* <A, E, R>(
  settings: Settings,
  creation: DatabaseCreation,
  use: Effect.Effect<A, E | DriverError, R | DatabaseClient>
) {
  const { explainingDriver, layerDatabase } = yield* Effect.promise(() => import("@parley/service/database"))
  return yield* explainingDriver(settings)(Effect.provide(use, layerDatabase(settings, creation))).pipe(
    logged(settings, "Warn")
  )
})

/** The service functions of these commands. */
export const service = Effect.promise(() => import("@parley/service/backup"))
