import { PluginKey, PluginManifest, PluginVersion, RotatedPluginSecret } from "@parley/domain/integrations"
import { wholeNumber, WrongUsage } from "@parley/service/configuration"
import { Console, DateTime, Effect, Option, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { printJson, printOne } from "../../console/print.ts"
import { confirm } from "../../console/prompts.ts"
import { jsonFile, typedArgument, typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { grants, plugin, settings, suppliedView, view } from "./plugin.ts"

const manifestIn = (path: string) => jsonFile(path, PluginManifest, `The file ${path} is not a manifest of a plugin:`)

export const installCommand = Command.make(
  "install",
  {
    org: Flags.org,
    key: typedArgument("key", PluginKey).pipe(
      Argument.withDescription("Key of the plugin in the catalogue"),
      Argument.optional
    ),
    manifest: Flag.String("manifest").pipe(
      Flag.withMetavar("file"),
      Flag.withDescription("JSON manifest of a plugin outside of the catalogue"),
      Flag.optional
    ),
    grants,
    settings,
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ grants, json, key, manifest, org, quiet, settings }) {
    if (Option.isSome(key) === Option.isSome(manifest)) {
      return yield* new WrongUsage({ message: "Specify the plugin: its key in the catalogue, or --manifest." })
    }
    const input = Option.isSome(manifest) ? { manifest: yield* manifestIn(manifest.value) } : {}
    const payload = {
      ...input,
      ...(Option.isSome(key) && { key: key.value }),
      grants,
      ...(Option.isSome(settings) && { settings: settings.value })
    }
    yield* inTenant(org, ({ plugins }) =>
      Effect.flatMap(plugins.install({ payload }), (installed) => printOne(suppliedView, { json, quiet }, installed))
    )
  })
).pipe(Command.withDescription("Install a plugin with exactly its requested permissions"))

export const updateCommand = Command.make(
  "update",
  { org: Flags.org, plugin, settings, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ json, org, plugin, quiet, settings }) {
    if (Option.isNone(settings)) return yield* new WrongUsage({ message: "Specify a change: --settings." })
    const payload = { settings: settings.value }
    yield* inTenant(org, ({ plugins }) =>
      Effect.flatMap(plugins.update({ params: { id: plugin }, headers: {}, payload }), (changed) =>
        printOne(view, { json, quiet }, changed)
      )
    )
  })
).pipe(Command.withDescription("Change settings of a plugin: absent settings stay, null deletes a setting"))

export const upgradeCommand = Command.make(
  "upgrade",
  {
    org: Flags.org,
    plugin,
    version: typedArgument("version", PluginVersion).pipe(
      Argument.withDescription("Version of the catalogue, as in `parley plugins show`")
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
).pipe(Command.withDescription("Upgrade a plugin. More permissions or another host require --grant"))

const flags = { org: Flags.org, plugin, json: Flags.json, quiet: Flags.quiet }

export const enableCommand = Command.make(
  "enable",
  flags,
  Effect.fn(function* ({ json, org, plugin, quiet }) {
    yield* inTenant(org, ({ plugins }) =>
      Effect.flatMap(plugins.enable({ params: { id: plugin }, headers: {} }), (changed) =>
        printOne(suppliedView, { json, quiet }, changed)
      )
    )
  })
).pipe(Command.withDescription("Enable a plugin for new events, with a new token"))

export const disableCommand = Command.make(
  "disable",
  flags,
  Effect.fn(function* ({ json, org, plugin, quiet }) {
    yield* inTenant(org, ({ plugins }) =>
      Effect.flatMap(plugins.disable({ params: { id: plugin }, headers: {} }), (changed) =>
        printOne(view, { json, quiet }, changed)
      )
    )
  })
).pipe(Command.withDescription("Disable a plugin: it gets no events and its tokens end"))

const force = Flag.Boolean("force").pipe(
  Flag.withDescription("Also if an automation or workflow uses it"),
  Flag.withDefault(false)
)

export const uninstallCommand = Command.make(
  "uninstall",
  { org: Flags.org, plugin, force, yes: Flags.yes },
  Effect.fn(function* ({ force, org, plugin, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ name, plugins }) {
        yield* confirm(`Uninstall the plugin ${plugin} of ${name}, with its token and its settings?`, yes)
        yield* plugins.uninstall({ params: { id: plugin }, headers: {}, query: { force: force ? "true" : "false" } })
        yield* Console.error(`The plugin ${plugin} is uninstalled.`)
      })
    )
  })
).pipe(Command.withDescription("Uninstall a plugin and delete its tokens and secrets"))

const encode = Schema.encodeSync(RotatedPluginSecret)

export const rotateSecretCommand = Command.make(
  "rotate-secret",
  {
    org: Flags.org,
    plugin,
    overlap: typedFlag("overlap", wholeNumber(0, 604_800)).pipe(
      Flag.withMetavar("seconds"),
      Flag.withDescription("Validity of the former ones, in seconds (86400)"),
      Flag.optional
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ json, org, overlap, plugin }) {
    const payload = Option.isSome(overlap) ? { overlapSeconds: overlap.value } : {}
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ plugins }) {
        const rotated = yield* plugins.rotateSecret({ params: { id: plugin }, payload })
        if (json) return yield* printJson(encode(rotated))
        if (rotated.token !== undefined) yield* Console.log(`token   ${Redacted.value(rotated.token)}`)
        if (rotated.secret !== undefined) yield* Console.log(`secret  ${Redacted.value(rotated.secret)}`)
        const until = DateTime.formatIso(rotated.previousSecretExpiresAt)
        yield* Console.error(`The plugin ${plugin} has a new secret. The previous one is valid until ${until}.`)
      })
    )
  })
).pipe(Command.withDescription("Create a new secret and a new token, and send them to the plugin if possible"))
