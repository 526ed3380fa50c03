import type { ContactId } from "@parley/domain"
import type { SqlClient } from "effect/sql"
import { workflowRunColumns, type WorkflowRunRow } from "./workflowRunRow.ts"

/** Takes the live ones of contacts in the order in which everybody takes runs, so that nobody waits in a circle. */
export const takeLive = (sql: SqlClient.SqlClient, organizationId: string, contactIds: ReadonlyArray<ContactId>) =>
  sql<WorkflowRunRow>`
    SELECT ${sql.literal(workflowRunColumns)} FROM workflow_runs AS t
    WHERE t.organization_id = ${organizationId} AND t.contact_id = ANY(${Array.from(contactIds)}::uuid[])
      AND t.ended_at IS NULL
    ORDER BY t.started_at, t.id FOR UPDATE`
