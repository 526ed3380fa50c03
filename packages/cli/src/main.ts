#!/usr/bin/env node
import manifest from "../package.json" with { type: "json" }
import { tuneHeap } from "./heap.ts"

const words = process.argv.slice(2)

// Imports are not awaited, because the launcher of the bundle loads this module with require.
const runProgram = () => {
  tuneHeap()
  void import("./program.ts")
}

if (words.length === 1 && (words[0] === "--version" || words[0] === "-v")) {
  process.stdout.write(`parley v${manifest.version}\n`)
} else if (words[0] === "ready") {
  void import("./ready.ts").then(({ answerReady }) => answerReady(words.slice(1), runProgram))
} else runProgram()
