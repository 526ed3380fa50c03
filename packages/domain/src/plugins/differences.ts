import { hostOfUrl } from "../webhooks/index.ts"
import { isNewer, type PluginManifest } from "./manifests/PluginManifest.ts"
import type { PluginUpdate } from "./Plugin.ts"

const difference = <A>(before: ReadonlyArray<A>, after: ReadonlyArray<A>) => ({
  added: after.filter((each) => !before.includes(each)),
  removed: before.filter((each) => !after.includes(each))
})

const eventsOf = ({ events }: PluginManifest) => events?.types ?? []

const actionsOf = ({ actions = [] }: PluginManifest) => actions.map(({ key }) => key)

const hostsOf = ({ baseUrl }: PluginManifest) => [hostOfUrl(baseUrl) ?? ""]

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

/** Whether it is on another host from then on. */
export const isElsewhere = ({ hosts }: PluginUpdate): boolean => hosts.added.length > 0

/** Whether somebody has to agree to it: more is asked for, or another host gets it. */
export const needsGrants = (update: PluginUpdate): boolean => update.permissions.added.length > 0 || isElsewhere(update)
