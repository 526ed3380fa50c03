import type { Migration, TransactionalStep } from "./Migration.ts"
import { platform } from "./0001-platform.ts"
import { crm } from "./0002-crm.ts"
import { messaging } from "./0003-messaging.ts"
import { integrations } from "./0004-integrations.ts"
import { campaigns } from "./0005-campaigns.ts"
import { commerce } from "./0006-commerce.ts"
import { analytics } from "./0007-analytics.ts"
import { automation } from "./0008-automation.ts"

export type { Backfill, ContractStep, ExpandStep, IndexStep, Migration, TransactionalStep } from "./Migration.ts"

/** A step that creates the tables of a product folder. */
const baseline = (id: number, name: string, run: TransactionalStep["run"]): Migration => ({
  id,
  name,
  phase: "expand",
  compatibleFrom: "0.1.0",
  transactional: true,
  tables: [],
  brief: false,
  run
})

/**
 * All steps of the schema, in order. The first eight are baselines, one per product folder. They can change until release 0.2.0. A released step never
 * changes.
 */
export const migrations: ReadonlyArray<Migration> = [
  baseline(1, "platform", platform),
  baseline(2, "crm", crm),
  baseline(3, "messaging", messaging),
  baseline(4, "integrations", integrations),
  baseline(5, "campaigns", campaigns),
  baseline(6, "commerce", commerce),
  baseline(7, "analytics", analytics),
  baseline(8, "automation", automation)
]
