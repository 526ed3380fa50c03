import type { OrganizationId } from "@parley/domain/kernel"
import type { ContactCondition } from "@parley/domain/composition"
import { Record } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { contactConditions as campaignsConditions } from "./campaigns/contactConditions.ts"
import type { CompileCondition } from "./crm/CompileCondition.ts"
import type { FindContacts } from "./crm/FindContacts.ts"
import { contactConditions as inboxConditions } from "./messaging/inbox/contactConditions.ts"
import { findContacts as findByCommerce } from "./commerce/findContacts.ts"

/** Condition for the contacts that a query returns. */
const among =
  (find: FindContacts): CompileCondition =>
  (sql, organizationId, values) =>
    sql`EXISTS (SELECT FROM (${find(sql, organizationId, values)}) AS known WHERE known.id = c.id)`

const storesConditions = Record.map(findByCommerce, among)

const conditions: Readonly<Record<ContactCondition, CompileCondition>> = {
  ...inboxConditions,
  ...campaignsConditions,
  ...storesConditions
}

const finders: ReadonlyMap<string, FindContacts> = new Map(Object.entries(findByCommerce))

const compilers: ReadonlyMap<string, CompileCondition> = new Map(Object.entries(conditions))

/** SQL of a condition that an area has declared. */
export const conditionSql = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  condition: string,
  values: ReadonlyArray<string>
): Statement.Fragment => {
  const compile = compilers.get(condition)
  if (compile === undefined) throw new Error(`No area answers the condition ${condition}.`)
  return compile(sql, organizationId, values)
}

/** Ids of all contacts that match a condition; `null` if the area has no query for them. */
export const conditionIds = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  condition: string,
  values: ReadonlyArray<string>
): Statement.Fragment | null => finders.get(condition)?.(sql, organizationId, values) ?? null
