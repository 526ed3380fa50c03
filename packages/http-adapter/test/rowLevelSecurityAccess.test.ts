import { describe, vi } from "@effect/vitest"
import { layerServer, underRowLevelSecurity } from "@parley/postgres-adapter/testing"
import { inRealTime, layerPorts } from "./harness/postgres.ts"
import { accessSuites } from "./suites/all.ts"

// Every statement runs four times here. What runs under row level security is spread over files, so that they share the cores.
vi.setConfig({ testTimeout: 30_000 })

describe("under row level security", () => {
  accessSuites(layerPorts(inRealTime(underRowLevelSecurity(layerServer))))
})
