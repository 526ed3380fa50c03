import { Context, type DateTime, type Effect } from "effect"
import type { BroadcastId } from "../campaigns/index.ts"
import type { OrderId } from "../commerce/index.ts"
import type { ContactId } from "../crm/index.ts"
import type { LocalDate, TenantScoped, Transaction } from "../kernel/index.ts"
import type { ConversationId } from "../messaging/inbox/index.ts"
import type { Count, QuarterHour, Scope, Tally } from "./Count.ts"

/** A copy of all that is counted: one is kept, and another one is made beside it where everything is counted anew. */
export type RollupVersion = number

/**
 * Counts of orders from removed stores, by origin instead of id. They are part of the erased counts until the same shop is connected again and its
 * orders are counted with new ids.
 */
export const removedOrdersVersion: RollupVersion = 0

/** The books of an organization: what is counted, and how its days are cut. */
export interface RollupState {
  readonly edition: RollupVersion
  readonly timezone: string
  /** Up to which position of the log events are counted by themselves: one that comes again is not. */
  readonly position: number
  /** The edition that is made anew, and up to which position of the log; `null` where none is. */
  readonly recount: { readonly edition: RollupVersion; readonly position: number } | null
  /** For how many hours after its acceptance a message of a broadcast gets the credit for orders, as it is counted; `null` before anything was. */
  readonly attributionHours: number | null
  /** When they were last begun to be checked by themselves; `null` before. */
  readonly checkedAt: DateTime.Utc | null
}

/** So much of a figure on a local day, of one scope. */
export interface DayTally extends Omit<Tally, "quarter"> {
  readonly date: LocalDate
}

/** A local day, as the quarter hours from one to another that is not of it any more. */
export interface DayBounds {
  readonly date: LocalDate
  readonly from: QuarterHour
  readonly to: QuarterHour
}

/** What a record is kept by: its id, and where it is counted in parts, the number of the part after a `#`. */
export type RecordKey = string

/** What records have been counted as. */
export type CountedRecord = ReadonlyMap<RecordKey, ReadonlyArray<Count>>

/** A quarter hour in which a contact has written in a conversation. */
export interface ContactPresence {
  readonly contactId: ContactId
  readonly conversationId: ConversationId
  readonly quarter: QuarterHour
}

/** What is counted in the organization: by quarter hours and local days, and of each record what it has been counted as. */
export class RollupStore extends Context.Service<
  RollupStore,
  TenantScoped<{
    /** The books, without waiting for anybody; `null` before anything was counted. */
    readonly find: () => Effect.Effect<RollupState | null>
    /** Locks the books: others wait until the unit of work ends. New ones are cut in this zone. */
    readonly lock: (timezone: string) => Effect.Effect<RollupState, never, Transaction>
    /** Stores the books that were locked in this unit of work. */
    readonly save: (book: RollupState) => Effect.Effect<void, never, Transaction>
    /** What these records have been counted as, those of them that have been. */
    readonly kept: (edition: RollupVersion, keys: ReadonlyArray<RecordKey>) => Effect.Effect<CountedRecord>
    /** All parts of what these records have been counted as. */
    readonly keptParts: (edition: RollupVersion, ids: ReadonlyArray<string>) => Effect.Effect<CountedRecord>
    /** Notes what records are counted as; those of nothing are forgotten. */
    readonly keep: (edition: RollupVersion, kept: CountedRecord) => Effect.Effect<void, never, Transaction>
    /** When these contacts have written, in no order. */
    readonly presence: (
      edition: RollupVersion,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyArray<ContactPresence>>
    /** As whose these conversations are counted, those in which somebody has written. */
    readonly holders: (
      edition: RollupVersion,
      conversationIds: ReadonlyArray<ConversationId>
    ) => Effect.Effect<ReadonlyMap<ConversationId, ContactId>>
    /** The contacts who have written, in the order of their ids: up to `limit` of those after `after`. */
    readonly present: (
      edition: RollupVersion,
      after: ContactId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ContactId>>
    /** Notes when contacts have written; what is known of the same conversation and quarter hour is theirs from then on. */
    readonly savePresence: (
      edition: RollupVersion,
      presence: ReadonlyArray<ContactPresence>
    ) => Effect.Effect<void, never, Transaction>
    /** Forgets when these contacts have written. */
    readonly removePresence: (
      edition: RollupVersion,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<void, never, Transaction>
    /** Adds to quarter hours and to local days. */
    readonly add: (
      edition: RollupVersion,
      quarters: ReadonlyArray<Tally>,
      days: ReadonlyArray<DayTally>
    ) => Effect.Effect<void, never, Transaction>
    /** The local days of a scope, from a date to another, both inclusive, in no order. */
    readonly days: (
      edition: RollupVersion,
      scope: Scope,
      from: LocalDate,
      to: LocalDate
    ) => Effect.Effect<ReadonlyArray<DayTally>>
    /** The quarter hours of a scope, from one to another that is not among them, in no order. */
    readonly quarters: (
      edition: RollupVersion,
      scope: Scope,
      from: QuarterHour,
      to: QuarterHour
    ) => Effect.Effect<ReadonlyArray<Tally>>
    /** The first and the last quarter hour in which anything is counted; `null` where nothing is. */
    readonly extent: (
      edition: RollupVersion
    ) => Effect.Effect<{ readonly first: QuarterHour; readonly last: QuarterHour } | null>
    /** Cuts the days anew: what there was of them goes, and these are made of the quarter hours. */
    readonly cut: (edition: RollupVersion, days: ReadonlyArray<DayBounds>) => Effect.Effect<void, never, Transaction>
    /** Adds what persons have been counted as who are erased: it belongs to nobody any more, and stays in every edition. */
    readonly addErased: (counts: ReadonlyArray<Tally>) => Effect.Effect<void, never, Transaction>
    /** All that was counted of persons who are erased. */
    readonly erased: () => Effect.Effect<ReadonlyArray<Tally>>
    /** Notes which broadcasts keep the credit for orders of which nobody knows any more who has placed them: in every edition. */
    readonly keepCredits: (credits: ReadonlyMap<OrderId, BroadcastId>) => Effect.Effect<void, never, Transaction>
    /** Forgets that of orders that go. */
    readonly dropCredits: (orderIds: ReadonlyArray<OrderId>) => Effect.Effect<void, never, Transaction>
    /** How many records and figures an edition has, and where the days of two editions differ, in the order of dates and figures. */
    readonly compare: (edition: RollupVersion, other: RollupVersion) => Effect.Effect<RollupComparison>
    /** Removes an edition. */
    readonly remove: (edition: RollupVersion) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/analytics/RollupStore") {}

/** How the days of one edition differ from those of another. */
export interface RollupComparison {
  readonly days: number
  readonly facts: number
  readonly differences: ReadonlyArray<{
    readonly date: LocalDate
    readonly figure: string
    readonly kept: number
    readonly counted: number
  }>
}
