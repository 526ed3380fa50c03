import { Effect, FileSystem } from "effect"
import { fileURLToPath } from "node:url"

const packages = fileURLToPath(import.meta.resolve("../../../"))

/** The packages that declare metrics. */
const measured = ["domain", "http-adapter", "pg-pipeline", "postgres-adapter", "service"]

const sourcesOf = Effect.fnUntraced(function* (name: string) {
  const fs = yield* FileSystem.FileSystem
  const source = `${packages}${name}/src`
  const files = yield* fs.readDirectory(source, { recursive: true })
  return yield* Effect.forEach(
    files.filter((file) => file.endsWith(".ts")),
    (file) => fs.readFileString(`${source}/${file}`)
  )
})

/** The names of all metrics in the sources. */
export const declaredMetrics = Effect.map(
  Effect.forEach(measured, sourcesOf),
  (sources) =>
    new Set(
      sources
        .flat()
        .flatMap((source) =>
          Array.from(source.matchAll(/(?:Metric\.\w+|[gG]auge|lines)\(\s*"(parley_[a-z_]+)"/g), ([, name = ""]) => name)
        )
    )
)
