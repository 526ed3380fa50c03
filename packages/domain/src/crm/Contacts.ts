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

/** In which order contacts are listed; a minus is for descending. What is absent counts as smallest. */
export const ContactSort = Schema.Literals(["createdAt", "-createdAt", "name", "-name", "lastSeenAt", "-lastSeenAt"])
export type ContactSort = typeof ContactSort.Type

/** Which contacts to read, and in which order. */
export interface ContactQuery {
  readonly filter: Filter
  readonly search: ContactSearch | null
  readonly sort: ContactSort
}

/** What was found of a list. It may be less than was asked for although there is more, where looking on would take too long. */
export interface FoundContacts {
  readonly rows: ReadonlyArray<Contact>
  /** The key after which to look on; `null` if everything was looked through, or as much was found as was asked for. */
  readonly resume: ReadonlyArray<string> | null
}

/** What there is after contacts were stored. */
export interface StoredContacts {
  /** How many contacts there are then. */
  readonly count: number
  /** The key of the suppression list, as whoever released what these contacts are known by has left it. */
  readonly suppressionKey: string | null
}

/** The contacts of the organization. */
export class Contacts extends Context.Service<
  Contacts,
  TenantScoped<{
    readonly get: (id: ContactId) => Effect.Effect<Contact, NotFound>
    /** Those of them that there are, in no order. */
    readonly find: (ids: ReadonlyArray<ContactId>) => Effect.Effect<ReadonlyArray<Contact>>
    /** The names of those of them that there are. */
    readonly names: (ids: ReadonlyArray<ContactId>) => Effect.Effect<ReadonlyMap<ContactId, string | null>>
    /** The contacts who are known by any of these, each once, in no order. */
    readonly findByIdentity: (identities: ReadonlyArray<IdentityRef>) => Effect.Effect<ReadonlyArray<Contact>>
    /** Locks contacts and reads them, to change them: other units of work that lock them wait until this one ends. Those that there are, in no order. */
    readonly lock: (ids: ReadonlyArray<ContactId>) => Effect.Effect<ReadonlyArray<Contact>, never, Transaction>
    /** As `lock`, those who are known by any of these, also when they had to be waited for. */
    readonly lockByIdentity: (
      identities: ReadonlyArray<IdentityRef>
    ) => Effect.Effect<ReadonlyArray<Contact>, never, Transaction>
    /** In the order of the query; the key of a row is `contactKey` of it. */
    readonly list: (query: ContactQuery, slice: Slice) => Effect.Effect<FoundContacts>
    /** As `list`, the contacts as answers write them. */
    readonly render: (query: ContactQuery, slice: Slice) => Effect.Effect<EncodedRows<Contact>>
    /** Words of the names of contacts that look like this one, the likest first, at most 20. Those that do not may be among them. */
    readonly wordsLike: (word: string) => Effect.Effect<ReadonlyArray<string>>
    /** Looks after at most `limit` words that somebody may have had last, and forgets those that nobody has; says how many it looked after. */
    readonly forgetWords: (limit: number) => Effect.Effect<number, never, Transaction>
    /**
     * Brings what is stored for searches up to how texts are folded today, of the next `limit` contacts; says whether there are more.
     * New contacts are stored so at once.
     */
    readonly refold: (limit: number) => Effect.Effect<boolean, never, Transaction>
    /** How many contacts meet the filter and are found by the search. */
    readonly countOf: (query: Omit<ContactQuery, "sort">) => Effect.Effect<number>
    /** How many contacts there are. */
    readonly count: () => Effect.Effect<number>
    /** Stores new contacts with their tags and counts them. All or none. */
    readonly insert: (contacts: ReadonlyArray<Contact>) => Effect.Effect<StoredContacts, ContactExists, Transaction>
    /** Stores the contact, but not its tags, with its version raised by one, if the stored version is still the expected one. */
    readonly save: (
      contact: Contact,
      expected: number | null
    ) => Effect.Effect<Contact, NotFound | VersionConflict | ContactExists, Transaction>
    /** Stores contacts that were locked in this unit of work, but not their tags, with their versions raised by one. All or none. */
    readonly saveAll: (contacts: ReadonlyArray<Contact>) => Effect.Effect<void, ContactExists, Transaction>
    /** Removes contacts, uncounts them and their tags; says which of them there were. */
    readonly remove: (ids: ReadonlyArray<ContactId>) => Effect.Effect<ReadonlyArray<ContactId>, never, Transaction>
    /** Puts these tags on these contacts, raises the versions of those that lacked any, and says which ones did. */
    readonly tag: (
      ids: ReadonlyArray<ContactId>,
      tags: ReadonlyArray<TagId>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ContactId>, never, Transaction>
    /** Takes these tags off these contacts, raises the versions of those that had any, and says which ones did. */
    readonly untag: (
      ids: ReadonlyArray<ContactId>,
      tags: ReadonlyArray<TagId>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ContactId>, never, Transaction>
    /** Removes the value of a field from at most `limit` contacts that have one; says how many that were. */
    readonly clearAttribute: (
      key: string,
      limit: number,
      now: DateTime.Utc
    ) => Effect.Effect<number, never, Transaction>
  }>
>()("@parley/domain/crm/Contacts") {}

/** Reads a contact to change it. */
export const lockContact = Effect.fnUntraced(function* (id: ContactId) {
  const [contact] = yield* (yield* Contacts).lock([id])
  return contact ?? (yield* new NotFound({ resource: "contact" }))
})
