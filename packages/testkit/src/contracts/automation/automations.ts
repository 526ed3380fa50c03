import { Automation, AutomationId, Automations } from "@parley/domain"
import { DateTime } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, plain } from "../given.ts"
import { promiseVersionedRows } from "../versionedRows.ts"

const newAutomation = () =>
  new Automation({
    id: freshId(AutomationId),
    name: "Welcome “new” people \\ 100 % _ 🎉",
    enabled: false,
    createdAt: DateTime.makeUnsafe("2026-01-02T03:04:05.678Z"),
    updatedAt: DateTime.makeUnsafe("2026-01-02T03:04:05.679Z"),
    version: 1
  })

export const automations: StorageContract = {
  port: "Automations",
  promises: (it) =>
    promiseVersionedRows(it, {
      port: Automations,
      kind: AutomationId,
      make: newAutomation,
      changed: (row) =>
        new Automation({
          ...row,
          name: "Farewell",
          enabled: true,
          updatedAt: DateTime.makeUnsafe("2026-02-03T04:05:06.007Z")
        }),
      plain: plain.automation
    })
}

/** What every `Automations` promises. */
export const automationsContract = runContract(automations)
