import { describe } from "@effect/vitest"
import { nodesSuite, passwordFloodSuite, sharedLimitsSuite } from "./suites/nodes.ts"

describe("two nodes on one PostgreSQL", () => {
  nodesSuite("within a second, every node follows")
  sharedLimitsSuite("rate limits")
  passwordFloodSuite("passwords")
})
