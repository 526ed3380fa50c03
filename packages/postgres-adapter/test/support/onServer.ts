import { describe } from "@effect/vitest"
import { serverUrl } from "@parley/postgres-adapter/testing"

/** A suite that needs a PostgreSQL server: without one it is skipped, and says what it lacks. */
export const onServer = (name: string, suite: () => void) =>
  describe.skipIf(serverUrl === null)(
    serverUrl === null ? `${name} (skipped: PARLEY_TEST_DATABASE_URL is not set)` : name,
    suite
  )
