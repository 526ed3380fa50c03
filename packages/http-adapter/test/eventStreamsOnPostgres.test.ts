import { describe } from "@effect/vitest"
import { layerServer, serverUrl } from "@parley/postgres-adapter/testing"
import { layerPorts } from "./harness/postgres.ts"
import { eventStreamSuite } from "./suites/eventStream.ts"

describe.skipIf(serverUrl === null)("on PostgreSQL (set PARLEY_TEST_DATABASE_URL to run)", () => {
  eventStreamSuite("the live feed", layerPorts(layerServer))
})
