import type { Promised } from "../../promises.ts"

const told = ["disabled", "enabled", "failed", "installed", "uninstalled", "updated", "upgraded"].map(
  (type) => `plugin.${type}`
)

const lacking = `
use case             | stranger | viewer | agent | admin | owner | token | operator
plugins.completeCall | -        | -      | -     | plan  | plan  | plan  | plan
plugins.disable      | -        | -      | -     | plan  | plan  | plan  | plan
plugins.enable       | -        | -      | -     | plan  | plan  | plan  | plan
plugins.install      | -        | -      | -     | plan  | plan  | plan  | plan
plugins.rotateSecret | -        | -      | -     | plan  | plan  | plan  | plan
plugins.uninstall    | -        | -      | -     | plan  | plan  | plan  | plan
plugins.update       | -        | -      | -     | plan  | plan  | plan  | plan
plugins.upgrade      | -        | -      | -     | plan  | plan  | plan  | plan
`

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case               | who may        | plan gate
plugins.completeCall   | plugins.manage | plugins
plugins.disable        | plugins.manage | plugins
plugins.enable         | plugins.manage | plugins
plugins.get            | plugins.read   | -
plugins.install        | plugins.manage | plugins
plugins.list           | plugins.read   | -
plugins.listDeliveries | plugins.read   | -
plugins.listOffered    | operator       | -
plugins.offer          | operator       | -
plugins.reseal         | operator       | -
plugins.rotateSecret   | plugins.manage | plugins
plugins.uninstall      | plugins.manage | plugins
plugins.update         | plugins.manage | plugins
plugins.upgrade        | plugins.manage | plugins
plugins.withdraw       | operator       | -
`,
  access: `
use case               | stranger | viewer | agent | admin | owner | token | operator
plugins.completeCall   | -        | -      | -     | yes   | yes   | yes   | yes
plugins.disable        | -        | -      | -     | yes   | yes   | yes   | yes
plugins.enable         | -        | -      | -     | yes   | yes   | yes   | yes
plugins.get            | -        | -      | -     | yes   | yes   | yes   | yes
plugins.install        | -        | -      | -     | yes   | yes   | yes   | yes
plugins.list           | -        | -      | -     | yes   | yes   | yes   | yes
plugins.listDeliveries | -        | -      | -     | yes   | yes   | yes   | yes
plugins.listOffered    | -        | -      | -     | -     | -     | -     | yes
plugins.offer          | -        | -      | -     | -     | -     | -     | yes
plugins.reseal         | -        | -      | -     | -     | -     | -     | yes
plugins.rotateSecret   | -        | -      | -     | yes   | yes   | yes   | yes
plugins.uninstall      | -        | -      | -     | yes   | yes   | yes   | yes
plugins.update         | -        | -      | -     | yes   | yes   | yes   | yes
plugins.upgrade        | -        | -      | -     | yes   | yes   | yes   | yes
plugins.withdraw       | -        | -      | -     | -     | -     | -     | yes
`,
  accessOnFree: lacking,
  accessOnGrowth: lacking,
  trails: `
use case             | audit event           | event
plugins.completeCall | plugin_call.completed | -
plugins.disable      | plugin.disabled       | plugin.disabled
plugins.enable       | plugin.enabled        | plugin.enabled
plugins.install      | plugin.installed      | plugin.installed
plugins.reseal       | plugin.resealed       | -
plugins.rotateSecret | plugin.secret_rotated | -
plugins.uninstall    | plugin.uninstalled    | plugin.uninstalled
plugins.update       | plugin.updated        | plugin.updated
plugins.upgrade      | plugin.upgraded       | plugin.upgraded
`,
  traceless: [
    "plugins.get",
    "plugins.list",
    "plugins.listDeliveries",
    "plugins.listOffered",
    "plugins.offer",
    "plugins.withdraw"
  ],
  withSecrets: ["plugins.install", "plugins.rotateSecret"],
  hiddenEvents: { viewer: told, agent: told }
}
