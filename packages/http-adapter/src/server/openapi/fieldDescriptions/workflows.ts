import type { FieldDescriptions } from "./FieldDescriptions.ts"

/** Descriptions of the fields of workflows, by component, operation or event, and path. */
export const workflowsFields: FieldDescriptions = {
  WorkflowRerunOf: { runId: "Id of the run that this run repeats." },
  WorkflowRunsToCancel: {
    "filter.createdFrom": "Only runs created at this time or later. Default: any.",
    "filter.createdTo": "Only runs created before this time. Default: the time of the call."
  },
  WorkflowRunsToRerun: {
    "filter.createdFrom": "Only runs created at this time or later. Default: any.",
    "filter.createdTo": "Only runs created before this time. Default: the time of the call."
  },
  "workflow.archived": { "data.runs": "`finish`: live runs continue to their end. `exit`: live runs exit." },
  "workflow.goal_reached": {
    "data.contactId": "Id of the contact; null if the contact was erased.",
    "data.goalId": "Id of the goal in the graph."
  },
  "workflow.published": { "data.publishedVersion": "Number of the published version." },
  "workflow.run_continued": { "data.contactId": "Id of the contact; null if the contact was erased." },
  "workflow.run_ended": {
    "data.contactId": "Id of the contact; null if the contact was erased.",
    "data.state": "Final state of the run.",
    "data.reason": "Reason of an exit or a failure; otherwise null."
  },
  "workflow.run_started": {
    "data.contactId": "Id of the contact; null if the contact was erased.",
    "data.workflowVersion": "Version of the run."
  },
  ContactInWorkflowProblem: {
    isLive: "True if the contact has a live run of the workflow; false if the reentry rule allows no new run now."
  },
  ContactWorkflowRun: {
    kind: "Kind of the run: a run of a workflow.",
    at: "Time of the start of the run in UTC.",
    run: "The run with its latest 20 steps."
  },
  ExplainedWorkflowRun: {
    state: "`running`, `waiting` or `held` while live; `completed`, `exited`, `failed` or `cancelled` after the end.",
    "startedBy.position": "Position of the event in the feed.",
    "startedBy.type": "Type of the event.",
    "event.position": "Position of the event in the feed.",
    "event.type": "Type of the event.",
    causation: "Automations and workflows that caused the start; null if a person or a store caused it.",
    startedAt: "Time of the start in UTC.",
    endedAt: "Time of the end in UTC; null while the run is live.",
    steps: "Results of the visited nodes in order."
  },
  NewWorkflowRun: { input: "Values that texts can use as `input`, at most 32 KiB. Default: `{}`." },
  Workflow: {
    name: "Name of the workflow.",
    status: "Runs start only while it is `active`; a `paused` workflow holds live runs, and `archived` is final."
  },
  NewWorkflow: { graph: "Draft of the first version. Default: no nodes." },
  WorkflowAction: {
    id: "Id of the node, unique in the graph.",
    kind: "Kind of the node: it performs an action.",
    "onError.to": "Id of the next node after a failure of the action.",
    next: "Id of the next node."
  },
  WorkflowBranch: {
    id: "Id of the node, unique in the graph.",
    kind: "Kind of the node: the run takes the first branch whose condition holds.",
    branches: "Branches in order, 1 to 20.",
    "branches.if": "Condition of the branch.",
    "branches.next": "Id of the next node in the branch.",
    else: "Id of the next node if no condition holds."
  },
  WorkflowEnd: {
    id: "Id of the node, unique in the graph.",
    kind: "Kind of the node: the run is completed."
  },
  WorkflowEntry: {
    next: "Id of the first node."
  },
  WorkflowExit: {
    id: "Id of the exit, unique in the graph.",
    event: "Event that ends the run. If null or missing, the run exits when the condition holds.",
    if: "Condition of the exit. Default: `{}`, which always holds."
  },
  WorkflowGoal: {
    id: "Id of the goal, unique in the graph.",
    if: "Condition of the goal. Default: `{}`, which always holds."
  },
  WorkflowGraph: {
    entry: "Start of runs; required for the publication.",
    goals: "Goals of the workflow, at most 10. Default: none.",
    exits: "Conditions and events that end a run, at most 10. Default: none.",
    nodes: "Steps of the workflow, at most 200."
  },
  WorkflowInUseProblem: { liveRuns: "Number of live runs of the workflow." },
  WorkflowLocalMoment: { localTime: "Local time that the run waits for, for example `10:00`." },
  WorkflowNotActiveProblem: { workflowStatus: "Current status of the workflow." },
  WorkflowPatch: { graph: "Draft of the next version." },
  WorkflowRun: {
    state: "`running`, `waiting` or `held` while live; `completed`, `exited`, `failed` or `cancelled` after the end.",
    "startedBy.position": "Position of the event in the feed.",
    "startedBy.type": "Type of the event.",
    "event.position": "Position of the event in the feed.",
    "event.type": "Type of the event.",
    causation: "Automations and workflows that caused the start; null if a person or a store caused it.",
    startedAt: "Time of the start in UTC.",
    endedAt: "Time of the end in UTC; null while the run is live."
  },
  WorkflowRunEntry: {
    kind: "Kind of the entry: a run of a workflow.",
    at: "Time of the start of the run in UTC.",
    state: "`running`, `waiting` or `held` while live; `completed`, `exited`, `failed` or `cancelled` after the end.",
    reason: "Reason of a hold, a wait, an exit or a failure; otherwise null."
  },
  WorkflowSplit: {
    id: "Id of the node, unique in the graph.",
    kind: "Kind of the node: it divides contacts over paths; a contact takes the same path in each version.",
    paths: "Paths, 1 to 20, with percentages of together 100.",
    "paths.percent": "Share of the contacts in percent, 1 to 100.",
    "paths.next": "Id of the next node in the path."
  },
  WorkflowStep: {
    node: "Id of the node.",
    state:
      "`waiting` for a time or an event, `calling` a plugin, `done`, `failed`, or `skipped` because the run ended or moved during the wait.",
    error: "Reason of the failure; null without a failure.",
    at: "Time of this state in UTC."
  },
  WorkflowTest: { input: "Values that texts can use as `input`, at most 32 KiB. Default: `{}`." },
  WorkflowTestResult: { startedAt: "Start of the run on the clock of the test in UTC." },
  WorkflowTestStep: {
    node: "Id of the node.",
    kind: "Kind of the node.",
    state: "State of the node at its end in the test."
  },
  WorkflowTransitionInvalidProblem: {
    from: "Current status of the workflow.",
    to: "Status that the call would set.",
    allowed: "Statuses that the workflow can change to."
  },
  WorkflowVersion: {
    number: "Number of the version, from 1.",
    graph: "Graph of the version, which never changes.",
    publishedAt: "Time of the publication in UTC."
  },
  WorkflowWait: {
    id: "Id of the node, unique in the graph.",
    kind: "Kind of the node: it waits for `seconds`, then for the time of `until`, then for the opening of the schedule.",
    seconds: "Duration of the wait in seconds, 60 to 31,536,000 (365 days).",
    until: "Local time to wait for, after `seconds`.",
    scheduleId: "Id of the schedule to wait for until it opens, after `seconds` and `until`.",
    next: "Id of the next node."
  },
  WorkflowWaitFor: {
    id: "Id of the node, unique in the graph.",
    kind: "Kind of the node: it waits for an event until a timeout.",
    event: "Event that ends the wait.",
    if: "Condition that must hold at the event. Default: `{}`, which always holds.",
    timeoutSeconds: "Maximum duration of the wait in seconds, 60 to 7,776,000 (90 days).",
    next: "Id of the next node after the event.",
    timeout: "Id of the next node after the timeout."
  }
}
