#!/usr/bin/env node
// Everything else is imported after this check, because older versions of Node cannot run it.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
const words = process.argv.slice(2)

/** Runs `parley ready` without the program, because probes repeat it every few seconds. */
async function isAnswered() {
  if (words[0] !== "ready") return false
  const [{ env }, { askReady, readyAddressOf }] = await Promise.all([import("node:process"), import("./ready.ts")])
  const address = readyAddressOf(words.slice(1), env)
  if (address === null) return false
  const { code, line } = await askReady(address)
  process.exitCode = code
  if (code === 0) process.stdout.write(`${line}\n`)
  else process.stderr.write(`parley: ${line}\n`)
  return true
}

if (major < 24 || (major === 24 && minor < 7)) {
  process.stderr.write(`parley: Node 24.7 or newer is required. This is Node ${process.versions.node}.\n`)
  process.exitCode = 3
} else if (words.length === 1 && (words[0] === "--version" || words[0] === "-v")) {
  const { default: manifest } = await import("../package.json", { with: { type: "json" } })
  process.stdout.write(`parley v${manifest.version}\n`)
} else if (!(await isAnswered())) {
  const { tuneHeap } = await import("./heap.ts")
  tuneHeap()
  await import("./program.ts")
}
