import { WrongConfiguration } from "@parley/service/configuration"
import { Config, Effect, FileSystem, Option } from "effect"
import { resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

/** Folder of the bundle, or of the sources. */
const here = new URL(".", import.meta.url)

const hasSite = (folder: URL) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.orDie(fs.exists(fileURLToPath(new URL("site", folder)))))

/** Finds the files of the bundle: the folder of PARLEY_ASSETS, or the folder of the bundle. Null: each package has its own files. */
export const findAssets = Effect.gen(function* () {
  const named = Option.getOrNull(yield* Effect.orDie(Config.option(Config.String("PARLEY_ASSETS"))))
  if (named === null) return (yield* hasSite(here)) ? here.href : null
  const folder = pathToFileURL(`${resolve(named)}/`)
  if (yield* hasSite(folder)) return folder.href
  return yield* new WrongConfiguration({
    faults: [`PARLEY_ASSETS: ${resolve(named)} has no folder site. Name the folder that contains parley.js.`]
  })
})
