#!/usr/bin/env node
import manifest from "../package.json" with { type: "json" }
import { tuneHeap } from "./heap.ts"

const words = process.argv.slice(2)

if (words.length === 1 && (words[0] === "--version" || words[0] === "-v")) {
  process.stdout.write(`parley v${manifest.version}\n`)
} else {
  tuneHeap()
  // Not awaited, because the launcher of the bundle loads this module with require.
  void import("./program.ts")
}
