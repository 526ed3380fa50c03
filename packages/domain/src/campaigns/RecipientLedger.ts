import { Context, type DateTime, type Effect } from "effect"
import type { ContactId } from "../crm/index.ts"
import type { TenantScoped, Transaction } from "../kernel/index.ts"
import type { ChatAccountId, Recipient } from "../messaging/chat/index.ts"
import type { MessageError } from "../messaging/inbox/index.ts"
import type { LaneLease } from "../platform/background/index.ts"
import type { BroadcastWaiting, VariantKey } from "./Broadcast.ts"
import type { BroadcastId } from "./Ids.ts"
import type { BroadcastStats, ExclusionReason } from "./RecipientStatus.ts"
import type { PlannedCap } from "./audience/Audiences.ts"
import type { BroadcastStatus } from "./broadcastTransitions.ts"
import type { ListChanged } from "./errors.ts"

/** A contact on the list of a broadcast, before anything was sent to it. */
export interface ListedRecipient {
  readonly contactId: ContactId
  readonly address: Recipient | null
  readonly variant: VariantKey | null
  /** When it is due; `null` where it is at once. */
  readonly dueAt: DateTime.Utc | null
  /** `null` where it is to get the message. */
  readonly left: { readonly kind: "held_out" } | { readonly kind: "excluded"; readonly reason: ExclusionReason } | null
}

/** A recipient whose turn has come. */
export interface Candidate {
  readonly seq: number
  readonly contactId: ContactId
  readonly address: Recipient | null
  readonly variant: VariantKey | null
  readonly dueAt: DateTime.Utc | null
  /** How often it was tried, as far as that counts. */
  readonly attempts: number
  /** Whether the contact has had the broadcast, or is to have it, by another place on the list: as contacts have that were merged. */
  readonly isSecond: boolean
}

/** The values that a recipient is sent, by their keys. */
export type SentValues = Readonly<Record<string, string>>

/**
 * What is taken in hand of a broadcast at once. It is stored before the first call of it, and goes when all of its results are stored: of
 * whatever is left in it when its owner has died nobody knows whether it was called.
 */
export interface BroadcastWindow {
  readonly id: string
  readonly broadcastId: BroadcastId
  /** The fence of whoever claimed it. */
  readonly fence: number
  readonly claimedAt: DateTime.Utc
  readonly calls: ReadonlyArray<{
    readonly seq: number
    readonly contactId: ContactId
    readonly values: SentValues
  }>
}

/** What is decided of candidates. */
export interface Claim {
  /** Of the list that the candidates were read from. */
  readonly revision: number
  /** Up to here, everybody on the list was looked at. */
  readonly mark: number
  readonly window: BroadcastWindow
  readonly excluded: ReadonlyArray<{ readonly seq: number; readonly reason: ExclusionReason }>
  readonly postponed: ReadonlyArray<{ readonly seq: number; readonly dueAt: DateTime.Utc }>
}

/** How many whose turn has come are looked for. */
export interface CandidateSearch {
  readonly now: DateTime.Utc
  readonly limit: number
}

/**
 * Those whose turn has come, those first that waited for it; up to where the list was looked through for it, and the revision of the list: it goes
 * up when anybody but the sender changes who is pending.
 */
export interface FoundCandidates {
  readonly candidates: ReadonlyArray<Candidate>
  readonly mark: number
  readonly revision: number
}

/** A claim of which everybody is sent to, with what came of those who were claimed before. */
export interface NextClaim extends Omit<Claim, "excluded" | "postponed"> {
  readonly lane: LaneLease
  /** Those who are claimed, as they were read: whoever has changed since is not claimed by it. */
  readonly contacts: ReadonlyArray<{ readonly id: ContactId; readonly version: number }>
  readonly results: ReadonlyArray<RecipientResult>
  /** How many to look for that come after these. */
  readonly ahead: CandidateSearch
}

/**
 * What has become of it: the claim is stored, and these come next; or nothing of it is, since the broadcast is not sending any more, the list or a contact
 * has changed, or somebody else owns the account. The results are stored in any case.
 */
export type NextClaimResult =
  | { readonly outcome: "begun"; readonly ahead: FoundCandidates }
  | { readonly outcome: "not_sending" | "list_changed" | "lease_lost" }

/** What came of a recipient that was in hand. */
export type RecipientOutcome =
  | { readonly kind: "sent"; readonly providerMessageId: string }
  | { readonly kind: "failed"; readonly error: MessageError }
  | { readonly kind: "in_doubt" }
  /** Certainly not sent. It is tried again then, unless the broadcast has ended. */
  | { readonly kind: "pending"; readonly dueAt: DateTime.Utc; readonly counts: boolean }

/** What came of a recipient, with the window that it was in. */
export interface RecipientResult {
  readonly windowId: string
  readonly seq: number
  readonly at: DateTime.Utc
  readonly outcome: RecipientOutcome
}

/** A broadcast that is neither a draft nor has ended, or of which something is in hand, and how far it is. */
export interface ActiveBroadcast {
  readonly broadcastId: BroadcastId
  readonly status: BroadcastStatus
  readonly version: number
  readonly stats: BroadcastStats
  /** Whether everybody of its audience is listed. */
  readonly isFrozen: boolean
  /** How many recipients are listed, and how many of them were looked at. */
  readonly listed: number
  readonly mark: number
  /** When the first of those is due that wait, and are not in hand. */
  readonly nextDueAt: DateTime.Utc | null
  /** Whether quiet hours or a window delay that recipient. */
  readonly isNextPutOff: boolean
  /** When the last of those got into doubt that are. */
  readonly doubtedAt: DateTime.Utc | null
  /** When recipients were last taken in hand. */
  readonly claimedAt: DateTime.Utc | null
  /** When `broadcast.progressed` was told last. */
  readonly toldAt: DateTime.Utc | null
  /** Whether those who were put off are to be looked at again: what they were put off for has changed. */
  readonly isRecalled: boolean
}

/**
 * Who gets the organization's broadcasts, one after the other, and what came of each. Every change of a recipient changes the broadcast's
 * statistics in the same unit of work, which always add up.
 *
 * Whoever changes recipients that are still pending locks the broadcast first. Whoever tells first what came of a recipient in hand takes
 * it out of its window; recipients are written in the order of their places, and the statistics after them.
 */
export class RecipientLedger extends Context.Service<
  RecipientLedger,
  TenantScoped<{
    /** Puts these at the end of the list. */
    readonly list: (
      id: BroadcastId,
      recipients: ReadonlyArray<ListedRecipient>
    ) => Effect.Effect<void, never, Transaction>
    /**
     * The broadcasts that go over this account, in the order of their ids: those that are scheduled, sending, or paused, and
     * those that have ended and of which something is in hand.
     */
    readonly active: (id: ChatAccountId) => Effect.Effect<ReadonlyArray<ActiveBroadcast>>
    /** Up to `limit` recipients whose turn has come. */
    readonly next: (id: BroadcastId, search: CandidateSearch) => Effect.Effect<FoundCandidates>
    /**
     * Those of these contacts who have had enough by any of these caps, counting those in hand and in doubt too. Whoever has locked the contacts
     * can be sure of it until the unit of work ends.
     */
    readonly capped: (
      contactIds: ReadonlyArray<ContactId>,
      caps: ReadonlyArray<PlannedCap>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlySet<ContactId>>
    /**
     * Stores what is decided of candidates. `false` when the broadcast is not sending any more, and nothing was stored; a failure when the
     * list has another revision by now. Until the unit of work ends, nobody pauses or ends the broadcast, or changes its list. The unit of
     * work has to hold the account's lane.
     */
    readonly begin: (claim: Claim) => Effect.Effect<boolean, ListChanged, Transaction>
    /**
     * Stores a claim and results at once, in a unit of work of its own. Whoever has fenced off the account, or owns its lane by then, makes the claim
     * void.
     */
    readonly advance: (what: NextClaim) => Effect.Effect<NextClaimResult>
    /** Stores what came of recipients, of those only that are still in their windows, whoever owns the account by then. */
    readonly settle: (
      id: BroadcastId,
      results: ReadonlyArray<RecipientResult>
    ) => Effect.Effect<void, never, Transaction>
    /** Has everybody looked at again who was put off, in all broadcasts that are sending or paused; says over which accounts those go. */
    readonly recallAll: () => Effect.Effect<ReadonlyArray<ChatAccountId>, never, Transaction>
    /** The turn of those who were put off has come, of up to `limit` of them. It is for the owner of the account. */
    readonly recall: (id: BroadcastId, now: DateTime.Utc, limit: number) => Effect.Effect<void, never, Transaction>
    /** From now on, nobody with a lower fence advances a broadcast over this account. */
    readonly fenceOff: (id: ChatAccountId, fence: number) => Effect.Effect<void>
    /**
     * Whatever owners with a lower fence have left in hand over this account is in doubt from now on; says how much that is. The unit of work
     * has to hold the account's lane.
     */
    readonly takeOver: (
      id: ChatAccountId,
      fence: number,
      now: DateTime.Utc
    ) => Effect.Effect<number, never, Transaction>
    /** Nobody who is pending is ever sent to. The broadcast has to be locked. */
    readonly end: (id: BroadcastId) => Effect.Effect<void, never, Transaction>
    /** Whether nothing of it is in hand, or its sender has said that it starts no call any more. */
    readonly isStopped: (id: BroadcastId) => Effect.Effect<boolean>
    /** Its sender starts no call any more: said by the sender. Whatever is taken in hand after it takes that back. */
    readonly stop: (id: BroadcastId, at: DateTime.Utc) => Effect.Effect<void>
    /** What the broadcast waits for, as it is shown. It makes no new version of it. */
    readonly wait: (id: BroadcastId, waiting: BroadcastWaiting | null) => Effect.Effect<void>
    /** That `broadcast.progressed` is told now. */
    readonly tell: (id: BroadcastId, at: DateTime.Utc) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/campaigns/RecipientLedger") {}
