import { Context, type DateTime, type Effect, Schema } from "effect"
import { type Slice, type TenantScoped, Timestamp, type Transaction, Uuid, objectShownWith } from "../kernel/index.ts"
import { Contact } from "./Contact.ts"
import { type ContactId, IdentityKind, type IdentityRef } from "./Identity.ts"

export const DuplicateId = Uuid.pipe(Schema.brand("DuplicateId"))
export type DuplicateId = typeof DuplicateId.Type

/** Where two identities were given as those of one person: by the chat provider, or in a row of a file. */
export const DuplicateSource = Schema.Literals(["chat", "import"])
export type DuplicateSource = typeof DuplicateSource.Type

const KnownIdentity = Schema.Struct({ kind: IdentityKind, value: Schema.String })

/** Another contact that may be the same person, and why. */
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

/** Two identities that were given as those of one person. The contacts they belong to are looked up on each read. */
export interface DuplicateLink {
  readonly id: DuplicateId
  readonly one: IdentityRef
  readonly other: IdentityRef
  readonly source: DuplicateSource
  readonly foundAt: DateTime.Utc
  /** When somebody said that these are two people; `null` if nobody has. */
  readonly dismissedAt: DateTime.Utc | null
}

/** A link of a contact to another one that is not dismissed. Identities are given by their unique keys. */
export interface OpenDuplicateLink extends Omit<DuplicateLink, "dismissedAt"> {
  /** Whose the other identity is. */
  readonly otherId: ContactId
}

/** Two contacts with an open link. */
export interface DuplicatePair {
  readonly contactId: ContactId
  readonly otherId: ContactId
}

/** Links between identities of different contacts, also of those that were merged since. */
export class Duplicates extends Context.Service<
  Duplicates,
  TenantScoped<{
    /** Stores links, each pair of identities once in either order; returns the ids of the new ones. */
    readonly add: (links: ReadonlyArray<DuplicateLink>) => Effect.Effect<ReadonlyArray<DuplicateId>, never, Transaction>
    /** The open links between these identities of one contact and those of others, newest first; the key of a row is its id. */
    readonly list: (
      contactId: ContactId,
      identities: ReadonlyArray<IdentityRef>,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<OpenDuplicateLink>>
    /** The contacts with these identities, each paired with those an open link leads to, in no order. */
    readonly pairs: (identities: ReadonlyArray<IdentityRef>) => Effect.Effect<ReadonlyArray<DuplicatePair>>
    /** Whether a link between any of these and any of those was dismissed. */
    readonly isDismissed: (
      ones: ReadonlyArray<IdentityRef>,
      others: ReadonlyArray<IdentityRef>
    ) => Effect.Effect<boolean>
    /** Dismisses the links between these and those; returns how many. */
    readonly dismiss: (
      ones: ReadonlyArray<IdentityRef>,
      others: ReadonlyArray<IdentityRef>,
      now: DateTime.Utc
    ) => Effect.Effect<number, never, Transaction>
    /** Deletes every link of these identities. */
    readonly forget: (identities: ReadonlyArray<IdentityRef>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/crm/Duplicates") {}
