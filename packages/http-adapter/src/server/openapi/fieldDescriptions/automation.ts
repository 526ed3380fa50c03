import type { FieldDescriptions } from "./FieldDescriptions.ts"

/** Descriptions of the fields of `automation`, by component, operation or event, and path. */
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
  WorkflowRerunOf: { runId: "Id of the run that this run repeats." },
  WorkflowRunsToCancel: {
    "filter.createdFrom": "Only runs created at this time or later. Default: any.",
    "filter.createdTo": "Only runs created before this time. Default: the time of the call."
  },
  AutomationRunsToRerun: {
    "filter.createdFrom": "Only runs created at this time or later. Default: any.",
    "filter.createdTo": "Only runs created before this time. Default: the time of the call."
  },
  WorkflowRunsToRerun: {
    "filter.createdFrom": "Only runs created at this time or later. Default: any.",
    "filter.createdTo": "Only runs created before this time. Default: the time of the call."
  },
  IssuedTriggerUrl: { url: "URL for calls; it contains the token and is shown once." },
  "automation.call": {
    "data.contactId": "Id of the contact; null if the contact was erased.",
    "data.conversationId": "Id of the conversation; null without a conversation, or if the contact was erased."
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
  Action: {
    type: "Type of the action, which decides its other fields.",
    message: "Message to the contact.",
    "message.kind": "Kind of the message; actions refuse `template`, `provider` and `reaction`.",
    "message.text": "Text, 1 to 4,096 characters.",
    "message.replyToId": "Refused in actions, because it identifies a single message.",
    "message.recipient": "Refused in actions, because it identifies a single person.",
    "message.caption": "Caption of the file, 1 to 1,024 characters.",
    "message.interactive": "Interactive content, for example buttons or a list.",
    "message.location": "Place on the map.",
    "message.location.latitude": "Latitude in degrees, -90 to 90.",
    "message.location.longitude": "Longitude in degrees, -180 to 180.",
    "message.location.name": "Name of the place, up to 200 characters.",
    "message.location.address": "Address of the place, up to 500 characters.",
    "message.contacts": "Contact cards.",
    "message.contacts.name": "Full name, up to 200 characters.",
    "message.contacts.phones": "Phone numbers, 1 to 10: a number, or a number with its type and WhatsApp id.",
    "message.contacts.phones.type": "Label of the number, for example `Mobile`.",
    "message.contacts.phones.waId":
      "WhatsApp id of the number, 5 to 20 digits; the recipient can start a chat with it.",
    "message.contacts.nameParts": "Parts of the name.",
    "message.contacts.nameParts.first": "First name.",
    "message.contacts.nameParts.last": "Last name.",
    "message.contacts.nameParts.middle": "Middle name.",
    "message.contacts.nameParts.prefix": "Prefix of the name, for example `Dr.`.",
    "message.contacts.nameParts.suffix": "Suffix of the name, for example `Jr.`.",
    "message.contacts.emails": "Email addresses, 1 to 10.",
    "message.contacts.emails.email": "Email address.",
    "message.contacts.emails.type": "Label of the email address, for example `Work`.",
    "message.contacts.addresses": "Postal addresses, 1 to 10.",
    "message.contacts.addresses.street": "Street and number.",
    "message.contacts.addresses.city": "City.",
    "message.contacts.addresses.state": "State or region.",
    "message.contacts.addresses.zip": "Postal code.",
    "message.contacts.addresses.country": "Name of the country.",
    "message.contacts.addresses.countryCode": "Code of the country, for example `DE`.",
    "message.contacts.addresses.type": "Label of the address, for example `Home`.",
    "message.contacts.organization": "Organization of the person.",
    "message.contacts.organization.company": "Name of the company.",
    "message.contacts.organization.department": "Department of the person.",
    "message.contacts.organization.title": "Job title of the person.",
    "message.contacts.urls": "Web addresses, 1 to 10.",
    "message.contacts.urls.url": "Web address.",
    "message.contacts.urls.type": "Label of the web address, for example `Work`.",
    "message.contacts.birthday": "Birthday, for example `1999-01-23`.",
    "message.emoji": "Emoji of a reaction; actions refuse reactions.",
    "message.template": "Template of the kind `template`, which actions refuse; use `send_template`.",
    "message.template.id": "Id of the message template.",
    "message.template.values": "Values of the template by variable.",
    "message.template.name": "Name of the message template.",
    "message.template.language": "Language of the message template.",
    method: "Method of the HTTP request.",
    template: "Template to send, with the values of its variables.",
    priority: "New priority of the conversation.",
    labels: "Labels to add or remove, 1 to 20.",
    status: "New status of the conversation.",
    state: "New state of the marketing consent.",
    mentions: "Ids of the users that the note mentions, at most 20.",
    body: "JSON to post, at most 32 KiB; its texts are Liquid templates.",
    input: "Input of the workflow or the plugin action, at most 32 KiB. Default for a workflow: `{}`.",
    action: "Key of the action in the manifest of the plugin."
  },
  ActionTemplate: { id: "Id of the message template." },
  ActionAssignment: { assigneeId: "Id of the user who got the conversation; null unless `assigned`." },
  ActionEffect: {
    kind: "Kind of the resource that the action created or changed.",
    id: "Id of that resource."
  },
  ActionError: {
    code: "Code of the refusal, as in the problem of the same call, or of actions only, for example `missing_variable`.",
    detail: "Explanation for people; null without one."
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
  ContactInWorkflowProblem: {
    isLive: "True if the contact has a live run of the workflow; false if the reentry rule allows no new run now."
  },
  ContactWorkflowRun: {
    kind: "Kind of the run: a run of a workflow.",
    at: "Time of the start of the run in UTC.",
    run: "The run with its latest 20 steps."
  },
  DueTest: { from: "Earliest time of the occurrence. Default: now." },
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
  Fault: {
    pointer: "JSON pointer to the place of the error; empty for the whole input.",
    message: "Expected value, as a sentence for people."
  },
  FeatureNotInPlanProblem: {
    feature: "Name of the feature.",
    plan: "Plan of the organization.",
    availableIn: "Plans that include the feature, smallest first."
  },
  Holiday: {
    date: "Date of the holiday, for example `2026-12-25`.",
    name: "Name of the holiday.",
    spans: "Opening times as pairs of local times, at most 6; empty if closed all day."
  },
  HolidayInput: {
    yearly: "Whether the day applies in every year. Default: false.",
    spans: "Opening times as pairs of local times, at most 6. Default: closed all day."
  },
  MemberAvailability: {
    status:
      "`available` members get conversations automatically; `away` members keep the conversations that they have. `available` before the first change."
  },
  MemberAvailabilityInput: {
    capacity: "Maximum number of open conversations for automatic assignment; an absent capacity stays unchanged."
  },
  NewWorkflowRun: { input: "Values that texts can use as `input`, at most 32 KiB. Default: `{}`." },
  RunNotWaitingProblem: { node: "Id of the current node; null if the run is in no node." },
  Schedule: {
    name: "Name of the schedule.",
    weekly: "Weekly opening times.",
    holidays: "Days with other opening times than in the week, by date."
  },
  NewSchedule: {
    timezone: "Time zone as an IANA name; null: the time zone of the organization. Default: null.",
    holidays: "Days with other opening times than in the week, at most 200. Default: none."
  },
  ScheduleInUseProblem: {
    usedBy: "Resources that use the schedule.",
    "usedBy.kind": "Kind of the resource: `automation` or `workflow`.",
    "usedBy.id": "Id of the automation or workflow."
  },
  ScheduleStatus: { open: "Whether the schedule is open at the time." },
  Trigger: {
    event: "Type of the event.",
    audience: "Filter of the contacts to run for; `{}` matches all contacts."
  },
  Week: {
    mon: "Opening times on Monday as pairs of local times, `00:00` to `24:00`, at most 6; empty if closed.",
    tue: "Opening times on Tuesday as pairs of local times, `00:00` to `24:00`, at most 6; empty if closed.",
    wed: "Opening times on Wednesday as pairs of local times, `00:00` to `24:00`, at most 6; empty if closed.",
    thu: "Opening times on Thursday as pairs of local times, `00:00` to `24:00`, at most 6; empty if closed.",
    fri: "Opening times on Friday as pairs of local times, `00:00` to `24:00`, at most 6; empty if closed.",
    sat: "Opening times on Saturday as pairs of local times, `00:00` to `24:00`, at most 6; empty if closed.",
    sun: "Opening times on Sunday as pairs of local times, `00:00` to `24:00`, at most 6; empty if closed."
  },
  WeekInput: {
    mon: "Opening times on Monday as pairs of local times, `00:00` to `24:00`, at most 6. Default: closed.",
    tue: "Opening times on Tuesday as pairs of local times, `00:00` to `24:00`, at most 6. Default: closed.",
    wed: "Opening times on Wednesday as pairs of local times, `00:00` to `24:00`, at most 6. Default: closed.",
    thu: "Opening times on Thursday as pairs of local times, `00:00` to `24:00`, at most 6. Default: closed.",
    fri: "Opening times on Friday as pairs of local times, `00:00` to `24:00`, at most 6. Default: closed.",
    sat: "Opening times on Saturday as pairs of local times, `00:00` to `24:00`, at most 6. Default: closed.",
    sun: "Opening times on Sunday as pairs of local times, `00:00` to `24:00`, at most 6. Default: closed."
  },
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
