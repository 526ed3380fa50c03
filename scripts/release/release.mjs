// The release that `npm run dist` builds: names, version, time and folders.
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../../", import.meta.url))

/** The npm scope of all packages. The owner confirms it before the first publication. */
export const scope = "@parley"

export const out = join(root, "out")

/** Parts of the artefacts. It is deleted after a build. */
export const work = join(out, ".work")

const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()

export const readJson = (...path) => JSON.parse(readFileSync(join(...path), "utf8"))

export const manifest = readJson(root, "packages/cli/package.json")

export const { version } = manifest

/** Time of the commit in seconds. Files in artefacts have this time, because two builds must be equal. */
export const epoch = Number(process.env.SOURCE_DATE_EPOCH ?? git("log", "-1", "--format=%ct"))

/** Refuses uncommitted changes, because a release must be built from its commit. */
export const requireCleanTree = () => {
  const changes = git("status", "--porcelain")
  if (changes !== "") {
    throw new Error(`The tree has uncommitted changes. Commit them, or add --dirty for a trial:\n${changes}`)
  }
}
