export { leadRuns, sweepWorkflowRuns } from "./advancing/runLanes.ts"
export { WorkflowEnrollment } from "./contactEnrollment.ts"
export * from "./errors.ts"
export { WorkflowEvent } from "./events.ts"
export * from "./graph/Graph.ts"
export * from "./graph/graphFaults.ts"
export * from "./graph/Node.ts"
export { MissingNode, WorkflowRunsMove } from "./moveRunsJob.ts"
export { opening, pathOf, type WaitSchedule, wakeTime } from "./runs/nodeRules.ts"
export { leaveHeld, type LongHold, type WorkflowHold, WorkflowHolds } from "./runs/runHolds.ts"
export * from "./runs/runTransitions.ts"
export * from "./runs/WorkflowRun.ts"
export * from "./runs/WorkflowRuns.ts"
export { strikeWorkflowClocks } from "./starting/triggeredRuns.ts"
export { NewRunOfWorkflow } from "./starting/workflowCalls.ts"
export * from "./use-cases/workflowLifecycle.ts"
export * from "./use-cases/workflowRuns.ts"
export * from "./use-cases/workflows.ts"
export {
  type BeginningWorkflow,
  NewWorkflow,
  type PublishedWorkflow,
  Workflow,
  WorkflowArchiving,
  type WorkflowInForce,
  WorkflowPatch,
  Workflows,
  WorkflowVersion
} from "./Workflow.ts"
export { diagramOf } from "./workflowDiagram.ts"
export * from "./workflowTransitions.ts"
