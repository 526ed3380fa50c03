// The packages in a bundle, and their licences.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const allowed = new Set(["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0"])

/** Folder of the package that contains a module. Null: the module is ours. */
const folderOf = (module) => /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/u.exec(module)?.[1] ?? null

const textIn = (folder) => {
  const file = readdirSync(folder)
    .filter((name) => /^(?:licen[cs]e|copying)(?:[.-].*)?$/iu.test(name))
    .toSorted()[0]
  return file === undefined ? null : readFileSync(join(folder, file), "utf8").trim()
}

/** Reads the packages of the modules. Fails for a licence that is not allowed. */
export const componentsOf = (modules) => {
  const folders = new Set(modules.map(folderOf).filter((folder) => folder !== null))
  const found = new Map()
  for (const folder of folders) {
    if (!existsSync(join(folder, "package.json"))) continue
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    if (!allowed.has(license)) throw new Error(`${name}@${version} has the licence ${license}, which is not allowed.`)
    found.set(`${name}@${version}`, { name, version, license, text: textIn(folder) })
  }
  return [...found.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** The file THIRD-PARTY-LICENSES. */
export const licenceTexts = (components) =>
  components
    .map(
      ({ license, name, text, version }) => `${name} ${version} (${license})\n\n${text ?? "The package has no text."}\n`
    )
    .join(`\n${"-".repeat(80)}\n\n`)
