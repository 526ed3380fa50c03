import { Context, type DateTime, type Effect } from "effect"
import type { Slice, TenantScoped, Transaction } from "../kernel/index.ts"
import type { DuplicateId, DuplicateSource } from "./Duplicate.ts"
import type { IdentityRef } from "./Identity.ts"
import type { ContactId } from "./Ids.ts"

/** Two identities that were told as those of one person. Whose they are is found out whenever it is asked. */
export interface DuplicateLink {
  readonly id: DuplicateId
  readonly one: IdentityRef
  readonly other: IdentityRef
  readonly source: DuplicateSource
  readonly foundAt: DateTime.Utc
  /** When somebody said that these are two people; `null` if nobody has. */
  readonly dismissedAt: DateTime.Utc | null
}

/** A link of a contact to another one. Identities stand with the keys that they are unique by. */
export interface StandingLink extends Omit<DuplicateLink, "dismissedAt"> {
  /** Whose the other identity is. */
  readonly otherId: ContactId
}

/** Two contacts between whom a link stands. */
export interface DuplicatePair {
  readonly contactId: ContactId
  readonly otherId: ContactId
}

/** Identities that were told together, while they are known of different contacts or were so before a merge. */
export class Duplicates extends Context.Service<
  Duplicates,
  TenantScoped<{
    /** Keeps links, each pair of identities once whichever way round; says the ids of those that are new. */
    readonly add: (links: ReadonlyArray<DuplicateLink>) => Effect.Effect<ReadonlyArray<DuplicateId>, never, Transaction>
    /** The links that stand between these identities of one contact and those of others, newest first; the key of a row is its id. */
    readonly list: (
      contactId: ContactId,
      identities: ReadonlyArray<IdentityRef>,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<StandingLink>>
    /** The contacts who have these identities, each with those that a link stands to, in no order. */
    readonly pairs: (identities: ReadonlyArray<IdentityRef>) => Effect.Effect<ReadonlyArray<DuplicatePair>>
    /** Whether somebody has said of any of these that it is another person's than any of those. */
    readonly isDismissed: (
      ones: ReadonlyArray<IdentityRef>,
      others: ReadonlyArray<IdentityRef>
    ) => Effect.Effect<boolean>
    /** Dismisses the links between these and those; says how many that were. */
    readonly dismiss: (
      ones: ReadonlyArray<IdentityRef>,
      others: ReadonlyArray<IdentityRef>,
      now: DateTime.Utc
    ) => Effect.Effect<number, never, Transaction>
    /** Forgets every link of these identities. */
    readonly forget: (identities: ReadonlyArray<IdentityRef>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/crm/Duplicates") {}
