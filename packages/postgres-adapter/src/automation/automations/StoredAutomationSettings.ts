import {
  AutomationSettings,
  CurrentOrganization,
  initialAutomationSettings,
  StoredAutomationSettings,
  VersionConflict
} from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten } from "../../kernel/columns.ts"
import { driverFailuresDie } from "../../kernel/defects.ts"

const settingsOf = (row: AutomationSettings) => new AutomationSettings(row, asWritten)

export const layer = Layer.effect(
  StoredAutomationSettings,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const get = Effect.fnUntraced(function* () {
      const organization = yield* CurrentOrganization
      const [row] = yield* sql<AutomationSettings>`
        SELECT paused, version FROM automation_settings WHERE organization_id = ${organization.id}`
      return row === undefined ? initialAutomationSettings : settingsOf(row)
    }, driverFailuresDie)

    /** Unchanged settings have no row. */
    const addRow = Effect.fnUntraced(function* () {
      const organization = yield* CurrentOrganization
      yield* sql`
        INSERT INTO automation_settings (organization_id, paused, version)
        VALUES (${organization.id}, ${initialAutomationSettings.paused}, ${initialAutomationSettings.version})
        ON CONFLICT DO NOTHING`
    })

    return StoredAutomationSettings.of({
      get,
      resumedAfter: Effect.fnUntraced(function* () {
        const organization = yield* CurrentOrganization
        const [row] = yield* sql<{ readonly position: bigint }>`
          SELECT resumed_after_position AS position FROM automation_settings WHERE organization_id = ${organization.id}`
        return Number(row?.position ?? 0)
      }, driverFailuresDie),
      resume: Effect.fnUntraced(function* (after) {
        const organization = yield* CurrentOrganization
        yield* addRow()
        yield* sql`
          UPDATE automation_settings SET resumed_after_position = ${after} WHERE organization_id = ${organization.id}`
      }, driverFailuresDie),
      save: Effect.fnUntraced(function* ({ paused }, expected) {
        const organization = yield* CurrentOrganization
        yield* addRow()
        const [row] = yield* sql<AutomationSettings>`
          UPDATE automation_settings SET paused = ${paused}, version = version + 1
          WHERE organization_id = ${organization.id} ${expected === null ? sql`` : sql`AND version = ${expected}`}
          RETURNING paused, version`
        if (row !== undefined) return settingsOf(row)
        return yield* new VersionConflict({ current: (yield* get()).version })
      }, driverFailuresDie)
    })
  })
)
