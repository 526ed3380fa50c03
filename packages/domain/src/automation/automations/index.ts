export {
  Action,
  type ActionOf,
  ActionTemplate,
  type ActionType,
  actionTypes,
  AutomationAction,
  AutomationActions,
  mostActions,
  WorkflowId
} from "./actions/Action.ts"
export * from "./actions/ActionResult.ts"
export { ActionRefused, WorkflowRefused } from "./actions/errors.ts"
export {
  type AskedOfWorkflow,
  layerWorkflowStartsOf,
  type WorkflowStart,
  WorkflowStarts
} from "./actions/outsideActions.ts"
export { performAction, type Performance } from "./actions/performAction.ts"
export {
  Automation,
  AutomationDefinition,
  AutomationDisabledReason,
  AutomationId,
  AutomationPatch,
  AutomationView,
  definitionOf,
  emptyDefinition,
  NewAutomation
} from "./Automation.ts"
export * from "./automationPermissions.ts"
export {
  Automations,
  type EnabledAutomation,
  namedBy,
  type NamedInDefinition,
  namedInDefinition,
  nameOfNamed,
  schedulesNamed
} from "./Automations.ts"
export {
  AutomationSettings,
  AutomationSettingsPatch,
  heldFrom,
  initialAutomationSettings,
  StoredAutomationSettings
} from "./AutomationSettings.ts"
export { AutomationTest, AutomationTestResult, tryAction, tryActions } from "./automationTests.ts"
export * from "./checks/actionChecks.ts"
export { namedInTrigger } from "./checks/definitionChecks.ts"
export { clockLanes, strikeClocks } from "./clocks/clockLanes.ts"
export * from "./clocks/setClocks.ts"
export {
  type ClockKind,
  type ClockOwner,
  type ClockOwnerId,
  type ClockSubject,
  type ClockTrigger,
  type Clockwork,
  isClockTrigger,
  type Struck,
  type TriggerClock,
  TriggerClocks
} from "./clocks/TriggerClocks.ts"
export { ConditionExplanation, ConditionInput, factPermissions } from "./conditions/ConditionInput.ts"
export * from "./conditions/explainCondition.ts"
export { type Condition, factFields, type Said } from "./conditions/factFields.ts"
export { isThere, knownThings } from "./conditions/namedResources.ts"
export * from "./conditions/readCondition.ts"
export { AutomationEvent } from "./events.ts"
export * from "./facts/eventFacts.ts"
export type { Facts, FactValue, GroupFacts, groupFacts } from "./facts/Facts.ts"
export { endsTheTurn, resultOfFault } from "./runs/actionResults.ts"
export * from "./runs/AutomationRun.ts"
export * from "./runs/AutomationRuns.ts"
export { contactLanes, laneNumber, laneOf } from "./runs/contactLanes.ts"
export { judge } from "./runs/contactTurns.ts"
export { contactsMeant, isFresh, whoseEvent } from "./runs/newRuns.ts"
export * from "./runs/quietHours.ts"
export { performRuns } from "./runs/runLanes.ts"
export { cut as cutRun } from "./runs/runSteps.ts"
export { RunMoved, withRunAsItIs } from "./runs/savedRuns.ts"
export * from "./triggers/factGroups.ts"
export * from "./triggers/Trigger.ts"
export { isMetBy, triggerEventOf } from "./triggers/triggerEvents.ts"
export * from "./use-cases/automationRuns.ts"
export * from "./use-cases/automations.ts"
export * from "./use-cases/automationSettings.ts"
