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

/** What every entry of a contact's timeline is, whatever area tells it. */
export interface TimelineEntryShape {
  readonly kind: string
  readonly id: string
  readonly at: DateTime.Utc
}

/** What is exported of a contact: lists, by their names. */
export type ExportedData = Readonly<Record<string, ReadonlyArray<unknown>>>

/** A merge under way: one contact becomes a part of another. */
export interface MergeStep {
  readonly mergeId: ContactMergeId
  readonly from: ContactId
  readonly to: ContactId
}

/** A merge that is taken back. */
export interface UndoneMerge {
  readonly mergeId: ContactMergeId
  /** The survivor, and whom it is parted from. */
  readonly from: ContactId
  readonly to: ContactId
  /** The merges into the survivor that came after it and stand, in their order. */
  readonly later: ReadonlyArray<ContactMergeId>
}

/**
 * What another area holds of contacts, and what becomes of it when something becomes of them. Each area that keeps anything by
 * the id of a contact contributes one. What changes is told by the area itself, as its own events.
 */
export interface ContactDataOwner<Entry extends TimelineEntryShape, Held extends ExportedData, R> {
  /** What somebody has to be allowed to read any of it. */
  readonly permission: Permission
  /** What happened with the contact, newest first by `at`; the key of a row is its `at`, as written, and its id. */
  readonly timeline: (contactId: ContactId, slice: Slice) => Effect.Effect<ReadonlyArray<Entry>, never, R | Tenancy>
  /** Everything that is held, for the person: at most `limit` of each list, the newest first. */
  readonly export: (contactId: ContactId, limit: number) => Effect.Effect<Held, never, R | Tenancy>
  /** What is exported for those who may not read it. */
  readonly nothing: Held
  /** Hands what is held of one contact to another. It runs once the contacts are locked, in the unit of work of the merge. */
  readonly move: (move: MergeStep, now: DateTime.Utc) => Effect.Effect<void, never, R | Tenancy | Transaction>
  /** Hands back what a merge had moved. What began since stays. */
  readonly moveBack: (undone: UndoneMerge, now: DateTime.Utc) => Effect.Effect<void, never, R | Tenancy | Transaction>
  /** What follows where the contact is blocked: it runs once the contact is locked, in the unit of work of that. */
  readonly block?: (contactId: ContactId) => Effect.Effect<void, never, R | Tenancy | Transaction>
  /**
   * Removes all that is held of these contacts, among whom are those who have become a part of others; where they are erased, also what
   * others would find the person by.
   */
  readonly forget: (
    contactIds: ReadonlyArray<ContactId>,
    erased: boolean
  ) => Effect.Effect<void, never, R | Tenancy | Transaction>
}

/** A holding of any area. */
export type AnyContactDataOwner = ContactDataOwner<TimelineEntryShape, ExportedData, unknown>

/** The entries that holdings tell. */
export type TimelineEntryOf<H> = H extends ContactDataOwner<infer Entry, infer _Held, infer _R> ? Entry : never

/** What holdings need beside the organization, and the unit of work where they write. */
export type ContactDataServices<H> =
  H extends ContactDataOwner<infer _Entry, infer _Held, infer R> ? Exclude<R, Tenancy | Transaction> : never

type UnionToIntersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer All) => void
  ? All
  : never

/** All that holdings export, together. */
export type ExportedDataOf<H> = UnionToIntersection<
  H extends ContactDataOwner<infer _Entry, infer Held, infer _R> ? Held : never
>

/** What other areas hold of the organization's contacts. */
export class ContactDataOwners extends Context.Service<
  ContactDataOwners,
  TenantScoped<{
    /** Whether anything has happened with the contact in any of them. */
    readonly isActive: (contactId: ContactId) => Effect.Effect<boolean>
    readonly move: (move: MergeStep, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    readonly moveBack: (undone: UndoneMerge, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    readonly block: (contactId: ContactId) => Effect.Effect<void, never, Transaction>
    readonly forget: (contactIds: ReadonlyArray<ContactId>, erased: boolean) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/crm/ContactDataOwners") {}

const oneRow = { limit: 1, after: null }

/** Puts together what the areas hold of contacts. They come one after the other, so that locks are taken in one order. */
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
            for (const { timeline } of holdings) {
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

/** The holdings that the actor may read. */
export const readableDataOwners = <H extends AnyContactDataOwner>(holdings: ReadonlyArray<H>) =>
  Effect.map(CurrentActor, (actor) => holdings.filter(({ permission }) => hasPermission(actor, permission)))
