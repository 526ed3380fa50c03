import type { ContactId } from "@parley/domain/crm"
import { exitRun, type ExitReason, type WorkflowRun } from "@parley/domain/automation"
import { DateTime, HashMap, Order } from "effect"
import { newestFirst } from "../../store/slice.ts"
import type { Tenant } from "../../store/State.ts"
import type { WorkflowRunRow } from "../state.ts"

export const rowsOf = ({ workflowRuns }: Tenant) => HashMap.toValues(workflowRuns)

export const isLive = ({ run }: WorkflowRunRow) => run.endedAt === null

export const isOf =
  (contactIds: ReadonlyArray<ContactId>) =>
  ({ run }: WorkflowRunRow) =>
    run.contactId !== null && contactIds.includes(run.contactId)

export const byAge = Order.combine(
  Order.mapInput(DateTime.Order, ({ run }: WorkflowRunRow) => run.startedAt),
  Order.mapInput(Order.String, ({ run }: WorkflowRunRow) => run.id)
)

export const latestFirst = (rows: ReadonlyArray<WorkflowRunRow>, slice: Parameters<typeof newestFirst>[1]) =>
  newestFirst(
    rows.map(({ run }) => ({ at: run.startedAt, id: run.id, run })),
    slice
  ).map(({ run }) => run)

export const put = (tenant: Tenant, rows: ReadonlyArray<WorkflowRunRow>) => ({
  workflowRuns: rows.reduce((runs, row) => HashMap.set(runs, row.run.id, row), tenant.workflowRuns)
})

export const raised = <Row extends WorkflowRunRow>(row: Row): Row => ({ ...row, revision: row.revision + 1 })

export const left = (rows: ReadonlyArray<WorkflowRunRow>, reason: ExitReason, now: DateTime.Utc) =>
  rows.map((row) => raised(exitRun(row, reason, now)))

export const runsIn = (rows: ReadonlyArray<WorkflowRunRow>): ReadonlyArray<WorkflowRun> => rows.map(({ run }) => run)
