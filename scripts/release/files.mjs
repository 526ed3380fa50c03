// Archives and hashes with equal bytes in each build.
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { epoch, out } from "./release.mjs"

export const run = (command, args, options = {}) => {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(epoch), ...options.env }
  return execFileSync(command, args, { encoding: "utf8", maxBuffer: 2 ** 28, ...options, env })
}

export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`

export const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex")

/** Bytes of the files of a folder. A file with several names counts once. */
export const sizeOf = (folder) => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => statSync(join(parentPath, name)))
  const sizes = new Map(files.map(({ ino, size }) => [ino, size]))
  return [...sizes.values()].reduce((total, size) => total + size, 0)
}

const equalTar = [
  "--format=gnu",
  "--sort=name",
  "--owner=0",
  "--group=0",
  "--numeric-owner",
  "--mode=u+rw,go+r-w,a+rX",
  `--mtime=@${epoch}`
]

/** Writes a tar of an entry of a folder. All files belong to root. */
export const tar = (file, folder, entry, ...options) =>
  run("tar", [...equalTar, ...options, "-cf", file, "-C", folder, entry])

/** Compresses a tar with gzip, without a name and a time. */
export const gzip = (file) => {
  const bytes = gzipSync(readFileSync(file), { level: 9 })
  rmSync(file)
  return bytes
}

/** Reports an artefact, and fails if it is larger than its budget in MB. */
export const report = (name, budget = null) => {
  const { size } = statSync(join(out, name))
  process.stdout.write(`${name}: ${megabytes(size)}${budget === null ? "" : ` of ${budget} MB`}\n`)
  if (budget !== null && size > budget * 1e6) throw new Error(`${name} exceeds its budget of ${budget} MB.`)
}
