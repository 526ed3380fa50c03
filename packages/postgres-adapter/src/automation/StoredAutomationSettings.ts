import {
  AutomationSettings,
  CurrentOrganization,
  initialAutomationSettings,
  StoredAutomationSettings,
  VersionConflict
} from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"

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

    return StoredAutomationSettings.of({
      get,
      save: Effect.fnUntraced(function* ({ paused }, expected) {
        const organization = yield* CurrentOrganization
        // Those that nobody has changed have no row.
        yield* sql`
          INSERT INTO automation_settings (organization_id, paused, version)
          VALUES (${organization.id}, ${initialAutomationSettings.paused}, ${initialAutomationSettings.version})
          ON CONFLICT DO NOTHING`
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
