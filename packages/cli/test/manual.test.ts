import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { catalogue } from "@parley/service/configuration"
import { Effect, FileSystem } from "effect"
import { fileURLToPath } from "node:url"
import { ExitCode } from "../src/console/Failure.ts"

const manual = Effect.flatMap(FileSystem.FileSystem, (fs) =>
  fs.readFileString(fileURLToPath(import.meta.resolve("../../../docs/operations.md")))
)

layer(NodeServices.layer)("docs/operations.md", (it) => {
  it.effect("lists every setting with its flag and default, and no unknown setting", () =>
    Effect.gen(function* () {
      const text = yield* manual
      const listed = Array.from(text.matchAll(/^\| `(PARLEY_\w+)` +\|(?: `(--[\w-]+)`)? +\|/gm), ([, name, flag]) => [
        name,
        flag ?? null
      ])
      assert.deepStrictEqual(
        listed.toSorted(),
        Object.values(catalogue)
          .map(({ flag, variable }) => [variable, flag === null ? null : `--${flag}`])
          .toSorted()
      )
      for (const { fallback, variable } of Object.values(catalogue)) {
        if (typeof fallback.value !== "number") continue
        assert.match(text, new RegExp(`^\\| \`${variable}\` .*\\| ${fallback.value} +\\|`, "m"))
      }
    })
  )

  it.effect("lists every exit code", () =>
    Effect.gen(function* () {
      const text = yield* manual
      const listed = Array.from(text.matchAll(/^\| (\d+) +\|/gm), ([, code]) => Number(code))
      assert.deepStrictEqual(listed, Object.values(ExitCode))
    })
  )
})
