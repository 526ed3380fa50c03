// Restarts two nodes one after the other, ten times, behind Caddy and nginx under constant load: no call fails, and readers of the
// event feed lose and repeat no event. It needs caddy, nginx, openssl, psql and PARLEY_TEST_DATABASE_URL.
import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { env, execPath } from "node:process"
import { parseArgs } from "node:util"
import { ask, check, expect, freePort, result, say, sleep, start, waitFor } from "../../.ci/checks.mjs"
import { startProxy } from "./proxies.mjs"
import { countThrottled, startCalls, startReader } from "./traffic.mjs"

const { values } = parseArgs({
  options: { rate: { type: "string", default: "20" }, restarts: { type: "string", default: "10" } }
})
const perSecond = Number(values.rate)
const restarts = Number(values.restarts)

const server = env.PARLEY_TEST_DATABASE_URL ?? "postgres://postgres@127.0.0.1:5432/postgres"
const database = `parley_rolling_${process.pid}`
const databaseUrl = new URL(server)
databaseUrl.pathname = `/${database}`

const folder = mkdtempSync(join(tmpdir(), "parley-rolling-"))
const program = join(import.meta.dirname, "../../packages/cli/src/main.ts")

const settings = {
  PATH: env.PATH,
  PARLEY_ACCESS_LOG: "off",
  PARLEY_DATABASE_URL: databaseUrl.href,
  PARLEY_DRAIN_SECONDS: "10",
  PARLEY_LOG_LEVEL: "warn",
  PARLEY_MASTER_KEYS: `k1:${randomBytes(32).toString("base64")}`,
  PARLEY_RATE_LIMIT_PER_ADDRESS: "20",
  PARLEY_RATE_LIMIT_PER_ORGANIZATION: "1000000",
  PARLEY_RATE_LIMIT_PER_TOKEN: "1000000",
  PARLEY_TRUSTED_PROXY_HOPS: "1",
  NODE_COMPILE_CACHE: join(folder, "compiled")
}

const run = (command, args) => {
  const { status, stderr, stdout } = spawnSync(command, args, { encoding: "utf8", env: settings })
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`)
  return stdout.trim()
}
const sql = (text) => run("psql", [server, "--quiet", "--command", text])
const parley = (...args) => run(execPath, [program, ...args])

const nodes = []
const startNode = async (index) => {
  const { port } = nodes[index]
  const node = start(execPath, [program, "serve", "--port", String(port)], { cwd: folder, env: settings })
  nodes[index].process = node
  const address = `http://127.0.0.1:${port}`
  await waitFor(address, node, 60, "")
  while ((await ask(`${address}/readyz`)).status !== 200) await sleep(50)
}

const quantiles = (millis) => {
  const sorted = millis.toSorted((one, other) => one - other)
  const [median, late, last] = [0.5, 0.99, 1].map((share) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0)
  )
  return `p50 ${median} ms, p99 ${late} ms, maximum ${last} ms`
}

sql(`CREATE DATABASE ${database}`)
const proxies = []
try {
  parley("migrate")
  parley("users", "create", "ann@acme.example", "--name", "Ann")
  parley("orgs", "create", "Acme", "--plan", "scale", "--owner", "ann@acme.example")
  const permissions = ["contacts.read", "contacts.manage", "events.read"].flatMap((name) => ["--permission", name])
  const token = parley("tokens", "issue", "--as", "ann@acme.example", "--name", "Load", ...permissions, "--quiet")
  const organization = parley("orgs", "list", "--quiet")
  const headers = { authorization: `Bearer ${token}`, "x-organization-id": organization }

  nodes.push({ port: await freePort() }, { port: await freePort() })
  await startNode(0)
  await startNode(1)
  const ports = nodes.map(({ port }) => port)
  for (const name of ["caddy", "nginx"]) {
    const { port, process } = await startProxy(name, folder, ports)
    proxies.push({ name, process, target: { name, port, headers } })
  }
  await sleep(3_000)
  for (const proxy of proxies) proxy.reader = startReader(proxy.target)
  await sleep(1_000)
  for (const proxy of proxies) proxy.stopCalls = startCalls(proxy.target, perSecond)

  for (let count = 0; count < restarts; count++) {
    await sleep(3_000)
    await nodes[count % 2].process.stop()
    const { exit } = nodes[count % 2].process.state
    expect(exit.code === 0, `a node ended with ${JSON.stringify(exit)}`)
    await startNode(count % 2)
  }
  await sleep(3_000)

  const created = []
  for (const proxy of proxies) {
    proxy.done = await proxy.stopCalls()
    created.push(...proxy.done.created)
  }
  await sleep(3_000)
  for (const { done, name, reader, target } of proxies) {
    await check(`${name}: callers cannot choose their address`, async () => {
      const throttled = await countThrottled(target, 40)
      expect(throttled > 0, "no call was throttled")
    })
    await check(`${name}: no call fails in ${restarts} restarts`, () => {
      const { calls, failures, millis } = done
      expect(failures.length === 0, `${failures.length} of ${calls} calls failed: ${failures.slice(0, 5).join("; ")}`)
      return `${calls} calls, ${quantiles(millis)}`
    })
    await check(`${name}: the reader of the feed gets each event once`, () => {
      const { connections, contacts, delays, refused } = reader.seen
      const found = new Set(contacts)
      const lost = created.filter((id) => !found.has(id))
      expect(lost.length === 0, `${lost.length} of ${created.length} events were lost`)
      expect(contacts.length === found.size, `${contacts.length - found.size} events were repeated`)
      expect(refused.length === 0, `the feed answered ${refused.join(", ")}`)
      return `${contacts.length} events, ${connections} connections, ${quantiles(delays)}`
    })
  }
} finally {
  for (const { process, reader } of proxies) {
    await reader?.stop()
    await process.stop()
  }
  for (const { process } of nodes) await process?.stop()
  sql(`DROP DATABASE ${database} WITH (FORCE)`)
  rmSync(folder, { recursive: true })
}
say(`${result.passed} passed, ${result.failed} failed`)
process.exitCode = result.failed === 0 ? 0 : 1
