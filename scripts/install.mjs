// Installs the dependencies when they have changed since the last time. It is plain JavaScript for Node 20 and later,
// because the Node that everything else runs on is one of the dependencies.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const say = (text) => process.stderr.write(`${text}\n`)

const workspaces = ["packages", "examples"]
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
  .concat("bench")
  .filter((folder) => existsSync(join(root, folder, "package.json")))

const hash = createHash("sha256").update(`${process.platform} ${process.arch}`)
const inputs = ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"]
for (const file of [...inputs, ...workspaces.map((folder) => join(folder, "package.json"))]) {
  hash.update(file).update(readFileSync(join(root, file)))
}
const fingerprint = hash.digest("hex")

const mark = join(root, "node_modules", ".installed")
const isInstalled =
  existsSync(mark) &&
  readFileSync(mark, "utf8") === fingerprint &&
  existsSync(join(root, "node_modules", ".bin", "node")) &&
  workspaces.every((folder) => existsSync(join(root, folder, "node_modules")))

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
    say(`${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`)
    say("The dependencies could not be installed: see above. It needs a way to the npm registry.")
    process.exit(1)
  }
  writeFileSync(mark, fingerprint)
}
