import type { FieldDescriptions } from "./FieldDescriptions.ts"

/** Descriptions of the fields of automations, by component, operation or event, and path. */
export const automationFields: FieldDescriptions = {
  "automation.run_aborted": {
    "data.reason":
      "`cycle`: own effect. `too_deep`: more than five steps. `rate`: ten runs for the contact in an hour. `automation_disabled`, `contact_gone`: disabled or deleted."
  },
  "automation.triggered": { "data.callId": "Id of the call, as in its answer." },
  AutomationRunsToCancel: {
    "filter.createdFrom": "Only runs created at this time or later. Default: any.",
    "filter.createdTo": "Only runs created before this time. Default: the time of the call."
  },
  AutomationRunsToRerun: {
    "filter.createdFrom": "Only runs created at this time or later. Default: any.",
    "filter.createdTo": "Only runs created before this time. Default: the time of the call."
  },
  IssuedTriggerUrl: { url: "URL for calls; it contains the token and is shown once." },
  "automation.call": {
    "data.contactId": "Id of the contact; null if the contact was erased.",
    "data.conversationId": "Id of the conversation; null without a conversation, or if the contact was erased."
  },
  AutomatedRef: {
    kind: "Whether it is an automation or a workflow.",
    id: "Id of the automation or workflow."
  },
  Automation: {
    name: "Name of the automation.",
    enabled: "Whether events start the automation; a new automation is disabled."
  },
  AutomationRerunOf: { runId: "Id of the run that this run repeats." },
  AutomationRun: {
    rerunOf: "Run that this run repeats; null if an event started it.",
    automationVersion: "Version of the automation that the run uses.",
    state:
      "`queued`, `running`, or final: `succeeded`, `failed`, `skipped` (conditions did not hold), `aborted` (see `reason`), or `cancelled` by a caller.",
    reason:
      "Reason of an abort, a hold (`kill_switch`: paused, `plan`, `suspended`) or a wait (`quiet_hours`); otherwise null.",
    event: "Event that started the run; for a timer, the event that it counts from.",
    "event.position": "Position of the event in the feed.",
    "event.type": "Type of the event.",
    contactId: "Id of the contact; null if the contact was erased.",
    causation: "Automations and workflows that caused the event; null if a person or a store caused it.",
    conditions:
      "Conditions with their values and results; null before the evaluation, and after the contact was erased.",
    actions: "Results of the actions in order.",
    startedAt: "Time of the evaluation of the conditions in UTC; null without an evaluation.",
    finishedAt: "Time of the end in UTC; null before the end."
  },
  AutomationRunAction: {
    type: "Type of the action.",
    state:
      "`pending`, `waiting` until `until`, `calling` a plugin, `done`, `failed`, or `skipped` because the run ended before the action.",
    error: "Reason of the failure; null without a failure.",
    attempts: "Number of attempts so far; repeated waits for the end of quiet hours do not count."
  },
  AutomationRunEntry: {
    kind: "Kind of the entry: a run of an automation.",
    at: "Time of the creation of the run in UTC.",
    state:
      "`queued`, `running`, or final: `succeeded`, `failed`, `skipped` (conditions did not hold), `aborted` (see `reason`), or `cancelled` by a caller.",
    reason:
      "Reason of an abort, a hold (`kill_switch`: paused, `plan`, `suspended`) or a wait (`quiet_hours`); otherwise null."
  },
  ConditionExplanation: {
    all: "Results of the conditions that must all hold.",
    any: "Results of the conditions of which at least one must hold.",
    not: "Result of the condition that must not hold.",
    field: "Field of the condition.",
    key: "Key of the contact field, or id of the schedule.",
    op: "Operator of the condition.",
    value: "Value that the condition compares with.",
    held: "Whether the condition held; false if it names a deleted resource."
  },
  ContactAutomationRun: {
    kind: "Kind of the run: a run of an automation.",
    at: "Time of the creation of the run in UTC.",
    run: "The run with its conditions and the results of its actions."
  },
  DueTest: { from: "Earliest time of the occurrence. Default: now." },
  Fault: {
    pointer: "JSON pointer to the place of the error; empty for the whole input.",
    message: "Expected value, as a sentence for people."
  },
  FeatureNotInPlanProblem: {
    feature: "Name of the feature.",
    plan: "Plan of the organization.",
    availableIn: "Plans that include the feature, smallest first."
  },
  RunNotWaitingProblem: { node: "Id of the current node; null if the run is in no node." },
  Trigger: {
    event: "Type of the event.",
    audience: "Filter of the contacts to run for; `{}` matches all contacts."
  }
}
