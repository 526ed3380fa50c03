export {
  Action,
  type ActionOf,
  ActionTemplate,
  type ActionType,
  actionTypes,
  AutomationAction,
  AutomationActions,
  maxActions,
  StepName,
  WorkflowId
} from "./actions/Action.ts"
export * from "./actions/ActionResult.ts"
export { ActionRefused, WorkflowRefused } from "./actions/errors.ts"
export { AutomationRunsToCancel, LiveAutomationRunState } from "./cancelRunsJob.ts"
export * from "./errors.ts"
export { AutomationRunsToRerun, RerunnableAutomationRunState } from "./rerunRunsJob.ts"
export { type WorkflowStartRequest, WorkflowStarter } from "./actions/externalActions.ts"
export { performAction, type ActionExecution } from "./actions/performAction.ts"
export {
  Automation,
  AutomationDefinition,
  AutomationDisabledReason,
  AutomationPatch,
  AutomationView,
  definitionOf,
  emptyDefinition,
  NewAutomation
} from "./Automation.ts"
export { AutomationId } from "./AutomationId.ts"
export * from "./automationListing.ts"
export * from "./automationPermissions.ts"
export {
  Automations,
  type EnabledAutomation,
  collectReferenceKeys,
  type ReferenceField,
  referencesInDefinition,
  toReferenceKey,
  referencedSchedules
} from "./Automations.ts"
export {
  AutomationSettings,
  AutomationSettingsPatch,
  featureHoldReason,
  initialAutomationSettings,
  layerAutoAssignGate,
  StoredAutomationSettings,
  toAutomationRunViews
} from "./AutomationSettings.ts"
export {
  AutomationTest,
  FeedPosition,
  AutomationTestResult,
  currentContact,
  rehearseAction,
  rolledBack,
  sourceAt,
  tryAction,
  tryActions
} from "./automationTests.ts"
export * from "./checks/actionChecks.ts"
export { referencesInTrigger } from "./checks/definitionChecks.ts"
export { issuesOfMalformedDefinition } from "./checks/malformedDefinitions.ts"
export { makeTimerLaneWorker, fireTimers } from "./timers/timerLanes.ts"
export * from "./timers/setTimers.ts"
export {
  type TimerKind,
  type TimerOwner,
  type TimerOwnerId,
  type TimerSubjectId,
  type InactivityTrigger,
  type TimerTriggers,
  isInactivityTrigger,
  type FiredTimer,
  type TriggerTimer,
  TriggerTimers
} from "./timers/TriggerTimers.ts"
export { type AutomationClock, AutomationClocks } from "./occurrences/AutomationClocks.ts"
export { strikeClocks } from "./occurrences/clockLanes.ts"
export * from "./occurrences/cronOccurrences.ts"
export * from "./occurrences/dateOccurrences.ts"
export {
  ConditionExplanation,
  ConditionInput,
  factPermissions,
  findConditionLeaves
} from "./conditions/ConditionInput.ts"
export * from "./conditions/explainCondition.ts"
export { type Condition, factFields, type LeafConditionInput } from "./conditions/factFields.ts"
export { isKnownResource, loadKnownResources } from "./conditions/resourceReferences.ts"
export * from "./conditions/readCondition.ts"
export { AutomationEvent } from "./events.ts"
export * from "./facts/eventFacts.ts"
export type { Facts, FactValue, GroupFacts, groupFacts } from "./facts/Facts.ts"
export { isProcessEnding, toFailureResult } from "./runs/actionResults.ts"
export * from "./runs/AutomationRun.ts"
export * from "./runs/AutomationRuns.ts"
export { makeContactLanes, laneNumber, laneOf } from "./runs/contactLanes.ts"
export { evaluateCondition } from "./runs/contactRunQueue.ts"
export { resolveCurrentContacts, isWithinStartWindow, eventContact } from "./runs/newRuns.ts"
export * from "./requests/HttpCall.ts"
export { answerIssue, CallAnswer, endCall } from "./requests/callAnswers.ts"
export { httpCallLaneWorker } from "./requests/httpCallLanes.ts"
export { type HttpVerdict, interpretHttpAnswer } from "./requests/httpAnswers.ts"
export * from "./runs/quietHours.ts"
export { performRuns } from "./runs/runLanes.ts"
export * from "./runs/runSelection.ts"
export { abortRun } from "./runs/runSteps.ts"
export { startCausation } from "./runs/startCausation.ts"
export { RunConflict, retryOnRunConflict } from "./runs/savedRuns.ts"
export * from "./triggers/factGroups.ts"
export * from "./triggers/Trigger.ts"
export {
  IgnoredCall,
  type TriggerCall,
  TriggerCallId,
  TriggerCallInput,
  TriggerCalls,
  TriggerReceipt
} from "./triggerUrls/TriggerCalls.ts"
export type { ReceivedTriggerCall } from "./triggerUrls/receiveCall.ts"
export {
  IssuedTriggerUrl,
  NewTriggerUrl,
  type StoredTriggerUrl,
  TriggerUrl,
  TriggerUrls
} from "./triggerUrls/TriggerUrl.ts"
export { isTriggerSource, matchesTrigger, triggerEventOf } from "./triggers/triggerEvents.ts"
export * from "./use-cases/automationRuns.ts"
export * from "./use-cases/bulkAutomationRuns.ts"
export * from "./use-cases/automations.ts"
export * from "./use-cases/automationSettings.ts"
export * from "./use-cases/triggerUrls.ts"
