import { VersionConflict } from "@parley/domain/kernel"
import { BroadcastSettings, initialSettings, StoredBroadcastSettings } from "@parley/domain/campaigns"
import { Effect, Layer } from "effect"
import { refuse, Store } from "../store/Store.ts"

export const layer = Layer.effect(
  StoredBroadcastSettings,
  Effect.map(Store, (store) =>
    StoredBroadcastSettings.of({
      get: () => store.readTenant(({ broadcastSettings }) => broadcastSettings ?? initialSettings),
      save: (settings, expected) =>
        store.writeTenant<BroadcastSettings, VersionConflict>(({ broadcastSettings }) => {
          const { version } = broadcastSettings ?? initialSettings
          if (expected !== null && expected !== version) return refuse(new VersionConflict({ current: version }))
          const after = new BroadcastSettings({ ...settings, version: version + 1 })
          return [after, { broadcastSettings: after }]
        })
    })
  )
)
