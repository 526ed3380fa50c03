// Counted checks of scripts, and their shared functions. Plain JavaScript for the Node of the machine.
import { spawn } from "node:child_process"
import { createServer } from "node:net"

export const result = { passed: 0, failed: 0 }

export const say = (text) => process.stdout.write(`${text}\n`)

export const check = async (name, holds) => {
  try {
    const found = await holds()
    result.passed++
    say(`ok      ${name}${typeof found === "string" ? `: ${found}` : ""}`)
  } catch (error) {
    result.failed++
    say(`FAILED  ${name}: ${error.message}`)
  }
}

export const expect = (condition, problem) => {
  if (!condition) throw new Error(problem)
}

export const sleep = (millis) => new Promise((resolve) => setTimeout(resolve, millis))

export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** Starts a service in its own process group, and collects its output. */
export const start = (command, args, options) => {
  const child = spawn(command, args, { ...options, detached: true })
  const state = { output: "", exit: null }
  child.stdout.on("data", (text) => (state.output += text))
  child.stderr.on("data", (text) => (state.output += text))
  const ended = new Promise((resolve) =>
    child.on("exit", (code, signal) => {
      state.exit = { code, signal }
      resolve()
    })
  )
  const stop = async () => {
    // The process group contains only processes that this script has started.
    if (state.exit === null) process.kill(-child.pid, "SIGTERM")
    await Promise.race([ended, sleep(30_000)])
    if (state.exit !== null) return
    process.kill(-child.pid, "SIGKILL")
    throw new Error("it did not stop within 30 seconds")
  }
  return { state, stop }
}

export const ask = (url, init) => globalThis.fetch(url, { ...init, signal: AbortSignal.timeout(5_000) })

const isUp = (address) =>
  ask(`${address}/healthz`).then(
    (answer) => answer.status === 200,
    () => false
  )

/** Waits until a service answers and has printed this text. Returns the seconds. */
export const waitFor = async (address, { state }, seconds, text) => {
  const from = performance.now()
  while (performance.now() - from < seconds * 1000) {
    if (state.exit !== null) throw new Error(`it ended before it was up:\n${state.output}`)
    if (state.output.includes(text) && (await isUp(address))) return (performance.now() - from) / 1000
    await sleep(100)
  }
  throw new Error(`it was not up after ${seconds} seconds:\n${state.output}`)
}
