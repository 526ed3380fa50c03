// Builds the artefacts of a release into out/, with SHA256SUMS. Two builds of a commit are equal. Without names, it builds all:
// npm run dist -- cli packages tarball standalone deb image sbom
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { buildBundle, buildCli } from "./release/cli.mjs"
import { buildDeb } from "./release/deb.mjs"
import { sha256 } from "./release/files.mjs"
import { buildImage } from "./release/image.mjs"
import { buildPackages } from "./release/packages.mjs"
import { out, requireCleanTree, work } from "./release/release.mjs"
import { refusalOf } from "./release/requirements.ts"
import { buildSbom } from "./release/sbom.mjs"
import { buildStandalone, buildTarball } from "./release/tarballs.mjs"

const artefacts = {
  cli: buildCli,
  packages: buildPackages,
  tarball: buildTarball,
  standalone: buildStandalone,
  deb: buildDeb,
  image: buildImage,
  sbom: buildSbom
}

const args = process.argv.slice(2)
const chosen = args.filter((arg) => !arg.startsWith("--"))
const names = Object.keys(artefacts).filter((name) => chosen.length === 0 || chosen.includes(name))
const unknown = chosen.filter((name) => !(name in artefacts))
const refusal =
  unknown.length === 0
    ? refusalOf(names, process)
    : `Unknown artefacts: ${unknown.join(", ")}. Known: ${Object.keys(artefacts).join(", ")}.`
if (refusal !== null) {
  process.stderr.write(`${refusal}\n`)
  process.exit(1)
}
if (!args.includes("--dirty")) requireCleanTree()

rmSync(out, { recursive: true, force: true })
mkdirSync(work, { recursive: true })
if (names.some((name) => name !== "packages")) buildBundle()
for (const name of names) {
  const from = performance.now()
  artefacts[name]()
  process.stdout.write(`${name}: ${((performance.now() - from) / 1000).toFixed(1)} s\n`)
}
rmSync(work, { recursive: true })
const sums = readdirSync(out)
  .toSorted()
  .map((name) => `${sha256(readFileSync(join(out, name)))}  ${name}\n`)
writeFileSync(join(out, "SHA256SUMS"), sums.join(""))
