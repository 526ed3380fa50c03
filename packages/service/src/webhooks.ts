import * as Webhooks from "@parley/provider-adapters/webhooks"
import { addressOf } from "./addresses.ts"
import type { Settings } from "./settings.ts"

/** How receivers of events are reached, as configured. */
export const layerWebhooks = (settings: Settings) =>
  Webhooks.layer({ publicUrl: addressOf(settings), loopback: settings.webhookLoopback.value === "on" })
