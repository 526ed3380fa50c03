import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { platform } from "./0001-platform.ts"
import { crm } from "./0002-crm.ts"
import { messaging } from "./0003-messaging.ts"
import { integrations } from "./0004-integrations.ts"
import { campaigns } from "./0005-campaigns.ts"
import { commerce } from "./0006-commerce.ts"
import { analytics } from "./0007-analytics.ts"
import { automation } from "./0008-automation.ts"

/** One step of the schema. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly run: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>
}

/**
 * All steps of the schema, in order. The first eight are baselines, one per product folder. They can change until release 0.2.0. A released step never
 * changes.
 */
export const migrations: ReadonlyArray<Migration> = [
  { id: 1, name: "platform", run: platform },
  { id: 2, name: "crm", run: crm },
  { id: 3, name: "messaging", run: messaging },
  { id: 4, name: "integrations", run: integrations },
  { id: 5, name: "campaigns", run: campaigns },
  { id: 6, name: "commerce", run: commerce },
  { id: 7, name: "analytics", run: analytics },
  { id: 8, name: "automation", run: automation }
]
