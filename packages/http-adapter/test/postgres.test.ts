import { layerServer } from "@parley/postgres-adapter/testing"
import { inRealTime, layerPorts } from "./harness/postgres.ts"
import { atRestSuite } from "./suites/atRest.ts"
import { idempotencySuite } from "./suites/idempotency.ts"
import { racesSuite } from "./suites/races.ts"
import { timingSuite } from "./suites/timing.ts"

// What the oracle holds up or changes. Everything else runs under it, on the same statements, and in memory.
const server = inRealTime(layerServer)
const ports = layerPorts(server)

atRestSuite("at rest on PostgreSQL", ports)
racesSuite("races on PostgreSQL", ports)
timingSuite("timing on PostgreSQL", layerPorts(server, { hashing: {} }))
idempotencySuite("idempotency on PostgreSQL", ports, { copies: 200 })
