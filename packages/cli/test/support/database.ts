import { generateMasterKey } from "@parley/provider-adapters/security"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { Context, Effect, Layer, Redacted } from "effect"
import type { Environment } from "./commandLine.ts"

/** The environment of a command line on a new migrated database. */
export class OnServer extends Context.Service<OnServer, Environment>()("@parley/cli/test/OnServer") {
  static readonly layer = Layer.effect(
    OnServer,
    Effect.gen(function* () {
      const url = yield* Effect.orDie(freshDatabase)
      const masterKeys = yield* generateMasterKey("k1")
      return {
        PARLEY_DATABASE_URL: Redacted.value(url),
        PARLEY_MASTER_KEYS: Redacted.value(masterKeys),
        PARLEY_OPERATOR_NAME: "otto"
      }
    })
  )
}
