import type { Settings } from "@parley/service/configuration"
import { Config, Effect, Option, Path } from "effect"

const variable = (name: string) =>
  Effect.map(Effect.orDie(Config.option(Config.String(name))), (value) =>
    Option.filter(value, (text) => text.trim() !== "")
  )

/** Where the command line keeps what is this user's own; nobody has a place for it where there is no home. */
export const configFolder = Effect.fnUntraced(function* ({ configDir }: Pick<Settings, "configDir">) {
  if (configDir.value !== null) return Option.some(configDir.value)
  const path = yield* Path.Path
  const xdg = Option.filter(yield* variable("XDG_CONFIG_HOME"), path.isAbsolute)
  const home = Option.orElse(yield* variable("HOME"), () => Option.none<string>())
  const profile = Option.isSome(home) ? home : yield* variable("USERPROFILE")
  const config = Option.orElse(xdg, () => Option.map(profile, (folder) => path.join(folder, ".config")))
  return Option.map(config, (folder) => path.join(folder, "parley"))
})
