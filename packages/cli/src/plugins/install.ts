import { PluginKey, PluginManifest } from "@parley/domain"
import { WrongUsage } from "@parley/service/configuration"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { jsonFile } from "../console/json.ts"
import { printOne } from "../console/print.ts"
import { typedArgument } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { grants, settings, suppliedView } from "./plugin.ts"

const manifestIn = (path: string) => jsonFile(path, PluginManifest, `The file ${path} is no manifest of a plugin:`)

/** Installs a plugin. */
export const installCommand = Command.make(
  "install",
  {
    org: Flags.org,
    key: typedArgument("key", PluginKey).pipe(
      Argument.withDescription("The key of a plugin in the catalogue"),
      Argument.optional
    ),
    manifest: Flag.String("manifest").pipe(
      Flag.withMetavar("file"),
      Flag.withDescription("The manifest of one that is not in the catalogue, as JSON"),
      Flag.optional
    ),
    grants,
    settings,
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ grants, json, key, manifest, org, quiet, settings }) {
    if (Option.isSome(key) === Option.isSome(manifest)) {
      return yield* new WrongUsage({ message: "Say which plugin: its key in the catalogue, or --manifest." })
    }
    const said = Option.isSome(manifest) ? { manifest: yield* manifestIn(manifest.value) } : {}
    const payload = {
      ...said,
      ...(Option.isSome(key) && { key: key.value }),
      grants,
      ...(Option.isSome(settings) && { settings: settings.value })
    }
    yield* inTenant(org, ({ plugins }) =>
      Effect.flatMap(plugins.install({ payload }), (installed) => printOne(suppliedView, { json, quiet }, installed))
    )
  })
).pipe(Command.withDescription("Install a plugin, with exactly the permissions that it asks for"))
