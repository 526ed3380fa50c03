// Installs the dependencies of the repository, or of the folder that is named, when they have changed since the last time.
// Plain JavaScript for Node 20 and later, because the Node version of the other scripts is a dependency.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const repository = dirname(dirname(fileURLToPath(import.meta.url)))
const [, , folder = repository] = process.argv
const root = resolve(folder)
const say = (text) => process.stderr.write(`${text}\n`)

const foldersIn = (...path) => {
  const parent = join(root, ...path)
  return existsSync(parent) ? readdirSync(parent).map((name) => join(...path, name)) : []
}

const workspaces = [...foldersIn("packages"), ...foldersIn("examples"), "bench"].filter((workspace) =>
  existsSync(join(root, workspace, "package.json"))
)

const hash = createHash("sha256").update(`${process.platform} ${process.arch}`)
const inputs = ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"]
for (const file of [...inputs, ...workspaces.map((workspace) => join(workspace, "package.json"))]) {
  hash.update(file).update(readFileSync(join(root, file)))
}
const fingerprint = hash.digest("hex")

const mark = join(root, "node_modules", ".installed")
const isInstalled =
  existsSync(mark) &&
  readFileSync(mark, "utf8") === fingerprint &&
  workspaces.every((workspace) => existsSync(join(root, workspace, "node_modules")))

// Node brings headers for addons, and the type checker brings builds for versions and tools that are not used here: together
// a quarter of what would lie there.
const dropUnused = () => {
  for (const store of foldersIn("node_modules", ".pnpm")) {
    const inside = [
      ...foldersIn(store, "node_modules", "node", "node_modules"),
      ...foldersIn(store, "node_modules", "@effect")
    ]
    for (const unpacked of inside) {
      const builds = foldersIn(unpacked, "artifacts", "typescript").filter((build) => build.includes("-dev."))
      const unused = ["include", "share", "artifacts/oxlint", "artifacts/oxlint-tsgolint"].map((name) =>
        join(unpacked, name)
      )
      const isOurs = /[\\/](?:node|tsgo)-[^\\/]+$/.test(unpacked)
      for (const path of isOurs ? [...unused, ...builds] : [])
        rmSync(join(root, path), { recursive: true, force: true })
    }
  }
}

if (!isInstalled) {
  say("Installing the dependencies. The first time takes about a minute.")
  const args = ["-y", "pnpm@12", "install", "--frozen-lockfile", "--config.confirmModulesPurge=false"]
  const { error, status, stderr, stdout } = spawnSync("npx", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
    maxBuffer: 64 * 1024 * 1024
  })
  if (status !== 0) {
    const output = `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`
    say(output)
    say(
      output.includes("frozen-lockfile")
        ? "pnpm-lock.yaml does not list all dependencies of the workspace. Update it: npx -y pnpm@12 install --no-frozen-lockfile"
        : "The dependencies could not be installed: see above. The installation needs access to the npm registry."
    )
    process.exit(1)
  }
  dropUnused()
  writeFileSync(mark, fingerprint)
}
