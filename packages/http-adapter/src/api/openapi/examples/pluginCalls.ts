import { completePluginCall, PluginCall, PluginCallId } from "@parley/domain"
import type { PluginCallsApi } from "../../pluginCalls.ts"
import type { ExamplesOf } from "./Example.ts"

export const pluginCalls: ExamplesOf<typeof PluginCallsApi> = {
  complete: {
    runs: completePluginCall,
    request: { output: { total: 120 } },
    answer: new PluginCall({
      id: PluginCallId.make("3c2b1a09-8f7e-5d6c-8b5a-4c3d2e1f0a9b"),
      action: "add_points",
      state: "done",
      error: null
    })
  }
}
