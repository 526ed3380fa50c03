import { defineArea, defineCredentials, seenWith } from "../../kernel/index.ts"
import { callsHolding } from "./calls/callsHolding.ts"
import { pluginResources } from "./eventResources.ts"
import { PluginEvent } from "./Events.ts"
import { pluginsReactions } from "./Reactions.ts"
import { pluginRequesters } from "./requesters.ts"
import { pluginSealedValues } from "./settings.ts"
import { pluginsStorage } from "./Storage.ts"
import { pluginUse } from "./usage.ts"
import { pluginsWorks } from "./work.ts"

/** What this area says of itself. */
export const pluginsArea = defineArea({
  name: "integrations/plugins",
  storage: pluginsStorage,
  events: seenWith(PluginEvent, {
    "plugin.installed": "plugins.read",
    "plugin.updated": "plugins.read",
    "plugin.upgraded": "plugins.read",
    "plugin.enabled": "plugins.read",
    "plugin.disabled": "plugins.read",
    "plugin.uninstalled": "plugins.read",
    "plugin.failed": "plugins.read"
  }),
  eventResources: pluginResources,
  permissions: ["plugins.read", "plugins.manage"],
  features: ["plugins"],
  reactions: pluginsReactions,
  works: pluginsWorks,
  contactHoldings: [callsHolding],
  limitUses: [pluginUse],
  requesters: [pluginRequesters],
  sealedValues: pluginSealedValues,
  credentials: defineCredentials({
    name: "plugin token",
    parent: { kind: "record", name: "plugin", reason: "Disabling, failing or uninstalling the plugin ends it." }
  })
})
