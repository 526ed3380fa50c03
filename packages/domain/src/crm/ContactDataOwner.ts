import { Context, type DateTime, Effect, Layer } from "effect"
import {
  CurrentActor,
  hasPermission,
  type Permission,
  type Slice,
  type Tenancy,
  type TenantScoped,
  type Transaction,
  withContext
} from "../kernel/index.ts"
import type { ContactId, ContactMergeId } from "./Identity.ts"

/** Common shape of timeline entries of all areas. */
export interface TimelineEntryShape {
  readonly kind: string
  readonly id: string
  readonly at: DateTime.Utc
}

/** Exported data of a contact: lists by name. */
export type ExportedData = Readonly<Record<string, ReadonlyArray<unknown>>>

/** Merge in progress: one contact becomes part of another. */
export interface MergeStep {
  readonly mergeId: ContactMergeId
  readonly from: ContactId
  readonly to: ContactId
}

/** Undone merge. */
export interface UndoneMerge {
  readonly mergeId: ContactMergeId
  /** Survivor that the contact is separated from. */
  readonly from: ContactId
  readonly to: ContactId
  /** Later active merges into the survivor, in order. */
  readonly later: ReadonlyArray<ContactMergeId>
}

/**
 * Contact data owner: an area that stores data by contact id, and its handlers for merge, export and erasure. Each such area provides one. The area
 * itself appends the events of these changes.
 */
export interface ContactDataOwner<Entry extends TimelineEntryShape, Held extends ExportedData, R> {
  /** Permission that reading any of the data requires. */
  readonly permission: Permission
  /** Whether timeline entries of this owner prevent an automatic merge of duplicates. Default: true. */
  readonly countsAsActivity?: false
  /** Timeline of the contact, newest first by `at`. The row key is `at`, as written, and the id. */
  readonly timeline: (contactId: ContactId, slice: Slice) => Effect.Effect<ReadonlyArray<Entry>, never, R | Tenancy>
  /** Exports all data for the person: at most `limit` entries of each list, newest first. */
  readonly export: (contactId: ContactId, limit: number) => Effect.Effect<Held, never, R | Tenancy>
  /** Export for an actor without the permission. */
  readonly nothing: Held
  /** Set for calls of runs: their rows are locked before the rows of the runs. */
  readonly isBlankedFirst?: true
  /** Moves data from one contact to another. Runs with locked contacts, in the unit of work of the merge. */
  readonly move: (move: MergeStep, now: DateTime.Utc) => Effect.Effect<void, never, R | Tenancy | Transaction>
  /** Moves back the data that a merge moved. Data since the merge stays. */
  readonly moveBack: (undone: UndoneMerge, now: DateTime.Utc) => Effect.Effect<void, never, R | Tenancy | Transaction>
  /** Reacts to the block of a contact. Runs with the locked contact, in the same unit of work. */
  readonly block?: (contactId: ContactId) => Effect.Effect<void, never, R | Tenancy | Transaction>
  /**
   * Deletes all data of these contacts, which include contacts merged into others. An erasure also deletes data that
   * other parties could use to find the person.
   */
  readonly forget: (
    contactIds: ReadonlyArray<ContactId>,
    erased: boolean
  ) => Effect.Effect<void, never, R | Tenancy | Transaction>
}

export type AnyContactDataOwner = ContactDataOwner<TimelineEntryShape, ExportedData, unknown>

/** Timeline entries of these contact data owners. */
export type TimelineEntryOf<H> = H extends ContactDataOwner<infer Entry, infer _Held, infer _R> ? Entry : never

/** Services that contact data owners need in addition to the organization, and to the unit of work for writes. */
export type ContactDataServices<H> =
  H extends ContactDataOwner<infer _Entry, infer _Held, infer R> ? Exclude<R, Tenancy | Transaction> : never

type UnionToIntersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer All) => void
  ? All
  : never

/** Combined export of all contact data owners. */
export type ExportedDataOf<H> = UnionToIntersection<
  H extends ContactDataOwner<infer _Entry, infer Held, infer _R> ? Held : never
>

/** All contact data owners of the service. */
export class ContactDataOwners extends Context.Service<
  ContactDataOwners,
  TenantScoped<{
    /** Returns whether any owner has activity of the contact. */
    readonly isActive: (contactId: ContactId) => Effect.Effect<boolean>
    readonly move: (move: MergeStep, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    readonly moveBack: (undone: UndoneMerge, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    readonly block: (contactId: ContactId) => Effect.Effect<void, never, Transaction>
    readonly forget: (contactIds: ReadonlyArray<ContactId>, erased: boolean) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/crm/ContactDataOwners") {}

const oneRow = { limit: 1, after: null }

/** Combines the contact data owners of the areas. They run in sequence, because this is the lock order. */
export const layerContactDataOwnersOf = <H extends AnyContactDataOwner>(
  holdings: ReadonlyArray<H>
): Layer.Layer<ContactDataOwners, never, ContactDataServices<H>> =>
  Layer.effect(
    ContactDataOwners,
    Effect.contextWith((outside: Context.Context<ContactDataServices<H>>) => {
      const reading = withContext<Tenancy>(outside)
      const writing = withContext<Tenancy | Transaction>(outside)
      const each = (does: (holding: AnyContactDataOwner) => Effect.Effect<void, never, unknown>) =>
        Effect.forEach(holdings, (holding) => writing(does(holding)), { discard: true })
      return Effect.succeed(
        ContactDataOwners.of({
          isActive: Effect.fnUntraced(function* (contactId) {
            for (const { timeline } of holdings.filter(({ countsAsActivity }) => countsAsActivity !== false)) {
              if ((yield* reading(timeline(contactId, oneRow))).length > 0) return true
            }
            return false
          }),
          move: (move, now) => each((holding) => holding.move(move, now)),
          moveBack: (undone, now) => each((holding) => holding.moveBack(undone, now)),
          block: (contactId) => each((holding) => holding.block?.(contactId) ?? Effect.void),
          forget: (contactIds, erased) => each((holding) => holding.forget(contactIds, erased))
        })
      )
    })
  )

/** Selects the contact data owners that the actor can read. */
export const readableDataOwners = <H extends AnyContactDataOwner>(holdings: ReadonlyArray<H>) =>
  Effect.map(CurrentActor, (actor) => holdings.filter(({ permission }) => hasPermission(actor, permission)))
