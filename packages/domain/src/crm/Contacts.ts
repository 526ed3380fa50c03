import { Context, type DateTime, Effect, Schema } from "effect"
import {
  NotFound,
  type EncodedRows,
  type Slice,
  type TenantScoped,
  type Transaction,
  type VersionConflict
} from "../kernel/index.ts"
import type { Contact } from "./Contact.ts"
import type { ContactId, IdentityRef, TagId } from "./Identity.ts"
import type { ContactSearch } from "./contactSearch.ts"
import type { ContactExists } from "./errors.ts"
import type { Filter } from "./filter/Filter.ts"

/** Sort orders of contacts; a minus means descending. Absent values count as smallest. */
export const ContactSort = Schema.Literals(["createdAt", "-createdAt", "name", "-name", "lastSeenAt", "-lastSeenAt"])
export type ContactSort = typeof ContactSort.Type

export interface ContactQuery {
  readonly filter: Filter
  readonly search: ContactSearch | null
  readonly sort: ContactSort
}

/** Page of found contacts. It can be shorter than requested although more exist, because long searches stop early. */
export interface FoundContacts {
  readonly rows: ReadonlyArray<Contact>
  /** Key to resume after; `null` at the end, or when the page has the requested size. */
  readonly resume: ReadonlyArray<string> | null
}

/** Result of storing contacts. */
export interface StoredContacts {
  /** Number of contacts after the write. */
  readonly count: number
  /** Key of the suppression list, as read after concurrent releases of the same identities. */
  readonly suppressionKey: string | null
}

export class Contacts extends Context.Service<
  Contacts,
  TenantScoped<{
    readonly get: (id: ContactId) => Effect.Effect<Contact, NotFound>
    /** Returns the existing ones, unordered. */
    readonly find: (ids: ReadonlyArray<ContactId>) => Effect.Effect<ReadonlyArray<Contact>>
    /**
     * Contacts with a date on one of these days in this field, for example `02-28`, by id, without blocked ones. The row key is the id.
     */
    readonly withDays: (
      field: string,
      days: ReadonlyArray<string>,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<Contact>>
    /** Returns the names of the existing ones. */
    readonly names: (ids: ReadonlyArray<ContactId>) => Effect.Effect<ReadonlyMap<ContactId, string | null>>
    /** Returns the contacts with any of these identities, without duplicates, unordered. */
    readonly findByIdentity: (identities: ReadonlyArray<IdentityRef>) => Effect.Effect<ReadonlyArray<Contact>>
    /**
     * Locks contacts and reads them for a change. Other units of work wait for the lock until this one ends. Returns the existing ones, unordered.
     */
    readonly lock: (ids: ReadonlyArray<ContactId>) => Effect.Effect<ReadonlyArray<Contact>, never, Transaction>
    /** As `lock`, for contacts with any of these identities, including contacts that it waited for. */
    readonly lockByIdentity: (
      identities: ReadonlyArray<IdentityRef>
    ) => Effect.Effect<ReadonlyArray<Contact>, never, Transaction>
    /** Returns contacts in the order of the query. The row key is `contactCursorKey`. */
    readonly list: (query: ContactQuery, slice: Slice) => Effect.Effect<FoundContacts>
    /** As `list`, with contacts in their encoded form for answers. */
    readonly render: (query: ContactQuery, slice: Slice) => Effect.Effect<EncodedRows<Contact>>
    /** Returns up to 20 words of contact names that resemble this one, most similar first. Dissimilar words can be among them. */
    readonly wordsLike: (word: string) => Effect.Effect<ReadonlyArray<string>>
    /** Checks at most `limit` possibly unused words, and deletes the unused ones. Returns the number of checked words. */
    readonly forgetWords: (limit: number) => Effect.Effect<number, never, Transaction>
    /**
     * Updates the search texts of the next `limit` contacts to the current folding. Returns whether more remain. New contacts are stored with the
     * current folding.
     */
    readonly refold: (limit: number) => Effect.Effect<boolean, never, Transaction>
    /** Counts the contacts that match the filter and the search. */
    readonly countOf: (query: Omit<ContactQuery, "sort">) => Effect.Effect<number>
    /** Counts all contacts. */
    readonly count: () => Effect.Effect<number>
    /** Stores new contacts with their tags and counts them, all or none. */
    readonly insert: (contacts: ReadonlyArray<Contact>) => Effect.Effect<StoredContacts, ContactExists, Transaction>
    /** Stores the contact without its tags and increments its version, if the stored version is the expected one. */
    readonly save: (
      contact: Contact,
      expected: number | null
    ) => Effect.Effect<Contact, NotFound | VersionConflict | ContactExists, Transaction>
    /** Stores contacts that this unit of work has locked, without their tags, and increments their versions. All or none. */
    readonly saveAll: (contacts: ReadonlyArray<Contact>) => Effect.Effect<void, ContactExists, Transaction>
    /** Deletes contacts and updates the counts of contacts and tags. Returns the ids of the existing ones. */
    readonly remove: (ids: ReadonlyArray<ContactId>) => Effect.Effect<ReadonlyArray<ContactId>, never, Transaction>
    /** Adds tags to contacts and increments the versions of changed contacts. Returns their ids. */
    readonly tag: (
      ids: ReadonlyArray<ContactId>,
      tags: ReadonlyArray<TagId>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ContactId>, never, Transaction>
    /** Removes tags from contacts and increments the versions of changed contacts. Returns their ids. */
    readonly untag: (
      ids: ReadonlyArray<ContactId>,
      tags: ReadonlyArray<TagId>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ContactId>, never, Transaction>
    /** Removes the value of a field from at most `limit` contacts with a value. Returns their number. */
    readonly clearAttribute: (
      key: string,
      limit: number,
      now: DateTime.Utc
    ) => Effect.Effect<number, never, Transaction>
  }>
>()("@parley/domain/crm/Contacts") {}

/** Locks and reads a contact for a change. */
export const lockContact = Effect.fnUntraced(function* (id: ContactId) {
  const [contact] = yield* (yield* Contacts).lock([id])
  return contact ?? (yield* new NotFound({ resource: "contact" }))
})
