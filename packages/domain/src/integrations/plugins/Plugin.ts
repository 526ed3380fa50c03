import { Schema } from "effect"
import { OrganizationId, originOf, Permission, PluginId, StorableJsonObject, Timestamp } from "../../kernel/index.ts"
import { isNewer, PluginActionKey, PluginKey, PluginManifest, PluginVersion } from "./PluginManifest.ts"

/**
 * `installing`: has not yet answered its installation or its activation. `failed`: gave no valid answer; receives nothing and has no access until
 * its next activation.
 */
export const PluginStatus = Schema.Literals(["installing", "enabled", "disabled", "failed"])
export type PluginStatus = typeof PluginStatus.Type

/** Reasons why a plugin receives nothing. */
export const PluginErrorCode = Schema.Literals(["lifecycle_failed", "deliveries_failed", "feature_not_in_plan"])
export type PluginErrorCode = typeof PluginErrorCode.Type

export const PluginError = Schema.Struct({
  code: PluginErrorCode,
  message: Schema.String,
  at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "PluginError" })
export type PluginError = typeof PluginError.Type

const listDifference = <S extends Schema.Top>(item: S) =>
  Schema.Struct({ added: Schema.Array(item), removed: Schema.Array(item) })

/** Differences of the newer catalogue version from the installed version, in requests and capabilities. */
export const PluginUpdate = Schema.Struct({
  version: PluginVersion,
  permissions: listDifference(Permission),
  events: listDifference(Schema.String),
  actions: listDifference(Schema.String),
  hosts: listDifference(Schema.String)
}).annotate({ identifier: "PluginUpdate" })
export type PluginUpdate = typeof PluginUpdate.Type

/** Values of settings, by name. */
export const PluginSettings = StorableJsonObject
export type PluginSettings = typeof PluginSettings.Type

export class Plugin extends Schema.Class<Plugin>("Plugin")({
  id: PluginId,
  key: PluginKey,
  name: Schema.String,
  manifest: PluginManifest,
  status: PluginStatus,
  permissions: Schema.Array(Permission).annotate({ description: "Granted permissions." }),
  settings: PluginSettings.annotateKey({ description: "Secret settings are `true` if they have a value." }),
  update: Schema.NullOr(PluginUpdate).annotate({
    description: "Changes of the newest version in the catalogue."
  }),
  lastError: Schema.NullOr(PluginError),
  version: Schema.Int
}) {}

/** Installation of a plugin, as the plugin itself reads it. */
export class OwnPlugin extends Schema.Class<OwnPlugin>("OwnPlugin")({
  id: PluginId,
  key: PluginKey,
  name: Schema.String,
  version: PluginVersion.annotate({ description: "Installed version of the manifest." }),
  status: PluginStatus,
  organization: Schema.Struct({ id: OrganizationId, name: Schema.String }),
  permissions: Schema.Array(Permission).annotate({ description: "Granted permissions." }),
  settings: PluginSettings.annotateKey({ description: "Secret settings are `true` if they have a value." }),
  events: Schema.Array(Schema.String).annotate({
    description: "Types of events that the plugin receives, or patterns such as `order.*`."
  }),
  actions: Schema.Array(Schema.Struct({ key: PluginActionKey, path: Schema.String })).annotate({
    description: "Actions that automations and workflows can request."
  }),
  lastError: Schema.NullOr(PluginError)
}) {}

/** Plugin in the catalogue. */
export class CataloguedPlugin extends Schema.Class<CataloguedPlugin>("CataloguedPlugin")({
  key: PluginKey,
  name: Schema.String,
  manifest: PluginManifest,
  installedId: Schema.NullOr(PluginId).annotate({ description: "Installed plugin of the organization." })
}) {}

const Grants = Schema.Array(Permission).check(
  Schema.isMaxLength(64, { message: "Expected at most 64 permissions" }),
  Schema.isUnique({ message: "Expected each permission once" })
)

/** Plugin to install: a catalogue key or a manifest. */
export const NewPlugin = Schema.Struct({
  key: Schema.optionalKey(PluginKey).annotateKey({ description: "Key of a plugin in the catalogue." }),
  manifest: Schema.optionalKey(PluginManifest).annotateKey({
    description: "Manifest of a plugin outside the catalogue."
  }),
  grants: Grants.annotateKey({
    description: "Exactly the `permissions` of the manifest. You must have each of them."
  }),
  settings: Schema.optionalKey(PluginSettings)
}).annotate({ identifier: "NewPlugin" })
export type NewPlugin = typeof NewPlugin.Type

export const PluginPatch = Schema.Struct({
  settings: PluginSettings.annotateKey({
    description: "A missing setting stays; `null` removes a setting, unless its schema allows `null`."
  })
}).annotate({ identifier: "PluginPatch" })
export type PluginPatch = typeof PluginPatch.Type

/** Target version or manifest, and the grants if it requests more permissions or has another origin. */
export const PluginUpgrade = Schema.Struct({
  version: Schema.optionalKey(PluginVersion).annotateKey({ description: "Version of the catalogue." }),
  manifest: Schema.optionalKey(PluginManifest).annotateKey({
    description: "Manifest with the same `key`, of any version. Only for a plugin outside the catalogue."
  }),
  grants: Schema.optionalKey(Grants),
  settings: Schema.optionalKey(PluginSettings).annotateKey({
    description: "Settings for the new version, as in an update."
  })
}).annotate({ identifier: "PluginUpgrade" })
export type PluginUpgrade = typeof PluginUpgrade.Type

const revealedOnce = (description: string) =>
  Schema.optionalKey(Schema.RedactedFromValue(Schema.String)).annotateKey({ description })

const credentialFields = {
  token: revealedOnce("Token of the plugin. Only for plugins without a `lifecycle`."),
  secret: revealedOnce("Signing secret. Only for plugins without a `lifecycle`.")
}

/** Plugin with its credentials, if no lifecycle call can transmit them. Only this answer shows them. */
export class PluginWithCredentials extends Schema.Class<PluginWithCredentials>("PluginSupplied")({
  ...Plugin.fields,
  ...credentialFields
}) {}

/** End of the former secret and token, and the new ones if no lifecycle call can transmit them. */
export class RotatedPluginSecret extends Schema.Class<RotatedPluginSecret>("RotatedPluginSecret")({
  ...credentialFields,
  previousSecretExpiresAt: Timestamp
}) {}

const diffLists = <A>(before: ReadonlyArray<A>, after: ReadonlyArray<A>) => ({
  added: after.filter((each) => !before.includes(each)),
  removed: before.filter((each) => !after.includes(each))
})

const eventsOf = ({ events }: PluginManifest) => events?.types ?? []

const actionsOf = ({ actions = [] }: PluginManifest) => actions.map(({ key }) => key)

/** Host of a plugin, with its port unless it is the default port. */
const hostsOf = ({ baseUrl }: PluginManifest) => [originOf(baseUrl).replace(/^[^:]*:\/\//u, "")]

/** Returns the differences between two manifests. */
export const diffManifests = (before: PluginManifest, after: PluginManifest): PluginUpdate => ({
  version: after.version,
  permissions: diffLists(before.permissions, after.permissions),
  events: diffLists(eventsOf(before), eventsOf(after)),
  actions: diffLists(actionsOf(before), actionsOf(after)),
  hosts: diffLists(hostsOf(before), hostsOf(after))
})

/** Returns the differences of the catalogue version; `null` if it is not newer. */
export const findPluginUpdate = (installed: PluginManifest, offered: PluginManifest | null): PluginUpdate | null =>
  offered !== null && isNewer(offered.version, installed.version) ? diffManifests(installed, offered) : null

/** Returns whether the offered version has another scheme, host or port. */
export const hasOtherOrigin = (installed: PluginManifest, offered: PluginManifest): boolean =>
  originOf(installed.baseUrl) !== originOf(offered.baseUrl)

/** Returns whether an upgrade needs consent, because it requests more permissions or has another origin. */
export const requiresGrants = (installed: PluginManifest, offered: PluginManifest): boolean =>
  diffManifests(installed, offered).permissions.added.length > 0 || hasOtherOrigin(installed, offered)
