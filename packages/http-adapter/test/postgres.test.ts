import { describe } from "@effect/vitest"
import { layerServer } from "@parley/postgres-adapter/testing"
import { inRealTime, layerPorts } from "./harness/postgres.ts"
import { allSuites } from "./suites/all.ts"
import { atRestSuite } from "./suites/atRest.ts"
import { racesSuite } from "./suites/races.ts"
import { timingSuite } from "./suites/timing.ts"

const server = inRealTime(layerServer)
const ports = layerPorts(server)

describe("on PostgreSQL", () => {
  atRestSuite("at rest", ports)
  racesSuite("races", ports)
  timingSuite("timing", layerPorts(server, { hashing: {} }))
  allSuites(ports, { copies: 200 })
})
