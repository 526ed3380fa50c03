import type { StoredPlugin, PluginErrorCode } from "@parley/domain/integrations"
import { PgTypes } from "@effect/sql-pg"
import { DateTime } from "effect"
import { type Instant, utcOrNull } from "../../kernel/columns.ts"

interface ErrorJson {
  readonly code: PluginErrorCode
  readonly message: string
  readonly at: string | null
}

export interface PluginRow extends Omit<StoredPlugin, "lastError" | "rotatesAt"> {
  readonly lastError: ErrorJson | null
  readonly rotatesAt: Instant | null
}

export const pluginColumns = `id, manifest, status, settings, secret_names AS "secretNames",
  sealed_settings AS "sealedSettings", install_confirmed AS "isGreeted", last_error AS "lastError", rotates_at AS "rotatesAt", version`

export const pluginOf = ({ lastError, rotatesAt, ...row }: PluginRow): StoredPlugin => ({
  ...row,
  lastError:
    lastError === null ? null : { ...lastError, at: lastError.at === null ? null : DateTime.makeUnsafe(lastError.at) },
  rotatesAt: utcOrNull(rotatesAt)
})

/** Stored form of the last error. */
export const errorJson = ({ lastError }: StoredPlugin) => {
  if (lastError === null) return null
  const { at, code, message } = lastError
  return PgTypes.json({ code, message, at: at === null ? null : DateTime.formatIso(at) })
}
