// The npm package of the command line: the bundle, without dependencies.
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzip, report, run, tar } from "./files.mjs"
import { manifest, out, readJson, root, scope, version, work } from "./release.mjs"

/** The bundle, which several artefacts contain. */
export const bundled = join(work, "bundle")

export const buildBundle = () => {
  run(process.execPath, [join(root, "scripts/bundle.mjs"), bundled], { stdio: "inherit" })
  // The link is for a bundle in the checkout.
  rmSync(join(bundled, "node_modules"), { recursive: true, force: true })
}

/** Versions of the embedded PostgreSQL, which npm installs for the platform. */
const embedded = () => {
  const { optionalDependencies } = readJson(root, "packages/postgres-adapter/package.json")
  const workspace = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")
  const versionOf = (name) => new RegExp(`^  "${name}": (\\S+)$`, "mu").exec(workspace)[1]
  return Object.fromEntries(Object.keys(optionalDependencies).map((name) => [name, versionOf(name)]))
}

export const buildCli = () => {
  const name = `${scope.slice(1)}-cli-${version}.tgz`
  const stage = join(work, "cli")
  mkdirSync(stage, { recursive: true })
  cpSync(bundled, join(stage, "package"), { recursive: true })
  cpSync(join(root, "LICENSE"), join(stage, "package/LICENSE"))
  const { description, engines, keywords, license } = manifest
  const packed = {
    name: `${scope}/cli`,
    version,
    description,
    keywords,
    license,
    bin: { parley: "parley.js" },
    type: "commonjs",
    exports: { "./package.json": "./package.json" },
    publishConfig: { access: "public" },
    optionalDependencies: embedded(),
    engines
  }
  writeFileSync(join(stage, "package/package.json"), `${JSON.stringify(packed, null, 2)}\n`)
  const file = join(stage, "cli.tar")
  tar(file, stage, "package")
  writeFileSync(`${file}.gz`, gzip(file))
  renameSync(`${file}.gz`, join(out, name))
  report(name, 2.5)
}
