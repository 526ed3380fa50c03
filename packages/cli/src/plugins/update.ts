import { PluginVersion } from "@parley/domain"
import { WrongUsage } from "@parley/service/configuration"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { typedArgument } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { grants, plugin, settings, suppliedView, view } from "./plugin.ts"

/** Changes settings of a plugin. */
export const updateCommand = Command.make(
  "update",
  { org: Flags.org, plugin, settings, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ json, org, plugin, quiet, settings }) {
    if (Option.isNone(settings)) return yield* new WrongUsage({ message: "Say what to change: --settings." })
    const payload = { settings: settings.value }
    yield* inTenant(org, ({ plugins }) =>
      Effect.flatMap(plugins.update({ params: { id: plugin }, headers: {}, payload }), (changed) =>
        printOne(view, { json, quiet }, changed)
      )
    )
  })
).pipe(Command.withDescription("Change settings of a plugin: an absent one stays, null takes one away"))

/** Has a plugin be the version of the catalogue. */
export const upgradeCommand = Command.make(
  "upgrade",
  {
    org: Flags.org,
    plugin,
    version: typedArgument("version", PluginVersion).pipe(
      Argument.withDescription("The version of the catalogue, as `parley plugins show` has it")
    ),
    grants,
    settings,
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ grants, json, org, plugin, quiet, settings, version }) {
    const payload = {
      version,
      ...(grants.length > 0 && { grants }),
      ...(Option.isSome(settings) && { settings: settings.value })
    }
    yield* inTenant(org, ({ plugins }) =>
      Effect.flatMap(plugins.upgrade({ params: { id: plugin }, headers: {}, payload }), (changed) =>
        printOne(suppliedView, { json, quiet }, changed)
      )
    )
  })
).pipe(Command.withDescription("Upgrade a plugin; one that asks for more, or is on another host, needs --grant"))
