import { DateTime, Schema } from "effect"
import { normalizeForSearch } from "../../kernel/index.ts"
import type { TriggerEvent } from "../automations/index.ts"
import type { WorkflowStatus } from "./workflowTransitions.ts"

/** Sort order of workflows; a minus is descending. */
export const WorkflowSort = Schema.Literals(["createdAt", "-createdAt", "updatedAt", "-updatedAt", "name", "-name"])
export type WorkflowSort = typeof WorkflowSort.Type

/** Filter and order of workflows; `null` matches any value. */
export interface WorkflowQuery {
  /** Part of the name, without regard to case and accents. */
  readonly q: string | null
  readonly status: WorkflowStatus | null
  /** Start event of the draft. */
  readonly event: TriggerEvent | null
  readonly sort: WorkflowSort
}

export const allWorkflows: WorkflowQuery = { q: null, status: null, event: null, sort: "-createdAt" }

/** Fields that the orders use. */
interface ListedWorkflow {
  readonly id: string
  readonly name: string
  readonly updatedAt: DateTime.Utc
}

/** Returns the cursor key of a workflow in this order. */
export const workflowCursorKey = (
  sort: WorkflowSort,
  { id, name, updatedAt }: ListedWorkflow
): ReadonlyArray<string> => {
  switch (sort) {
    case "createdAt":
    case "-createdAt":
      return [id]
    case "updatedAt":
    case "-updatedAt":
      return [DateTime.formatIso(updatedAt), id]
    case "name":
    case "-name":
      return [normalizeForSearch(name), id]
  }
}
