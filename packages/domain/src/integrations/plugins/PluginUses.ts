import { Context } from "effect"
import type { PluginId, Uses } from "../../kernel/index.ts"

/** What asks a plugin to act, in all areas. */
export class PluginUses extends Context.Service<PluginUses, Uses<PluginId>>()(
  "@parley/domain/integrations/plugins/PluginUses"
) {}
