import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Path } from "effect"
import { fileURLToPath } from "node:url"

const repository = fileURLToPath(import.meta.resolve("../../../"))

const withoutCode = (text: string) => text.replaceAll(/^ *```.*?^ *```$/gms, "")

/** The anchors of headings, as GitHub writes them. */
const anchorsOf = (text: string) => {
  const seen = new Map<string, number>()
  return new Set(
    Array.from(withoutCode(text).matchAll(/^#{1,6} (.+)$/gm), ([, heading = ""]) => {
      const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase()
      const anchor = words
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(/\s/g, "-")
      const count = seen.get(anchor) ?? 0
      seen.set(anchor, count + 1)
      return count === 0 ? anchor : `${anchor}-${count}`
    })
  )
}

const linksIn = (text: string) =>
  Array.from(withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => target).filter(
    (target) => !/^(?:[a-z]+:|\/)/.test(target)
  )

const inFolder = Effect.fnUntraced(function* (folder: string, recursive: boolean) {
  const fs = yield* FileSystem.FileSystem
  const names = yield* fs.readDirectory(`${repository}${folder}`, { recursive })
  return names.map((name) => `${folder}/${name}`)
})

/** The pages of the repository, and the README of each package and example. */
const documents = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const pages = (yield* inFolder("docs", true)).filter((name) => name.endsWith(".md"))
  const projects = [...(yield* inFolder("packages", false)), ...(yield* inFolder("examples", false))]
  const readmes = yield* Effect.filter(
    projects.map((folder) => `${folder}/README.md`),
    (name) => fs.exists(`${repository}${name}`)
  )
  return [
    "README.md",
    "AGENTS.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "SUPPORT.md",
    ...pages,
    ...readmes
  ]
})

layer(NodeServices.layer)("the documents", (it) => {
  it.effect("link only to files and headings that exist", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const dead: Array<string> = []
      for (const document of yield* documents) {
        const text = yield* fs.readFileString(`${repository}${document}`)
        for (const target of linksIn(text)) {
          const [file = "", anchor = ""] = target.split("#", 2)
          const linked = file === "" ? `${repository}${document}` : path.join(repository, path.dirname(document), file)
          const exists = yield* fs.exists(linked)
          const hasAnchor =
            anchor === "" ||
            (exists && linked.endsWith(".md") && anchorsOf(yield* fs.readFileString(linked)).has(anchor))
          if (!exists || !hasAnchor) dead.push(`${document}: ${target}`)
        }
      }
      assert.deepStrictEqual(dead, [])
    })
  )

  it.effect("are all listed in the index of their folder", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      for (const folder of ["docs", "docs/operations", "docs/runbooks"]) {
        const index = yield* fs.readFileString(`${repository}${folder}/README.md`)
        const pages = (yield* fs.readDirectory(`${repository}${folder}`)).filter(
          (name) => name.endsWith(".md") && name !== "README.md"
        )
        for (const name of pages) assert.include(index, `](${name})`, folder)
      }
    })
  )
})
