import { Context, type DateTime, type Effect, Schema } from "effect"
import { type Slice, type TenantScoped, Timestamp, type Transaction, Uuid, objectShownWith } from "../kernel/index.ts"
import { Contact } from "./Contact.ts"
import { type ContactId, IdentityKind, type IdentityRef } from "./Identity.ts"

export const DuplicateId = Uuid.pipe(Schema.brand("DuplicateId"))
export type DuplicateId = typeof DuplicateId.Type

/** Source that reported two identities of one person: the chat provider or a row of a file. */
export const DuplicateSource = Schema.Literals(["chat", "import"])
export type DuplicateSource = typeof DuplicateSource.Type

const KnownIdentity = Schema.Struct({ kind: IdentityKind, value: Schema.String })

/** Possible duplicate of a contact, with the evidence. */
export const Duplicate = Schema.Struct({
  id: DuplicateId,
  contact: Contact,
  source: DuplicateSource,
  identity: KnownIdentity.annotateKey({
    description: "The identity of this contact. Both identities were given as those of one person."
  }),
  otherIdentity: KnownIdentity.annotateKey({ description: "The identity of the other contact." }),
  foundAt: Timestamp
}).annotate({ identifier: "Duplicate", ...objectShownWith("contacts.read") })
export type Duplicate = typeof Duplicate.Type

/** Two reported identities of one person. Each read looks up their contacts. */
export interface DuplicateLink {
  readonly id: DuplicateId
  readonly one: IdentityRef
  readonly other: IdentityRef
  readonly source: DuplicateSource
  readonly foundAt: DateTime.Utc
  /** Time of the decision that they are two people; `null` without one. */
  readonly dismissedAt: DateTime.Utc | null
}

/** Open link of a contact to another one. Identities are given by their unique keys. */
export interface OpenDuplicateLink extends Omit<DuplicateLink, "dismissedAt"> {
  /** Contact with the other identity. */
  readonly otherId: ContactId
}

export interface DuplicatePair {
  readonly contactId: ContactId
  readonly otherId: ContactId
}

/** Links between identities of different contacts, including contacts merged since. */
export class Duplicates extends Context.Service<
  Duplicates,
  TenantScoped<{
    /** Stores links, one for each pair of identities in either order. Returns the ids of new links. */
    readonly add: (links: ReadonlyArray<DuplicateLink>) => Effect.Effect<ReadonlyArray<DuplicateId>, never, Transaction>
    /** Returns open links from these identities of one contact to other contacts, newest first. The row key is the id. */
    readonly list: (
      contactId: ContactId,
      identities: ReadonlyArray<IdentityRef>,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<OpenDuplicateLink>>
    /** Returns the contacts with these identities, each paired with the contacts of its open links, unordered. */
    readonly pairs: (identities: ReadonlyArray<IdentityRef>) => Effect.Effect<ReadonlyArray<DuplicatePair>>
    /** Returns whether a link between the two sets of identities was dismissed. */
    readonly isDismissed: (
      ones: ReadonlyArray<IdentityRef>,
      others: ReadonlyArray<IdentityRef>
    ) => Effect.Effect<boolean>
    /** Dismisses the links between the two sets of identities. Returns their number. */
    readonly dismiss: (
      ones: ReadonlyArray<IdentityRef>,
      others: ReadonlyArray<IdentityRef>,
      now: DateTime.Utc
    ) => Effect.Effect<number, never, Transaction>
    /** Deletes all links of these identities. */
    readonly forget: (identities: ReadonlyArray<IdentityRef>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/crm/Duplicates") {}
