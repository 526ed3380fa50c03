// The library packages, for services that embed the domain.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { report, run } from "./files.mjs"
import { out, root, scope } from "./release.mjs"

const names = [
  "client",
  "domain",
  "http-adapter",
  "pg-pipeline",
  "postgres-adapter",
  "provider-adapters",
  "service",
  "simulators",
  "testkit"
]

export const buildPackages = () => {
  const options = { cwd: root, stdio: ["ignore", "ignore", "inherit"] }
  run(join(root, "node_modules/.bin/tsc"), ["-b", "tsconfig.packages.json"], options)
  const filters = names.flatMap((name) => ["--filter", `${scope}/${name}`])
  run("npx", ["-y", "pnpm@12", "-r", ...filters, "pack", "--pack-destination", out], options)
  const packed = new Set(readdirSync(out))
  for (const name of names) {
    const file = [...packed].find((each) => each.startsWith(`${scope.slice(1)}-${name}-`))
    if (file === undefined) throw new Error(`${scope}/${name} was not packed.`)
    report(file)
  }
}
