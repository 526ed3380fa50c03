import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { catalogue, fileVariableOf, settingVariables } from "@parley/service/configuration"
import { Effect, FileSystem } from "effect"
import { fileURLToPath } from "node:url"
import { commandTable } from "../src/commandTable.ts"
import { ExitCode } from "../src/console/Failure.ts"
import { declaredMetrics } from "./support/metrics.ts"

const folder = fileURLToPath(import.meta.resolve("../../../docs/operations/"))

const page = (name: string) => Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(`${folder}${name}.md`))

const pages = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const names = yield* fs.readDirectory(folder)
  return yield* Effect.forEach(names, (name) =>
    Effect.map(fs.readFileString(`${folder}${name}`), (text) => ({ name, text }))
  )
})

layer(NodeServices.layer)("docs/operations", (it) => {
  it.effect("lists every setting with its flag and default, and no unknown setting", () =>
    Effect.gen(function* () {
      const text = yield* page("configure")
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

  it.effect("lists the file variable of every secret", () =>
    Effect.gen(function* () {
      const [, section = ""] = (yield* page("configure")).split("## Secrets in files")
      const listed = Array.from(section.matchAll(/^- `(PARLEY_\w+_FILE)`/gm), ([, variable]) => variable)
      assert.deepStrictEqual(
        listed,
        Object.values(catalogue).flatMap((setting) => fileVariableOf(setting) ?? [])
      )
    })
  )

  it.effect("names only settings that exist", () =>
    Effect.gen(function* () {
      const known = new Set<string>(["PARLEY_ASSETS", ...settingVariables])
      for (const { name, text } of yield* pages) {
        const unknown = Array.from(text.matchAll(/\bPARLEY_[A-Z_]+/g), ([variable]) => variable)
        assert.deepStrictEqual(
          unknown.filter((variable) => !known.has(variable)),
          [],
          name
        )
      }
    })
  )

  it.effect("lists every exit code", () =>
    Effect.gen(function* () {
      const text = yield* page("cli")
      const listed = Array.from(text.matchAll(/^\| (\d+) +\|/gm), ([, code]) => Number(code))
      assert.deepStrictEqual(listed, Object.values(ExitCode))
    })
  )

  it.effect("lists every metric, and no unknown metric", () =>
    Effect.gen(function* () {
      const declared = yield* declaredMetrics
      const listed = Array.from(
        (yield* page("metrics")).matchAll(/^\| `(parley_[a-z_]+)` +\|/gm),
        ([, name = ""]) => name
      )
      assert.deepStrictEqual(listed.toSorted(), Array.from(declared).toSorted())
    })
  )

  it.effect("names only commands that exist", () =>
    Effect.gen(function* () {
      const known = new Set<string>(
        commandTable.flatMap(({ commands }) =>
          commands.flatMap((command) => ("alias" in command ? [command.name, command.alias] : [command.name]))
        )
      )
      for (const { name, text } of yield* pages) {
        const called = Array.from(text.matchAll(/(?:^|`|\$\()parley ([a-z][a-z-]+)/gm), ([, command = ""]) => command)
        assert.deepStrictEqual(
          called.filter((command) => !known.has(command)),
          [],
          name
        )
      }
    })
  )
})
