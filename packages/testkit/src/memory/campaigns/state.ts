import type { ContactId, ContactMergeId } from "@parley/domain/crm"
import type { ConversationId, MessageError, Recipient } from "@parley/domain/messaging"
import type {
  AudienceSnapshot,
  AudienceSnapshotId,
  Broadcast,
  BroadcastId,
  BroadcastReport,
  BroadcastSettings,
  BroadcastWindow,
  ButtonTally,
  ExclusionReason,
  RecipientStatus,
  SentValues,
  VariantKey
} from "@parley/domain/campaigns"
import { type DateTime, HashMap } from "effect"

/** Recipients of a broadcast that count against a month. */
export interface ReservationRow {
  readonly month: DateTime.Utc
  readonly amount: number
}

/** Progress of a broadcast, with its statistics. */
export interface BroadcastProgressRow {
  /** The last contact that was put on the list. */
  readonly frozenAfter: ContactId | null
  readonly listed: number
  readonly mark: number
  /** Increases when a writer other than the sender changes the pending recipients. */
  readonly revision: number
  readonly stoppedAt: DateTime.Utc | null
  readonly doubtedAt: DateTime.Utc | null
  readonly claimedAt: DateTime.Utc | null
  readonly toldAt: DateTime.Utc | null
  /** Whether postponed recipients must be checked again. */
  readonly isRecalled: boolean
  /** Highest fence that claimed recipients or fenced off other workers. */
  readonly fence: number
  /** When its recipients went. */
  readonly deletedAt: DateTime.Utc | null
}

/** Listed recipient of a broadcast. `waiting` is also pending, until the due time or the next retry. */
export interface BroadcastRecipientRow {
  readonly seq: number
  readonly contactId: ContactId
  /** Merges through which it reached the contact. */
  readonly handedBy: ReadonlyArray<ContactMergeId>
  readonly address: Recipient | null
  readonly variant: VariantKey | null
  readonly status: Exclude<RecipientStatus, "in_flight"> | "waiting"
  readonly dueAt: DateTime.Utc | null
  /** End of the last postponement, even if the recipient now waits for something else. */
  readonly putOffUntil: DateTime.Utc | null
  /** Due time at the draw, before any postponement; `null` without a holdout and for recipients excluded before the draw. */
  readonly drawnFor: DateTime.Utc | null
  readonly attempts: number
  readonly reason: ExclusionReason | null
  readonly error: MessageError | null
  readonly providerMessageId: string | null
  readonly values: SentValues | null
  readonly calledAt: DateTime.Utc | null
  readonly sentAt: DateTime.Utc | null
  readonly deliveredAt: DateTime.Utc | null
  readonly readAt: DateTime.Utc | null
  readonly failedAt: DateTime.Utc | null
  readonly repliedAt: DateTime.Utc | null
  readonly optedOutAt: DateTime.Utc | null
  readonly conversationId: ConversationId | null
}

/** Stored list of recipients, in contact order. */
export interface AudienceSnapshotRow {
  readonly snapshot: AudienceSnapshot
  readonly contacts: ReadonlyArray<{
    readonly contactId: ContactId
    /** Current holder of the place and the merges that transferred it. */
    readonly holder: ContactId
    readonly handedBy: ReadonlyArray<ContactMergeId>
    readonly address: Recipient | null
    readonly reason: ExclusionReason | null
  }>
}

/** Rows of one organization in this folder. */
export interface CampaignsTenant {
  readonly audienceSnapshots: HashMap.HashMap<AudienceSnapshotId, AudienceSnapshotRow>
  readonly broadcasts: HashMap.HashMap<BroadcastId, Broadcast>
  readonly broadcastReports: HashMap.HashMap<BroadcastId, BroadcastReport>
  readonly broadcastProgress: HashMap.HashMap<BroadcastId, BroadcastProgressRow>
  /** By broadcast, in the order of their places. */
  readonly broadcastRecipients: HashMap.HashMap<BroadcastId, ReadonlyArray<BroadcastRecipientRow>>
  readonly broadcastWindows: ReadonlyArray<BroadcastWindow>
  /** `null` until they are changed. */
  readonly broadcastSettings: BroadcastSettings | null
  readonly buttonTaps: HashMap.HashMap<BroadcastId, ReadonlyArray<ButtonTally>>
  /** Monthly plan recipients that broadcasts reserve. */
  readonly recipientReservations: HashMap.HashMap<BroadcastId, ReservationRow>
}

export const emptyCampaignsTenant: CampaignsTenant = {
  audienceSnapshots: HashMap.empty(),
  broadcasts: HashMap.empty(),
  broadcastReports: HashMap.empty(),
  broadcastProgress: HashMap.empty(),
  broadcastRecipients: HashMap.empty(),
  broadcastWindows: [],
  broadcastSettings: null,
  buttonTaps: HashMap.empty(),
  recipientReservations: HashMap.empty()
}
