import { describe, vi } from "@effect/vitest"
import { layerLockedServer, makeVerdicts, underRowLevelSecurity } from "@parley/postgres-adapter/testing"
import { inRealTime, layerPorts } from "./harness/postgres.ts"
import { heldInDatabase } from "./harness/sight.ts"
import { automationTestsSuite } from "./suites/automationTests.ts"
import { strangersSuite, tenancySuite } from "./suites/tenancy.ts"
import { workflowTestsSuite } from "./suites/workflowTests.ts"

// Statements run four times here until they are shown to name their organization. What runs under row level security is spread
// over files, so that they share the cores.
vi.setConfig({ testTimeout: 30_000 })

const ports = layerPorts(inRealTime(underRowLevelSecurity(layerLockedServer, { verdicts: makeVerdicts() })))

describe("under row level security", () => {
  tenancySuite("tenants", ports, heldInDatabase)
  strangersSuite("strangers", ports, heldInDatabase)
  automationTestsSuite("tests of automations", ports, heldInDatabase)
  workflowTestsSuite("tests of workflows", ports, heldInDatabase)
})
