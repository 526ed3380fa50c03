// Boots `npm start` in a fresh clone, as a newcomer would, and checks over HTTP that it works. Plain JavaScript for the
// Node of the machine. It writes how many checks passed and failed to the file that it is given.
import { spawn, spawnSync } from "node:child_process"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"

const [, , repository, folder, tally] = process.argv
const clone = join(folder, "parley")
const result = { passed: 0, failed: 0 }
const say = (text) => process.stdout.write(`${text}\n`)

const check = async (name, holds) => {
  try {
    const found = await holds()
    result.passed++
    say(`ok      ${name}${typeof found === "string" ? `: ${found}` : ""}`)
  } catch (error) {
    result.failed++
    say(`FAILED  ${name}: ${error.message}`)
  }
}

const expect = (condition, problem) => {
  if (!condition) throw new Error(problem)
}

const sleep = (millis) => new Promise((resolve) => setTimeout(resolve, millis))

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const start = async (port) => {
  const child = spawn("npm", ["start", "--", "--port", String(port)], { cwd: clone, detached: true })
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
    // npm, its shell and the server are one process group, which only this script has started.
    if (state.exit === null) process.kill(-child.pid, "SIGTERM")
    await Promise.race([ended, sleep(30_000)])
    if (state.exit !== null) return
    process.kill(-child.pid, "SIGKILL")
    throw new Error("it did not stop within 30 seconds")
  }
  return { state, stop }
}

const ask = (url, init) => globalThis.fetch(url, { ...init, signal: AbortSignal.timeout(5_000) })

const isUp = (address) =>
  ask(`${address}/healthz`).then(
    (answer) => answer.status === 200,
    () => false
  )

// The server answers a moment before the demo writes its file and its welcome.
const welcome = "Parley is running at"

const waitFor = async (address, { state }, seconds) => {
  const from = performance.now()
  while (performance.now() - from < seconds * 1000) {
    if (state.exit !== null) throw new Error(`it ended before it was up:\n${state.output}`)
    if (state.output.includes(welcome) && (await isUp(address))) return (performance.now() - from) / 1000
    await sleep(100)
  }
  throw new Error(`it was not up after ${seconds} seconds:\n${state.output}`)
}

const { status, stderr } = spawnSync("git", ["clone", "--quiet", repository, clone], { encoding: "utf8" })
expect(status === 0, `git clone failed: ${stderr}`)

const port = await freePort()
const address = `http://127.0.0.1:${port}`
const service = await start(port)
await check("npm start comes up in a fresh clone", async () => `${(await waitFor(address, service, 240)).toFixed(1)} s`)
await check("its demo password is for its owner alone", () => {
  const { mode } = statSync(join(clone, ".parley/demo.json"))
  expect((mode & 0o077) === 0, `the mode is ${(mode & 0o777).toString(8)}`)
})
await check("the demo user logs in and reads /auth/me", async () => {
  const { password, users } = JSON.parse(readFileSync(join(clone, ".parley/demo.json"), "utf8"))
  const login = await ask(`${address}/api/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: users[0].email, password })
  })
  expect(login.status === 200, `login answered ${login.status}`)
  const { accessToken } = await login.json()
  const me = await ask(`${address}/api/v1/auth/me`, { headers: { authorization: `Bearer ${accessToken}` } })
  expect(me.status === 200, `/auth/me answered ${me.status}`)
  const { organization, user } = await me.json()
  return `${user.email} of ${organization.name}`
})
await check("the documentation page is there", async () => {
  const { status } = await ask(`${address}/docs`)
  expect(status === 200, `/docs answered ${status}`)
})
await check("it stops on SIGTERM", service.stop)

// A start that is slow is slow each time; the machine's other work may hold up one.
const tries = 3
await check("a later start takes less than 10 seconds", async () => {
  const took = []
  for (let attempt = 0; attempt < tries; attempt++) {
    const again = await start(port)
    took.push(await waitFor(address, again, 60))
    await again.stop()
    if (took.at(-1) < 10) break
  }
  const seconds = took.map((each) => `${each.toFixed(1)} s`).join(", ")
  expect(took.at(-1) < 10, `it took ${seconds}`)
  return seconds
})

writeFileSync(tally, JSON.stringify(result))
process.exitCode = result.failed === 0 ? 0 : 1
