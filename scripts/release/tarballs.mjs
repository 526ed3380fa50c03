// Archives of /opt/parley: with Node, and with Node and PostgreSQL.
import { rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { report, run, tar } from "./files.mjs"
import { out, version, work } from "./release.mjs"
import { buildTree } from "./tree.mjs"

const build = (name, hasPostgres, budget) => {
  const tree = buildTree({ hasPostgres })
  const file = join(work, "archive.tar")
  tar(file, dirname(tree), "parley")
  run("zstd", ["-q", "-f", "-10", "-T2", file, "-o", join(out, name)])
  rmSync(file)
  report(name, budget)
}

const base = `parley-${version}-${process.platform}-${process.arch}`

export const buildTarball = () => build(`${base}.tar.zst`, false, 40)

export const buildStandalone = () => build(`${base}-standalone.tar.zst`, true, 58)
