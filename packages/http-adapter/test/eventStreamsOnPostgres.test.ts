import { describe } from "@effect/vitest"
import { layerServer } from "@parley/postgres-adapter/testing"
import { layerPorts } from "./harness/postgres.ts"
import { eventStreamSuite } from "./suites/eventStream.ts"

describe("on PostgreSQL", () => {
  eventStreamSuite("the live feed", layerPorts(layerServer))
})
