import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"

const packages = join(import.meta.dirname, "../packages")

const filesIn = (folder: string) =>
  readdirSync(join(packages, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return { name: basename(path, ".ts"), path: path.slice(packages.length + 1), text: readFileSync(path, "utf8") }
    })

const firstGroups = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, found = ""]) => found)

const ports = new Set(
  filesIn("domain/src").flatMap(({ text }) => firstGroups(text, /class (\w+) extends Context\.Service</gu))
)

/** Files with one exported layer, each with the port that the layer implements. */
const adapters = ["postgres-adapter/src", "testkit/src/memory"].flatMap(filesIn).flatMap(({ name, path, text }) =>
  firstGroups(text, /^export const layer = Layer\.\w+\(\s*(\w+),/gmu)
    .filter((port) => ports.has(port))
    .map((port) => ({ name, path, port }))
)

const contracts = filesIn("testkit/src/contracts").flatMap(({ path, text }) =>
  firstGroups(text, /^ {2}port: "([A-Z]\w*)"/gmu).map((port) => ({ path, port }))
)

describe("an adapter", () => {
  it("has the name of its port", () => {
    assert.isAtLeast(adapters.length, 150)
    assert.deepStrictEqual(
      adapters.filter(({ name, port }) => name !== port),
      []
    )
  })

  it("has a contract under the name of an existing port", () => {
    assert.isAtLeast(contracts.length, 50)
    assert.deepStrictEqual(
      contracts.filter(({ port }) => !ports.has(port)),
      []
    )
  })
})
