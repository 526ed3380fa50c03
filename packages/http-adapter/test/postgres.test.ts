import { layerServer } from "@parley/postgres-adapter/testing"
import { inRealTime, layerPorts } from "./harness/postgres.ts"
import { storageSuites } from "./suites/all.ts"
import { atRestSuite } from "./suites/atRest.ts"
import { racesSuite } from "./suites/races.ts"
import { secrecySuite } from "./suites/secrecy.ts"
import { timingSuite } from "./suites/timing.ts"

// Suites that the oracle delays or changes, and suites that do not depend on row ownership. All other suites run under
// it, on the same
// statements, and in memory.
const server = inRealTime(layerServer)
const ports = layerPorts(server)

atRestSuite("at rest on PostgreSQL", ports)
racesSuite("races on PostgreSQL", ports)
timingSuite("timing on PostgreSQL", layerPorts(server, { hashing: {} }))
storageSuites(ports)
secrecySuite("secrets", ports)
