import { BroadcastSettings, BroadcastSettingsPatch } from "@parley/domain"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { IfMatch } from "./shapes.ts"

/** What holds for all broadcasts. */
export class BroadcastSettingsApi extends HttpApiGroup.make("broadcastSettings")
  .add(
    HttpApiEndpoint.get("get", "/broadcast_settings", {
      success: BroadcastSettings,
      error: [Problems.PermissionDenied]
    }).annotateMerge(describe("getBroadcastSettings", "Read what holds for all broadcasts")),
    HttpApiEndpoint.patch("update", "/broadcast_settings", {
      headers: IfMatch,
      payload: BroadcastSettingsPatch,
      success: BroadcastSettings,
      error: [Problems.PermissionDenied, Problems.VersionConflict]
    }).annotateMerge(
      describe(
        "updateBroadcastSettings",
        "Change what holds for all broadcasts",
        "Broadcasts that are sending go by it from then on. The built-in words that opt out and in count besides those given here."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(
    area("Broadcast settings", "Quiet hours, frequency caps, words that opt out, and how long orders are attributed.")
  ) {}
