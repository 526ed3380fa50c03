import { Context, type DateTime, type Effect } from "effect"
import type { BroadcastId } from "../campaigns/index.ts"
import type { OrderId } from "../commerce/index.ts"
import type { ContactId } from "../crm/index.ts"
import type { LocalDate, TenantScoped, Transaction } from "../kernel/index.ts"
import type { ConversationId } from "../messaging/inbox/index.ts"
import type { Count, QuarterHour, Scope, Tally } from "./Count.ts"

/** Number of a complete copy of the counts. A rebuild creates another one next to the current one. */
export type RollupVersion = number

/**
 * Counts of orders from removed stores, by origin instead of id. They are part of the erased counts until the same shop is connected again. Its
 * orders are then counted with new ids.
 */
export const removedOrdersVersion: RollupVersion = 0

/** State of an organization's rollups. */
export interface RollupState {
  readonly version: RollupVersion
  readonly timezone: string
  /** Log position of the last counted event. Earlier events are not counted again. */
  readonly position: number
  /** Rollup version under construction and its log position; `null` without one. */
  readonly recount: { readonly version: RollupVersion; readonly position: number } | null
  /** Hours of order attribution after the acceptance of a broadcast message, as counted; `null` before the first count. */
  readonly attributionHours: number | null
  /** Start of the latest automatic check; `null` before it. */
  readonly checkedAt: DateTime.Utc | null
}

/** Amount of a figure on a local day and scope. */
export interface DayTally extends Omit<Tally, "quarter"> {
  readonly date: LocalDate
}

/** Quarter hours of a local day; `to` is exclusive. */
export interface DayBounds {
  readonly date: LocalDate
  readonly from: QuarterHour
  readonly to: QuarterHour
}

/** Key of a counted record: its id, with `#` and the part number if it is counted in parts. */
export type RecordKey = string

/** Stored counts of records. */
export type CountedRecord = ReadonlyMap<RecordKey, ReadonlyArray<Count>>

/** A quarter hour with a message of a contact in a conversation. */
export interface ContactActivity {
  readonly contactId: ContactId
  readonly conversationId: ConversationId
  readonly quarter: QuarterHour
}

/** Counts of the organization by quarter hour and local day, and the counts of each record. */
export class RollupStore extends Context.Service<
  RollupStore,
  TenantScoped<{
    /** Returns the state without a lock; `null` before the first count. */
    readonly find: () => Effect.Effect<RollupState | null>
    /** Locks the state until the unit of work ends. A new state uses the days of this zone. */
    readonly lock: (timezone: string) => Effect.Effect<RollupState, never, Transaction>
    /** Stores the state that this unit of work has locked. */
    readonly save: (state: RollupState) => Effect.Effect<void, never, Transaction>
    /** Returns the stored counts of these records; absent for uncounted ones. */
    readonly kept: (version: RollupVersion, keys: ReadonlyArray<RecordKey>) => Effect.Effect<CountedRecord>
    /** Returns the stored counts of all parts of these records. */
    readonly keptParts: (version: RollupVersion, ids: ReadonlyArray<string>) => Effect.Effect<CountedRecord>
    /** Stores the counts of records; records without counts are deleted. */
    readonly keep: (version: RollupVersion, kept: CountedRecord) => Effect.Effect<void, never, Transaction>
    /** Returns the quarter hours with messages of these contacts, unordered. */
    readonly activity: (
      version: RollupVersion,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyArray<ContactActivity>>
    /** Returns the counted contact of each conversation that has a message of a contact. */
    readonly holders: (
      version: RollupVersion,
      conversationIds: ReadonlyArray<ConversationId>
    ) => Effect.Effect<ReadonlyMap<ConversationId, ContactId>>
    /** Returns up to `limit` contacts that wrote, after `after`, in the order of their ids. */
    readonly activeContacts: (
      version: RollupVersion,
      after: ContactId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ContactId>>
    /** Stores when contacts wrote. An existing entry of the same conversation and quarter hour moves to the new contact. */
    readonly saveActivity: (
      version: RollupVersion,
      activity: ReadonlyArray<ContactActivity>
    ) => Effect.Effect<void, never, Transaction>
    /** Deletes the quarter hours with messages of these contacts. */
    readonly removeActivity: (
      version: RollupVersion,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<void, never, Transaction>
    /** Adds counts to quarter hours and to local days. */
    readonly add: (
      version: RollupVersion,
      quarters: ReadonlyArray<Tally>,
      days: ReadonlyArray<DayTally>
    ) => Effect.Effect<void, never, Transaction>
    /** Returns the local days of a scope between two dates, both inclusive, in no order. */
    readonly days: (
      version: RollupVersion,
      scope: Scope,
      from: LocalDate,
      to: LocalDate
    ) => Effect.Effect<ReadonlyArray<DayTally>>
    /** Returns the quarter hours of a scope in a range with an exclusive end, in no order. */
    readonly quarters: (
      version: RollupVersion,
      scope: Scope,
      from: QuarterHour,
      to: QuarterHour
    ) => Effect.Effect<ReadonlyArray<Tally>>
    /** Returns the first and the last quarter hour with counts; `null` without any. */
    readonly extent: (
      version: RollupVersion
    ) => Effect.Effect<{ readonly first: QuarterHour; readonly last: QuarterHour } | null>
    /** Replaces all local days with sums of the quarter hours. */
    readonly rebuildDays: (
      version: RollupVersion,
      days: ReadonlyArray<DayBounds>
    ) => Effect.Effect<void, never, Transaction>
    /** Adds counts of erased contacts to every rollup version. They have no link to a contact. */
    readonly addErased: (counts: ReadonlyArray<Tally>) => Effect.Effect<void, never, Transaction>
    /** Returns all counts of erased contacts. */
    readonly erased: () => Effect.Effect<ReadonlyArray<Tally>>
    /** Stores the broadcasts that keep the attribution of orders without a known customer, for every rollup version. */
    readonly keepAttributions: (credits: ReadonlyMap<OrderId, BroadcastId>) => Effect.Effect<void, never, Transaction>
    /** Deletes the attribution of deleted orders. */
    readonly dropAttributions: (orderIds: ReadonlyArray<OrderId>) => Effect.Effect<void, never, Transaction>
    /**
     * Returns the number of records and figures of a rollup version, and its differences from another one. The differences are ordered by date and
     * figure.
     */
    readonly compare: (version: RollupVersion, other: RollupVersion) => Effect.Effect<RollupComparison>
    /** Deletes a rollup version. */
    readonly remove: (version: RollupVersion) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/analytics/RollupStore") {}

/** Differences between the days of two rollup versions. */
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
