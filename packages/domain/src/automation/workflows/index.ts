export { advanceRuns, sweepWorkflowRuns } from "./advancing/runLanes.ts"
export { WorkflowRunsToCancel } from "./cancelRunsJob.ts"
export { RerunnableWorkflowRunState, WorkflowRunsToRerun } from "./rerunRunsJob.ts"
export { WorkflowEnrollment } from "./contactEnrollment.ts"
export * from "./errors.ts"
export { WorkflowEvent } from "./events.ts"
export * from "./graph/Graph.ts"
export * from "./graph/graphValidation.ts"
export * from "./graph/Node.ts"
export { MissingNode, WorkflowRunsMove } from "./migrateRunsJob.ts"
export { nextOpening, chooseSplitPath, type WaitSchedule, wakeTime } from "./runs/nodeRules.ts"
export * from "./runs/ContactRun.ts"
export { exitHeldRuns, type ExpiringHold, type WorkflowHold, WorkflowHolds } from "./runs/runHolds.ts"
export type { RunCursor } from "./runs/runState.ts"
export * from "./runs/runTransitions.ts"
export * from "./runs/WorkflowRun.ts"
export * from "./runs/WorkflowRuns.ts"
export { fireWorkflowTimers } from "./starting/triggeredRuns.ts"
export { layerWorkflowStarter, WorkflowRunInput } from "./starting/workflowCalls.ts"
export * from "./use-cases/bulkWorkflowRuns.ts"
export * from "./use-cases/contactRuns.ts"
export * from "./use-cases/workflowLifecycle.ts"
export * from "./use-cases/workflowRuns.ts"
export * from "./use-cases/workflows.ts"
export * from "./use-cases/workflowTests.ts"
export * from "./testing/WorkflowTest.ts"
export {
  type EventStartedWorkflow,
  NewWorkflow,
  type PublishedWorkflow,
  Workflow,
  WorkflowArchiveOptions,
  type LiveWorkflow,
  WorkflowPatch,
  Workflows,
  WorkflowVersion
} from "./Workflow.ts"
export { WorkflowRunContinuation } from "./runContinuation.ts"
export { renderWorkflowDiagram } from "./workflowDiagram.ts"
export * from "./workflowListing.ts"
export * from "./workflowTransitions.ts"
