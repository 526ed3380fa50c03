import type { ConversationId } from "@parley/domain/messaging"
import type {
  ActionEffect,
  Automation,
  AutomationClock,
  AutomationDefinition,
  TriggerTimer,
  AutomationId,
  AutomationSettings,
  AutomationRunId,
  StoredWorkflowRun,
  NewAutomationRun,
  HttpCallId,
  ScheduleId,
  StoredHttpCall,
  StoredTriggerUrl,
  TriggerCall,
  TriggerCallId,
  WeeklySchedule,
  Workflow,
  WorkflowHold,
  WorkflowId,
  WorkflowRunId,
  WorkflowStep,
  WorkflowVersion
} from "@parley/domain/automation"
import { type DateTime, HashMap } from "effect"

/** A timer that starts something after some time. One that fired permanently has no time. */
export interface TriggerTimerRow extends Omit<TriggerTimer, "dueAt"> {
  readonly dueAt: DateTime.Utc | null
}

/** Automation run, the number of its last change, and the merges that transferred it. */
export interface AutomationRunRow extends NewAutomationRun {
  readonly revision: number
  readonly handedBy: ReadonlyArray<string>
}

/** When a run of a key ended that is forgotten. */
export interface WorkflowEndRow {
  readonly workflowId: WorkflowId
  readonly key: string
  readonly endedAt: DateTime.Utc
}

/** Workflow run, its performed steps by place, and the merges that transferred it. */
export interface WorkflowRunRow extends StoredWorkflowRun {
  readonly steps: ReadonlyMap<number, WorkflowStep>
  readonly handedBy: ReadonlyArray<string>
}

/** Time of the last away reply to a contact. */
export interface AwayReplyRow {
  readonly conversationId: ConversationId
  readonly scheduleId: ScheduleId
  readonly at: DateTime.Utc
}

/** Rows of one organization in this folder. */
export interface AutomationTenant {
  /** By run, step and visit. */
  readonly actionEffects: HashMap.HashMap<string, { readonly effect: ActionEffect; readonly at: DateTime.Utc }>
  readonly awayReplies: ReadonlyArray<AwayReplyRow>
  readonly schedules: HashMap.HashMap<ScheduleId, WeeklySchedule>
  /** By the ids of the automation and of what each is of. */
  readonly triggerTimers: HashMap.HashMap<string, TriggerTimerRow>
  readonly triggerCalls: HashMap.HashMap<TriggerCallId, TriggerCall>
  readonly httpCalls: HashMap.HashMap<HttpCallId, StoredHttpCall>
  readonly automationClocks: HashMap.HashMap<AutomationId, AutomationClock>
  readonly triggerUrls: HashMap.HashMap<AutomationId, StoredTriggerUrl>
  readonly automationRuns: HashMap.HashMap<AutomationRunId, AutomationRunRow>
  readonly automations: HashMap.HashMap<AutomationId, Automation>
  readonly automationVersions: HashMap.HashMap<
    AutomationId,
    ReadonlyArray<{ readonly version: number; readonly definition: AutomationDefinition }>
  >
  readonly automationSettings: AutomationSettings | null
  readonly automationsResumedAfter: number
  readonly workflowRuns: HashMap.HashMap<WorkflowRunId, WorkflowRunRow>
  readonly workflows: HashMap.HashMap<WorkflowId, Workflow>
  readonly workflowsActiveAfter: HashMap.HashMap<WorkflowId, number>
  readonly workflowEnds: ReadonlyArray<WorkflowEndRow>
  readonly workflowHolds: ReadonlyArray<WorkflowHold>
  readonly workflowVersions: HashMap.HashMap<WorkflowId, ReadonlyArray<WorkflowVersion>>
}

export const emptyAutomationTenant: AutomationTenant = {
  actionEffects: HashMap.empty(),
  awayReplies: [],
  schedules: HashMap.empty(),
  triggerTimers: HashMap.empty(),
  triggerCalls: HashMap.empty(),
  httpCalls: HashMap.empty(),
  automationClocks: HashMap.empty(),
  triggerUrls: HashMap.empty(),
  automationRuns: HashMap.empty(),
  automations: HashMap.empty(),
  automationVersions: HashMap.empty(),
  automationSettings: null,
  automationsResumedAfter: 0,
  workflowRuns: HashMap.empty(),
  workflows: HashMap.empty(),
  workflowsActiveAfter: HashMap.empty(),
  workflowEnds: [],
  workflowHolds: [],
  workflowVersions: HashMap.empty()
}
