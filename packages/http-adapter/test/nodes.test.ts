import { describe } from "@effect/vitest"
import { serverUrl } from "@parley/postgres-adapter/testing"
import { nodesSuite, passwordFloodSuite, sharedLimitsSuite } from "./suites/nodes.ts"

describe.skipIf(serverUrl === null)("two nodes on one PostgreSQL (set PARLEY_TEST_DATABASE_URL to run)", () => {
  nodesSuite("within a second, every node follows")
  sharedLimitsSuite("rate limits")
  passwordFloodSuite("passwords")
})
