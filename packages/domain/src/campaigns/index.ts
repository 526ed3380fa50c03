export * from "./audience/Audiences.ts"
export { requireSnapshot } from "./audience/audienceSnapshots.ts"
export * from "./audience/audienceSplit.ts"
export { planAudience } from "./audience/planAudience.ts"
export { CostEstimate } from "./CostEstimate.ts"
export { AudiencePreview, NewAudiencePreview, PreviewWarning } from "./AudiencePreview.ts"
export * from "./Broadcast.ts"
export { holdIfSuspended, pauseLockedBroadcast } from "./broadcastChanges.ts"
export * from "./Broadcasts.ts"
export * from "./BroadcastSettings.ts"
export * from "./BroadcastSimulation.ts"
export { BroadcastTest, BroadcastTestResult, NewBroadcastTest } from "./BroadcastTest.ts"
export * from "./broadcastTransitions.ts"
export {
  type RecipientCountChange,
  ContactRecipient,
  ContactRecipients,
  recipientExportFields,
  RecipientEntry
} from "./ContactRecipients.ts"
export * from "./errors.ts"
export { CampaignEvent } from "./events.ts"
export * from "./ExpiredRecipients.ts"
export {
  AudienceSnapshotId,
  BroadcastId,
  parseRecipientId,
  RecipientId,
  recipientIdAt,
  recipientPrefix
} from "./Ids.ts"
export { findAnsweredRecipient, type ButtonTally, ButtonTaps } from "./receipts/replies.ts"
export { applyReceipt, layerBulkMessages } from "./receipts/recipientMessages.ts"
export {
  type AcceptedRecipient,
  type CalledRecipient,
  type RecipientChange,
  type BroadcastProgress,
  RecipientReceipts,
  RecipientReplies
} from "./receipts/RecipientReceipts.ts"
export * from "./RecipientLedger.ts"
export {
  BroadcastRecipient,
  type PlacedRecipient,
  RecipientList,
  type RecipientQuery,
  toRecipientQuery,
  type RecipientFilters,
  type RecipientTally,
  type VariantChargeTally
} from "./RecipientList.ts"
export {
  freezeSlice,
  maxSliceSize,
  RecipientReservations,
  reserveAudience,
  reserveRecipients
} from "./RecipientReservations.ts"
export * from "./RecipientStatus.ts"
export * from "./report/BroadcastAttribution.ts"
export * from "./report/BroadcastReport.ts"
export { type MarketingAllowance, marketingAllowance } from "./sending/decide.ts"
export * from "./sending/broadcastSender.ts"
export {
  ClockTime,
  Weekday,
  weekdayNames as daysOfWeek,
  Schedule,
  ScheduleZone,
  SendWindow
} from "./timing/Schedule.ts"
export { lastContactZone, LocalTime } from "./timing/timeZones.ts"
export { contactsWithNewZones, zoneEventTypes } from "./timing/zoneChanges.ts"
export * from "./use-cases/broadcastLifecycle.ts"
export * from "./use-cases/broadcasts.ts"
export * from "./use-cases/broadcastSettings.ts"
export * from "./use-cases/previewAudience.ts"
export * from "./use-cases/recipients.ts"
export * from "./use-cases/simulateBroadcast.ts"
export * from "./use-cases/testBroadcast.ts"
export { analyse as analyseLiquid, type Vocabulary } from "./values/liquid/analyse.ts"
export { liquidScope, type NamedPath, type ScopeValue } from "./values/liquid/liquidScope.ts"
export * from "./values/liquid/renderLiquid.ts"
export * from "./values/liquid/outputTypes.ts"
export * from "./values/liquid/Structure.ts"
export { maxValueLength, BroadcastValue, ValueField, Variables } from "./values/BroadcastValue.ts"
export { toSingleLine, makeLocaleFormat } from "./values/LocaleFormat.ts"
