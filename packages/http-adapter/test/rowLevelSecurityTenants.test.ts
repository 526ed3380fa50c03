import { describe, vi } from "@effect/vitest"
import { layerLockedServer, underRowLevelSecurity } from "@parley/postgres-adapter/testing"
import { inRealTime, layerPorts } from "./harness/postgres.ts"
import { heldInDatabase } from "./harness/sight.ts"
import { tenancySuite } from "./suites/tenancy.ts"

// Every statement runs four times here. What runs under row level security is spread over files, so that they share the cores.
vi.setConfig({ testTimeout: 30_000 })

describe("under row level security", () => {
  tenancySuite("tenants", layerPorts(inRealTime(underRowLevelSecurity(layerLockedServer))), heldInDatabase)
})
