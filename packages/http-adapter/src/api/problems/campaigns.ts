import * as Campaigns from "@parley/domain/campaigns"
import { problem } from "../problem.ts"

export const BroadcastTransitionInvalid = problem(
  Campaigns.BroadcastTransitionInvalid,
  409,
  "The status change is not allowed"
)
export const BroadcastStatusInvalid = problem(Campaigns.BroadcastStatusInvalid, 409, "The status does not allow this", {
  status: "broadcastStatus"
})
export const AudienceEmpty = problem(Campaigns.AudienceEmpty, 409, "The audience is empty")
export const AudienceSnapshotExpired = problem(Campaigns.AudienceSnapshotExpired, 409, "The recipient list has expired")
export const AudienceSnapshotMismatch = problem(
  Campaigns.AudienceSnapshotMismatch,
  409,
  "The recipient list does not match the broadcast"
)
export const RecipientsExpired = problem(
  Campaigns.RecipientsExpired,
  410,
  "The recipients were deleted after the retention period"
)
export const BroadcastTestsThrottled = problem(Campaigns.BroadcastTestsThrottled, 429, "Too many test messages")

export const campaignsProblems = {
  BroadcastTransitionInvalid,
  BroadcastStatusInvalid,
  AudienceEmpty,
  AudienceSnapshotExpired,
  AudienceSnapshotMismatch,
  RecipientsExpired,
  BroadcastTestsThrottled
}
