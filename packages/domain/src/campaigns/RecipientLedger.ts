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

/** A contact on the list of a broadcast before any call. */
export interface ListedRecipient {
  readonly contactId: ContactId
  readonly address: Recipient | null
  readonly variant: VariantKey | null
  /** Due time; `null` if due immediately. */
  readonly dueAt: DateTime.Utc | null
  /** `null` for a contact that gets the message. */
  readonly left: { readonly kind: "held_out" } | { readonly kind: "excluded"; readonly reason: ExclusionReason } | null
}

/** A due recipient. */
export interface Candidate {
  readonly seq: number
  readonly contactId: ContactId
  readonly address: Recipient | null
  readonly variant: VariantKey | null
  readonly dueAt: DateTime.Utc | null
  /** Number of earlier attempts that count. */
  readonly attempts: number
  /** Whether another place on the list gives the broadcast to the same contact, for example after a merge. */
  readonly isSecond: boolean
}

/** Values of a recipient's message, by key. */
export type SentValues = Readonly<Record<string, string>>

/**
 * Recipients of a broadcast with calls in flight. It is stored before the first call and deleted after all results are stored. If its owner dies, the
 * remaining recipients are in doubt.
 */
export interface BroadcastWindow {
  readonly id: string
  readonly broadcastId: BroadcastId
  /** Fence of the owner that claimed it. */
  readonly fence: number
  readonly claimedAt: DateTime.Utc
  readonly calls: ReadonlyArray<{
    readonly seq: number
    readonly contactId: ContactId
    readonly values: SentValues
  }>
}

/** Decisions about candidates. */
export interface Claim {
  /** Revision of the list at the read of the candidates. */
  readonly revision: number
  /** Last place that was read from the list. */
  readonly mark: number
  readonly window: BroadcastWindow
  readonly excluded: ReadonlyArray<{ readonly seq: number; readonly reason: ExclusionReason }>
  readonly postponed: ReadonlyArray<{ readonly seq: number; readonly dueAt: DateTime.Utc }>
}

/** Limits of a search for due recipients. */
export interface CandidateSearch {
  readonly now: DateTime.Utc
  readonly limit: number
}

/**
 * Due recipients, delayed ones first, with the last place that was read and the list's revision. The revision
 * increases when any process except the sender changes the pending recipients.
 */
export interface FoundCandidates {
  readonly candidates: ReadonlyArray<Candidate>
  readonly mark: number
  readonly revision: number
}

/** A claim that sends to all of its recipients, with the results of earlier ones. */
export interface NextClaim extends Omit<Claim, "excluded" | "postponed"> {
  readonly lane: LaneLease
  /** Contacts as they were read. The claim is void if one of them has changed. */
  readonly contacts: ReadonlyArray<{ readonly id: ContactId; readonly version: number }>
  readonly results: ReadonlyArray<RecipientResult>
  /** Search for the recipients after these. */
  readonly ahead: CandidateSearch
}

/**
 * Result of the claim. Either the claim is stored and the next candidates follow, or the claim is void. It is void if the broadcast is not sending,
 * the list or a contact has changed, or another process owns the account. The results are stored in both cases.
 */
export type NextClaimResult =
  | { readonly outcome: "begun"; readonly ahead: FoundCandidates }
  | { readonly outcome: "not_sending" | "list_changed" | "lease_lost" }

/** Result of a recipient in flight. */
export type RecipientOutcome =
  | { readonly kind: "sent"; readonly providerMessageId: string }
  | { readonly kind: "failed"; readonly error: MessageError }
  | { readonly kind: "in_doubt" }
  /** Certainly not sent. It is tried again at `dueAt` unless the broadcast has ended. */
  | { readonly kind: "pending"; readonly dueAt: DateTime.Utc; readonly counts: boolean }

/** Result of a recipient and its window. */
export interface RecipientResult {
  readonly windowId: string
  readonly seq: number
  readonly at: DateTime.Utc
  readonly outcome: RecipientOutcome
}

/** A broadcast that has left the draft status and has not ended or has recipients in flight, with its progress. */
export interface ActiveBroadcast {
  readonly broadcastId: BroadcastId
  readonly status: BroadcastStatus
  readonly version: number
  readonly stats: BroadcastStats
  /** Whether the list contains the whole audience. */
  readonly isFrozen: boolean
  /** Number of listed recipients, and the number of them that were read. */
  readonly listed: number
  readonly mark: number
  /** Due time of the first pending recipient. */
  readonly nextDueAt: DateTime.Utc | null
  /** Whether quiet hours or a window delay that recipient. */
  readonly isNextPutOff: boolean
  /** Time of the latest change to in doubt among recipients still in doubt. */
  readonly doubtedAt: DateTime.Utc | null
  /** Time of the latest claim. */
  readonly claimedAt: DateTime.Utc | null
  /** Time of the latest `broadcast.progressed` event. */
  readonly toldAt: DateTime.Utc | null
  /** Whether delayed recipients must be checked again, because the reason for their delay has changed. */
  readonly isRecalled: boolean
}

/**
 * Recipients of the organization's broadcasts and their results. Each change of a recipient updates the statistics in the same unit of work, so they
 * always add up. A change of pending recipients requires a lock on the broadcast. The first result of a recipient in flight removes it from its
 * window. Recipients are written in the order of their places, and the statistics after them.
 */
export class RecipientLedger extends Context.Service<
  RecipientLedger,
  TenantScoped<{
    /** Appends recipients to the list. */
    readonly list: (
      id: BroadcastId,
      recipients: ReadonlyArray<ListedRecipient>
    ) => Effect.Effect<void, never, Transaction>
    /**
     * Returns the broadcasts of this account in the order of their ids. They are scheduled, sending or paused, or ended with recipients in flight.
     */
    readonly active: (id: ChatAccountId) => Effect.Effect<ReadonlyArray<ActiveBroadcast>>
    /** Returns up to `limit` due recipients. */
    readonly next: (id: BroadcastId, search: CandidateSearch) => Effect.Effect<FoundCandidates>
    /**
     * Returns the contacts that reached one of these caps, including recipients in flight and in doubt. With locked contacts, the result holds until
     * the unit of work ends.
     */
    readonly capped: (
      contactIds: ReadonlyArray<ContactId>,
      caps: ReadonlyArray<PlannedCap>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlySet<ContactId>>
    /**
     * Stores decisions about candidates. Returns `false` and stores nothing if the broadcast is not sending; fails if the list has another revision.
     * Until the unit of work ends, no process can pause or end the broadcast or change its list. The unit of work must hold the account's lane.
     */
    readonly begin: (claim: Claim) => Effect.Effect<boolean, ListChanged, Transaction>
    /** Stores a claim and results in a dedicated unit of work. A newer fence or another lane owner of the account makes the claim void. */
    readonly advance: (what: NextClaim) => Effect.Effect<NextClaimResult>
    /** Stores results of the recipients that are still in their windows, under any owner of the account. */
    readonly settle: (
      id: BroadcastId,
      results: ReadonlyArray<RecipientResult>
    ) => Effect.Effect<void, never, Transaction>
    /** Marks the delayed recipients of all sending and paused broadcasts for another check. Returns the accounts of these broadcasts. */
    readonly recallAll: () => Effect.Effect<ReadonlyArray<ChatAccountId>, never, Transaction>
    /** Makes up to `limit` delayed recipients due. Only the lane owner calls it. */
    readonly recall: (id: BroadcastId, now: DateTime.Utc, limit: number) => Effect.Effect<void, never, Transaction>
    /** Rejects later claims with a lower fence over this account. */
    readonly fenceOff: (id: ChatAccountId, fence: number) => Effect.Effect<void>
    /**
     * Puts the recipients that owners with a lower fence left in flight in doubt and returns their number. The unit of work must hold the account's
     * lane.
     */
    readonly takeOver: (
      id: ChatAccountId,
      fence: number,
      now: DateTime.Utc
    ) => Effect.Effect<number, never, Transaction>
    /** Sets pending recipients to never sent. The broadcast must be locked. */
    readonly end: (id: BroadcastId) => Effect.Effect<void, never, Transaction>
    /** Whether the broadcast has no recipients in flight, or its sender has reported that it starts no more calls. */
    readonly isStopped: (id: BroadcastId) => Effect.Effect<boolean>
    /** Records that the sender starts no more calls, unless its fence is out of date. A later claim revokes the record. */
    readonly stop: (id: BroadcastId, fence: number, at: DateTime.Utc) => Effect.Effect<void>
    /** Stores the displayed wait of the broadcast, without a new version. */
    readonly wait: (id: BroadcastId, waiting: BroadcastWaiting | null) => Effect.Effect<void>
    /** Records the time of a `broadcast.progressed` event. */
    readonly tell: (id: BroadcastId, at: DateTime.Utc) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/campaigns/RecipientLedger") {}
