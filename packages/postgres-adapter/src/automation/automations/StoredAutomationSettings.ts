import { VersionConflict } from "@parley/domain/kernel"
import { AutomationSettings, initialAutomationSettings, StoredAutomationSettings } from "@parley/domain/automation"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten } from "../../kernel/columns.ts"
import { type Organization, tenantPort } from "../../kernel/tenantPort.ts"

const settingsOf = (row: AutomationSettings) => new AutomationSettings(row, asWritten)

export const layer = Layer.effect(
  StoredAutomationSettings,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const get = Effect.fnUntraced(function* (organization: Organization) {
      const [row] = yield* sql<AutomationSettings>`
        SELECT paused, version FROM automation_settings WHERE organization_id = ${organization.id}`
      return row === undefined ? initialAutomationSettings : settingsOf(row)
    })

    /** Unchanged settings have no row. */
    const addRow = Effect.fnUntraced(function* (organization: Organization) {
      yield* sql`
        INSERT INTO automation_settings (organization_id, paused, version)
        VALUES (${organization.id}, ${initialAutomationSettings.paused}, ${initialAutomationSettings.version})
        ON CONFLICT DO NOTHING`
    })

    return tenantPort(StoredAutomationSettings, {
      get,
      resumedAfter: Effect.fnUntraced(function* (organization) {
        const [row] = yield* sql<{ readonly position: bigint }>`
          SELECT resumed_after_position AS position FROM automation_settings WHERE organization_id = ${organization.id}`
        return Number(row?.position ?? 0)
      }),
      resume: Effect.fnUntraced(function* (organization, after) {
        yield* addRow(organization)
        yield* sql`
          UPDATE automation_settings SET resumed_after_position = ${after} WHERE organization_id = ${organization.id}`
      }),
      save: Effect.fnUntraced(function* (organization, { paused }, expected) {
        yield* addRow(organization)
        const [row] = yield* sql<AutomationSettings>`
          UPDATE automation_settings SET paused = ${paused}, version = version + 1
          WHERE organization_id = ${organization.id} ${expected === null ? sql`` : sql`AND version = ${expected}`}
          RETURNING paused, version`
        if (row !== undefined) return settingsOf(row)
        return yield* new VersionConflict({ current: (yield* get(organization)).version })
      })
    })
  })
)
