import { Schema } from "effect"
import { Timestamp } from "../kernel/index.ts"
import { BroadcastStatus } from "./broadcastTransitions.ts"

/** A broadcast is changed before it starts, and deleted while it is a draft. */
export class BroadcastNotEditable extends Schema.TaggedError<BroadcastNotEditable>()("BroadcastNotEditable", {
  status: BroadcastStatus,
  allowed: Schema.Array(BroadcastStatus)
}) {
  override get message() {
    return `The broadcast is ${this.status}. This is possible while it is ${this.allowed.join(" or ")}.`
  }
}

/** Somebody who is pending was merged, or parted again, since the list was read. */
export class ListChanged extends Schema.TaggedError<ListChanged>()("ListChanged", {}) {
  override get message() {
    return "The list of recipients has changed since it was read."
  }
}

/** Nobody would get anything. */
export class AudienceEmpty extends Schema.TaggedError<AudienceEmpty>()("AudienceEmpty", { matched: Schema.Int }) {
  override get message() {
    return this.matched === 0
      ? "The audience matches no contact."
      : `The audience matches ${this.matched} contacts, and none of them can be sent to. A preview of the audience says why.`
  }
}

/** The list of recipients that was kept is not kept any more. */
export class AudienceSnapshotExpired extends Schema.TaggedError<AudienceSnapshotExpired>()("AudienceSnapshotExpired", {
  expiredAt: Timestamp
}) {
  override get message() {
    return "The list of recipients was kept for a day, which is over. Preview the audience again."
  }
}

/** The list of recipients was made for a broadcast that says something else. */
export class AudienceSnapshotMismatch extends Schema.TaggedError<AudienceSnapshotMismatch>()(
  "AudienceSnapshotMismatch",
  { fields: Schema.Array(Schema.String) }
) {
  override get message() {
    return `The list of recipients was made with other values of ${this.fields.join(", ")}. Preview the audience again.`
  }
}

/** Who got the broadcast is not kept any more; its report is. */
export class RecipientsExpired extends Schema.TaggedError<RecipientsExpired>()("RecipientsExpired", {
  expiredAt: Timestamp
}) {
  override get message() {
    return "Recipients are kept for 180 days after a broadcast has ended. Its report is still there."
  }
}

/** Broadcasts are tried with a few numbers at a time, so that this is no way to send without rules. */
export class BroadcastTestsThrottled extends Schema.TaggedError<BroadcastTestsThrottled>()("BroadcastTestsThrottled", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `20 test messages are sent an hour at the most. Try again in ${this.retryAfterSeconds} seconds.`
  }
}
