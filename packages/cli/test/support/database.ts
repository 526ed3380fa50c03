import { describe } from "@effect/vitest"
import { generateMasterKey } from "@parley/provider-adapters/security"
import { freshDatabase, serverUrl } from "@parley/postgres-adapter/testing"
import { Context, Effect, Layer, Redacted } from "effect"
import type { Environment } from "./commandLine.ts"

/** The environment of a command line on a new migrated database of a server. */
export class OnServer extends Context.Service<OnServer, Environment>()("@parley/cli/test/OnServer") {
  static readonly layer = Layer.effect(
    OnServer,
    Effect.gen(function* () {
      const url = yield* Effect.orDie(freshDatabase)
      const masterKeys = yield* generateMasterKey("k1")
      return {
        PARLEY_DATABASE_URL: Redacted.value(url),
        PARLEY_MASTER_KEYS: Redacted.value(masterKeys),
        PARLEY_OPERATOR: "otto"
      }
    })
  )
}

/** A suite that needs a PostgreSQL server: without one it is skipped, and says what it lacks. */
export const onServer = (name: string, suite: () => void) =>
  describe.skipIf(serverUrl === null)(
    serverUrl === null ? `${name} (skipped: PARLEY_TEST_DATABASE_URL is not set)` : name,
    suite
  )
