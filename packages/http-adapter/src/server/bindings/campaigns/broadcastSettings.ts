import {
  BroadcastSettings,
  getBroadcastSettings,
  initialSettings,
  updateBroadcastSettings
} from "@parley/domain/campaigns"
import { BroadcastSettingsApi } from "../../../api/broadcasts.ts"
import { bind } from "../bind.ts"

const changedSettings = {
  quietHours: { from: "21:00", to: "08:00" },
  frequencyCaps: [{ category: "marketing", max: 2, days: 7 }],
  optOutKeywords: { de: ["Kein Brot mehr"] }
} as const

const settings = new BroadcastSettings({ ...initialSettings, ...changedSettings, version: 2 })

export const broadcastSettings = bind(BroadcastSettingsApi, {
  get: { runs: getBroadcastSettings, response: settings },
  update: { runs: updateBroadcastSettings, request: changedSettings, response: settings }
})
