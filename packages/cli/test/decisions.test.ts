import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Path } from "effect"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(import.meta.resolve("../../../docs/decisions"))

layer(NodeServices.layer)("the index of decisions", (it) => {
  it.effect("lists every decision once, with its title", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const files = (yield* fs.readDirectory(folder)).filter((name) => /^\d/.test(name))
      const titles = yield* Effect.forEach(files, (name) =>
        Effect.map(
          fs.readFileString(path.join(folder, name)),
          (text) => `- [${text.split("\n", 1)[0]?.slice(2)}](${name})`
        )
      )
      const index = yield* fs.readFileString(path.join(folder, "README.md"))
      const listed = index.split("\n").filter((line) => line.startsWith("- "))
      assert.deepStrictEqual(listed.toSorted(), titles.toSorted())
    })
  )
})
