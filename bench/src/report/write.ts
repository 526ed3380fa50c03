import { Console, DateTime, Effect, FileSystem, Path } from "effect"
import { fileURLToPath } from "node:url"

const results = fileURLToPath(new URL("../../results/", import.meta.url))

/** Saves a report as JSON next to earlier reports. */
export const writeReport = Effect.fnUntraced(function* (bar: string, report: object) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const at = DateTime.formatIso(yield* DateTime.now).replaceAll(":", "-")
  const file = path.join(results, `${bar}-${at}.json`)
  yield* fs.makeDirectory(results, { recursive: true })
  yield* fs.writeFileString(file, `${JSON.stringify(report, null, 2)}\n`)
  yield* Console.log(`\nWritten to ${path.relative(process.cwd(), file)}`)
})
