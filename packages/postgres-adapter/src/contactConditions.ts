import type { ContactCondition, OrganizationId } from "@parley/domain"
import type { SqlClient, Statement } from "effect/sql"
import { contactConditions as campaignsConditions } from "./campaigns/contactConditions.ts"
import type { CompileCondition } from "./crm/CompileCondition.ts"
import { contactConditions as inboxConditions } from "./inbox/contactConditions.ts"

const conditions: Readonly<Record<ContactCondition, CompileCondition>> = {
  ...inboxConditions,
  ...campaignsConditions
}

const compilers: ReadonlyMap<string, CompileCondition> = new Map(Object.entries(conditions))

/** How a condition that an area has named is asked in SQL. */
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
