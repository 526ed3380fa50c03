import { Schema } from "effect"
import { Timestamp } from "../kernel/index.ts"
import { BroadcastStatus } from "./broadcastTransitions.ts"

/** A broadcast can change only before its start, and be deleted only as a draft. */
export class BroadcastStatusInvalid extends Schema.TaggedError<BroadcastStatusInvalid>()("BroadcastStatusInvalid", {
  status: BroadcastStatus,
  allowed: Schema.Array(BroadcastStatus)
}) {
  override get message() {
    return `The broadcast is ${this.status}. This is possible while it is ${this.allowed.join(" or ")}.`
  }
}

/** A pending recipient was merged or unmerged since the read of the list. */
export class ListChanged extends Schema.TaggedError<ListChanged>()("ListChanged", {}) {
  override get message() {
    return "The list of recipients has changed since it was read."
  }
}

/** The broadcast has no recipients. */
export class AudienceEmpty extends Schema.TaggedError<AudienceEmpty>()("AudienceEmpty", { matched: Schema.Int }) {
  override get message() {
    return this.matched === 0
      ? "The audience matches no contact."
      : `The audience matches ${this.matched} contacts, but none can receive the broadcast. Preview the audience to see the reasons.`
  }
}

/** The snapshot has expired. */
export class AudienceSnapshotExpired extends Schema.TaggedError<AudienceSnapshotExpired>()("AudienceSnapshotExpired", {
  expiredAt: Timestamp
}) {
  override get message() {
    return "The recipient list has expired after one day. Preview the audience again."
  }
}

/** The snapshot was created from another definition. */
export class AudienceSnapshotMismatch extends Schema.TaggedError<AudienceSnapshotMismatch>()(
  "AudienceSnapshotMismatch",
  { fields: Schema.Array(Schema.String) }
) {
  override get message() {
    return `The recipient list was created with other values of ${this.fields.join(", ")}. Preview the audience again.`
  }
}

/** The recipients are deleted; the report still exists. */
export class RecipientsExpired extends Schema.TaggedError<RecipientsExpired>()("RecipientsExpired", {
  expiredAt: Timestamp
}) {
  override get message() {
    return "Recipients are stored for 180 days after the end of a broadcast. The report is still available."
  }
}

/** A rate limit on tests prevents sends that bypass the rules. */
export class BroadcastTestsThrottled extends Schema.TaggedError<BroadcastTestsThrottled>()("BroadcastTestsThrottled", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `The limit is 20 test messages per hour. Try again in ${this.retryAfterSeconds} seconds.`
  }
}
