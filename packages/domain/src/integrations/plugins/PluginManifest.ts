import { Schema } from "effect"
import { isStorable, Permission, StorableJsonObject } from "../../kernel/index.ts"
import { SingleLineText } from "../../platform/identity/index.ts"
import { EventPattern } from "../webhooks/index.ts"

/** Areas whose permissions no plugin can hold: they reach people, other programs and irreversible actions. */
const nonGrantableAreas = ["owners.", "members.", "organization.", "tokens.", "plugins."]

const nonGrantablePermissions: ReadonlySet<Permission> = new Set<Permission>([
  "webhook_subscriptions.manage",
  "audit.read",
  "contacts.erase",
  "contacts.export"
])

/** Returns whether a plugin can hold the permission. */
export const isGrantable = (permission: Permission): boolean =>
  !nonGrantablePermissions.has(permission) && !nonGrantableAreas.some((area) => permission.startsWith(area))

export const grantablePermissions: ReadonlyArray<Permission> = Permission.literals.filter(isGrantable)

/** Returns whether two lists contain the same permissions. */
export const hasSamePermissions = (one: ReadonlyArray<Permission>, other: ReadonlyArray<Permission>): boolean => {
  const [first, second] = [new Set(one), new Set(other)]
  return first.size === second.size && first.isSubsetOf(second)
}

/** Maximum size of a manifest, and of the answer of an action, in bytes. */
export const maxPluginBytes = 64 * 1024

/** Key of a plugin, chosen by its publisher. */
export const PluginKey = Schema.String.check(
  Schema.isPattern(/^[a-z0-9-]{3,40}$/u, { message: "Expected 3 to 40 of a-z, 0-9 and hyphens" })
)

export const PluginVersion = Schema.String.check(
  Schema.isPattern(/^(?:0|[1-9]\d{0,5})\.(?:0|[1-9]\d{0,5})\.(?:0|[1-9]\d{0,5})$/u, {
    message: "Expected a version of three numbers such as 1.4.0"
  })
)

const boundedName = (most: number) =>
  SingleLineText.check(Schema.isMaxCodePoints(most, { message: `Expected at most ${most} characters` }))

const Url = Schema.String.check(
  isStorable,
  Schema.isBetweenCodePoints(1, 2_000, { message: "Expected 1 to 2000 characters" })
)

/** Path below `baseUrl`: no query, no parent segments, and no characters that parsers read differently. */
const Path = Schema.String.check(
  Schema.isMaxCodePoints(500, { message: "Expected at most 500 characters" }),
  Schema.isPattern(/^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/u, {
    message: "Expected a path such as /events, of letters, digits, dots, hyphens and underscores"
  })
)

export const PluginActionKey = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z0-9_]{0,59}$/u, {
    message: "Expected a name such as add_points, of at most 60 characters"
  })
)

const GrantablePermission = Permission.check(
  Schema.makeFilter(
    (permission) => grantablePermissions.includes(permission) || "Expected a permission that is available to plugins"
  )
)

/** Action that a plugin performs on request. */
export const PluginAction = Schema.Struct({
  key: PluginActionKey,
  path: Path,
  timeoutSeconds: Schema.Number.check(
    Schema.isInt({ message: "Expected a whole number" }),
    Schema.isBetween({ minimum: 1, maximum: 30 }, { message: "Expected a whole number from 1 to 30" })
  ),
  input: StorableJsonObject.annotateKey({ description: "Input as JSON Schema." }),
  output: StorableJsonObject.annotateKey({ description: "Output as JSON Schema." })
}).annotate({ identifier: "PluginAction" })
export type PluginAction = typeof PluginAction.Type

/** Manifest of a plugin: its events, permissions, settings and actions. */
export const PluginManifest = Schema.Struct({
  manifestVersion: Schema.Literals([1]),
  key: PluginKey,
  version: PluginVersion,
  name: boundedName(120),
  publisher: Schema.Struct({ name: boundedName(120), url: Url }),
  baseUrl: Url.annotateKey({ description: "Base URL of the plugin. All paths are below it." }),
  lifecycle: Schema.optionalKey(Path).annotateKey({
    description: "Path that receives the installation, the token and the secret."
  }),
  events: Schema.optionalKey(
    Schema.Struct({
      path: Path,
      types: Schema.NonEmptyArray(EventPattern).check(
        Schema.isMaxLength(100, { message: "Expected at most 100 types" }),
        Schema.isUnique({ message: "Expected each type once" })
      ),
      payloadVersion: Schema.Literals(["v1"])
    })
  ).annotateKey({ description: "Path and types of events." }),
  permissions: Schema.Array(GrantablePermission).check(
    Schema.isMaxLength(64, { message: "Expected at most 64 permissions" }),
    Schema.isUnique({ message: "Expected each permission once" })
  ),
  settings: Schema.optionalKey(StorableJsonObject).annotateKey({
    description: "Settings as JSON Schema. A text with `x-parley-secret` is stored encrypted and never shown."
  }),
  actions: Schema.optionalKey(
    Schema.Array(PluginAction).check(Schema.isMaxLength(20, { message: "Expected at most 20 actions" }))
  )
}).annotate({ identifier: "PluginManifest" })
export type PluginManifest = typeof PluginManifest.Type

/** Schema of a plugin without settings. */
export const noSettings = { type: "object", additionalProperties: false } as const

export const settingsSchemaOf = ({ settings }: PluginManifest): Schema.Json => settings ?? noSettings

/** Builds the URL of a plugin's path. */
export const toPluginUrl = ({ baseUrl }: PluginManifest, path: string): string => baseUrl.replace(/\/$/u, "") + path

const versionNumbers = (version: string) => version.split(".").map(Number)

/** Returns whether a version is newer than another one. */
export const isNewer = (version: string, than: string): boolean => {
  const [one, other] = [versionNumbers(version), versionNumbers(than)]
  const index = one.findIndex((part, place) => part !== other[place])
  return index !== -1 && (one[index] ?? 0) > (other[index] ?? 0)
}
