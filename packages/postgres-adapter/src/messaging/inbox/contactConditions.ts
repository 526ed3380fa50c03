import type { CompileCondition } from "../../crm/CompileCondition.ts"

/** Conditions of filters on this area. */
export const contactConditions = {
  conversation_status: (sql, organizationId, statuses) => sql`EXISTS (
    SELECT FROM conversations AS v WHERE v.organization_id = ${organizationId} AND v.contact_id = c.id
      AND v.status = ANY(${statuses}::text[]))`
} as const satisfies Readonly<Record<string, CompileCondition>>
