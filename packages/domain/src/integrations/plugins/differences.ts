import { originOf } from "../../kernel/index.ts"
import { isNewer, type PluginManifest } from "./manifests/PluginManifest.ts"
import type { PluginUpdate } from "./Plugin.ts"

const difference = <A>(before: ReadonlyArray<A>, after: ReadonlyArray<A>) => ({
  added: after.filter((each) => !before.includes(each)),
  removed: before.filter((each) => !after.includes(each))
})

const eventsOf = ({ events }: PluginManifest) => events?.types ?? []

const actionsOf = ({ actions = [] }: PluginManifest) => actions.map(({ key }) => key)

/** Host of a plugin, with its port unless it is the default port. */
const hostsOf = ({ baseUrl }: PluginManifest) => [originOf(baseUrl).replace(/^[^:]*:\/\//u, "")]

/** What changes from one manifest to another. */
export const differenceBetween = (before: PluginManifest, after: PluginManifest): PluginUpdate => ({
  version: after.version,
  permissions: difference(before.permissions, after.permissions),
  events: difference(eventsOf(before), eventsOf(after)),
  actions: difference(actionsOf(before), actionsOf(after)),
  hosts: difference(hostsOf(before), hostsOf(after))
})

/** What changes with what the catalogue offers; `null` where that is not newer. */
export const updateFor = (installed: PluginManifest, offered: PluginManifest | null): PluginUpdate | null =>
  offered !== null && isNewer(offered.version, installed.version) ? differenceBetween(installed, offered) : null

/** Whether the offered version has another scheme, host or port. */
export const isElsewhere = (installed: PluginManifest, offered: PluginManifest): boolean =>
  originOf(installed.baseUrl) !== originOf(offered.baseUrl)

/** Whether an upgrade needs consent, because it requests more permissions or has another origin. */
export const needsGrants = (installed: PluginManifest, offered: PluginManifest): boolean =>
  differenceBetween(installed, offered).permissions.added.length > 0 || isElsewhere(installed, offered)
