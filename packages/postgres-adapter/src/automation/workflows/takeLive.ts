import type { ContactId } from "@parley/domain/crm"
import type { SqlClient } from "effect/sql"
import { workflowRunColumns, type WorkflowRunRow } from "./workflowRunRow.ts"

/** Locks the live runs of contacts in the global lock order to prevent deadlocks. */
export const takeLive = (sql: SqlClient.SqlClient, organizationId: string, contactIds: ReadonlyArray<ContactId>) =>
  sql<WorkflowRunRow>`
    SELECT ${sql.literal(workflowRunColumns)} FROM workflow_runs AS t
    WHERE t.organization_id = ${organizationId} AND t.contact_id = ANY(${Array.from(contactIds)}::uuid[])
      AND t.ended_at IS NULL
    ORDER BY t.started_at, t.id FOR UPDATE`
