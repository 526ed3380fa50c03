import { completePluginCall, PluginCall, PluginCallId } from "@parley/domain/integrations"
import { PluginCallsApi } from "../../../api/plugins.ts"
import { bind } from "../bind.ts"

export const pluginCalls = bind(PluginCallsApi, {
  complete: {
    runs: completePluginCall,
    request: { output: { total: 120 } },
    response: new PluginCall({
      id: PluginCallId.make("3c2b1a09-8f7e-5d6c-8b5a-4c3d2e1f0a9b"),
      action: "add_points",
      state: "done",
      error: null
    })
  }
})
