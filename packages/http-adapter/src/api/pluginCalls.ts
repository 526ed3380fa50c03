import { PluginCall, PluginCallCompletion, PluginCallId } from "@parley/domain"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf } from "./shapes.ts"

/** Calls of plugins: what they are asked to do, where they answer later. */
export class PluginCallsApi extends HttpApiGroup.make("pluginCalls")
  .add(
    HttpApiEndpoint.post("complete", "/plugin_calls/:id/complete", {
      params: idOf(PluginCallId, "plugin call"),
      payload: PluginCallCompletion,
      success: PluginCall,
      error: [Problems.PermissionDenied, Problems.FeatureNotInPlan, Problems.NotFound, Problems.PluginCallEnded]
    })
      .annotateMerge(
        describe(
          "completePluginCall",
          "Say what came of an action",
          "For an action that the plugin has answered with 202: its `output`, or its `error`. A plugin does it with its token for its own calls, within 24 hours; who manages plugins can do it for any."
        )
      )
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Plugin calls", "What plugins are asked to do, where they answer later.")) {}
