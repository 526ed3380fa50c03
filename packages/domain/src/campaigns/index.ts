export * from "./audience/Audiences.ts"
export { requireSnapshot } from "./audience/audienceSnapshots.ts"
export * from "./audience/audienceSplit.ts"
export { planAudience } from "./audience/planAudience.ts"
export { AudiencePreview, NewAudiencePreview, PreviewWarning } from "./AudiencePreview.ts"
export * from "./Broadcast.ts"
export { holdWhereSuspended, pauseByService } from "./broadcastMoves.ts"
export * from "./Broadcasts.ts"
export * from "./BroadcastSettings.ts"
export * from "./BroadcastSimulation.ts"
export { BroadcastTest, BroadcastTestResult, NewBroadcastTest } from "./BroadcastTest.ts"
export * from "./broadcastTransitions.ts"
export {
  type ChangedList,
  ContactRecipient,
  ContactRecipients,
  exportedRecipients,
  RecipientEntry
} from "./ContactRecipients.ts"
export * from "./errors.ts"
export { CampaignEvent } from "./events.ts"
export * from "./ExpiredRecipients.ts"
export {
  AudienceSnapshotId,
  BroadcastId,
  partsOfRecipientId,
  RecipientId,
  recipientIdAt,
  recipientPrefix
} from "./Ids.ts"
export { answeredRecipient, type ButtonTally, ButtonTaps } from "./receipts/answers.ts"
export { receipted } from "./receipts/recipientMessages.ts"
export {
  type AcceptedRecipient,
  type CalledRecipient,
  type MovedRecipient,
  type ProgressedBroadcast,
  RecipientReceipts,
  RecipientReplies
} from "./receipts/RecipientReceipts.ts"
export * from "./RecipientLedger.ts"
export {
  BroadcastRecipient,
  type PlacedRecipient,
  RecipientList,
  type RecipientQuery,
  recipientQuery,
  type RecipientsRequest,
  type RecipientTally
} from "./RecipientList.ts"
export {
  freezeSlice,
  largestSlice,
  RecipientReservations,
  reserveAudience,
  reserveRecipients
} from "./RecipientReservations.ts"
export * from "./RecipientStatus.ts"
export * from "./report/BroadcastAttribution.ts"
export * from "./report/BroadcastReport.ts"
export { type MarketingRoom, marketingRoom } from "./sending/decide.ts"
export * from "./sending/sendBroadcasts.ts"
export { makeTurns } from "./sending/throttle.ts"
export { ClockTime, Day, days as daysOfWeek, Schedule, ScheduleZone, SendWindow } from "./timing/Schedule.ts"
export { contactZoneOf, LocalTime } from "./timing/timeZones.ts"
export * from "./use-cases/broadcastLifecycle.ts"
export * from "./use-cases/broadcasts.ts"
export * from "./use-cases/broadcastSettings.ts"
export * from "./use-cases/previewAudience.ts"
export * from "./use-cases/recipients.ts"
export * from "./use-cases/simulateBroadcast.ts"
export * from "./use-cases/testBroadcast.ts"
export { analyse as analyseLiquid, type Vocabulary } from "./values/liquid/analyse.ts"
export { liquidScope, type NamedPath, type Written } from "./values/liquid/liquidScope.ts"
export * from "./values/liquid/liquidText.ts"
export * from "./values/liquid/outputTypes.ts"
export * from "./values/liquid/Structure.ts"
export { longestValue, Value, ValueField, Variables } from "./values/Value.ts"
export { tidy, wordingOf } from "./values/Wording.ts"
