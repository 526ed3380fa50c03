import { describe, vi } from "@effect/vitest"
import { layerLockedServer, makeVerdicts, underRowLevelSecurity } from "@parley/postgres-adapter/testing"
import { inRealTime, layerPorts } from "./harness/postgres.ts"
import { heldInDatabase } from "./harness/sight.ts"
import { tenancySuite } from "./suites/tenancy.ts"

// Statements run four times here until they are shown to name their organization. What runs under row level security is spread
// over files, so that they share the cores.
vi.setConfig({ testTimeout: 30_000 })

describe("under row level security", () => {
  tenancySuite(
    "tenants",
    layerPorts(inRealTime(underRowLevelSecurity(layerLockedServer, { verdicts: makeVerdicts() }))),
    heldInDatabase
  )
})
