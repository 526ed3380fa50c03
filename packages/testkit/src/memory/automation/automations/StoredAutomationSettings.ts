import { VersionConflict } from "@parley/domain/kernel"
import { AutomationSettings, initialAutomationSettings, StoredAutomationSettings } from "@parley/domain/automation"
import { Effect, Layer } from "effect"
import { refuse, Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  StoredAutomationSettings,
  Effect.map(Store, (store) =>
    StoredAutomationSettings.of({
      get: () => store.readTenant(({ automationSettings }) => automationSettings ?? initialAutomationSettings),
      resumedAfter: () => store.readTenant(({ automationsResumedAfter }) => automationsResumedAfter),
      resume: (after) => store.writeTenant(() => [undefined, { automationsResumedAfter: after }]),
      save: (settings, expected) =>
        store.writeTenant<AutomationSettings, VersionConflict>(({ automationSettings }) => {
          const { version } = automationSettings ?? initialAutomationSettings
          if (expected !== null && expected !== version) return refuse(new VersionConflict({ current: version }))
          const after = new AutomationSettings({ ...settings, version: version + 1 })
          return [after, { automationSettings: after }]
        })
    })
  )
)
