import { VersionConflict } from "@parley/domain/kernel"
import { BroadcastSettings, initialSettings, StoredBroadcastSettings } from "@parley/domain/campaigns"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten } from "../kernel/columns.ts"
import { type Organization, tenantPort } from "../kernel/tenantPort.ts"

const settingsOf = (row: BroadcastSettings) => new BroadcastSettings(row, asWritten)

export const layer = Layer.effect(
  StoredBroadcastSettings,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(`quiet_hours AS "quietHours", frequency_caps AS "frequencyCaps",
      opt_out_words AS "optOutKeywords", opt_in_words AS "optInKeywords", opt_out_reply AS "optOutReply",
      attribution_hours AS "attributionHours", version`)

    const get = Effect.fnUntraced(function* (organization: Organization) {
      const [row] = yield* sql<BroadcastSettings>`
        SELECT ${columns} FROM broadcast_settings WHERE organization_id = ${organization.id}`
      return row === undefined ? initialSettings : settingsOf(row)
    })

    return tenantPort(StoredBroadcastSettings, {
      get,
      save: Effect.fnUntraced(function* (organization, settings, expected) {
        const { attributionHours, frequencyCaps, optInKeywords, optOutReply, optOutKeywords, quietHours } = settings
        // Unchanged settings have no row.
        yield* sql`
          INSERT INTO broadcast_settings (organization_id, quiet_hours, frequency_caps, opt_out_words, opt_in_words,
            opt_out_reply, attribution_hours, version)
          VALUES (${organization.id}, NULL, ${PgTypes.json(initialSettings.frequencyCaps)},
            ${PgTypes.json(initialSettings.optOutKeywords)}, ${PgTypes.json(initialSettings.optInKeywords)}, NULL,
            ${initialSettings.attributionHours}, ${initialSettings.version})
          ON CONFLICT DO NOTHING`
        const [row] = yield* sql<BroadcastSettings>`
          UPDATE broadcast_settings SET quiet_hours = ${PgTypes.json(quietHours)},
            frequency_caps = ${PgTypes.json(frequencyCaps)}, opt_out_words = ${PgTypes.json(optOutKeywords)},
            opt_in_words = ${PgTypes.json(optInKeywords)}, opt_out_reply = ${PgTypes.json(optOutReply)},
            attribution_hours = ${attributionHours}, version = version + 1
          WHERE organization_id = ${organization.id}
            ${expected === null ? sql`` : sql`AND version = ${expected}`}
          RETURNING ${columns}`
        if (row !== undefined) return settingsOf(row)
        return yield* new VersionConflict({ current: (yield* get(organization)).version })
      })
    })
  })
)
