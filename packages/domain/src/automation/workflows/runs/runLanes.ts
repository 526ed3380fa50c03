import { contactLanes } from "../../automations/index.ts"
import type { WorkName } from "../../../platform/background/index.ts"

/** What leading runs is called among the works. */
export const workflowRunsWork: WorkName = "workflow runs"

/** Has somebody go on with runs that wait. */
export const { open: openWorkflowLanes, openAll: openAllWorkflowLanes } = contactLanes(workflowRunsWork)
