import { Context, type DateTime, Effect } from "effect"
import {
  CurrentOrganization,
  Ids,
  defineSealedValue,
  type TenantScoped,
  type Transaction,
  Vault
} from "../kernel/index.ts"
import type { Contact } from "./Contact.ts"
import { Duplicates } from "./Duplicates.ts"
import { identityLookupKey, type IdentityRef } from "./Identity.ts"
import { isSelfDeclared, type SuppressedOptOuts } from "./optOuts.ts"

/** An opt-out that outlives its contact: a digest that nobody can be known by, and when the opt-out was said. */
export interface Suppression {
  readonly digest: string
  readonly at: DateTime.Utc
}

/** The suppression list of the organization: whose opt-outs are kept, whether or not there is a contact of theirs. */
export class Suppressions extends Context.Service<
  Suppressions,
  TenantScoped<{
    /** The key that the digests are made with, sealed; `null` until one is kept. */
    readonly key: () => Effect.Effect<string | null>
    /** Keeps a key unless there is one already; says which one is kept. */
    readonly keepKey: (sealed: string) => Effect.Effect<string, never, Transaction>
    /** Puts the same key, sealed anew, in the place of the one that is kept. */
    readonly resealKey: (sealed: string) => Effect.Effect<void, never, Transaction>
    /** Those of these digests that are on the list, in no order. */
    readonly find: (digests: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Suppression>>
    /** Puts digests on the list. Of one that is there already, the later time stands. */
    readonly add: (suppressions: ReadonlyArray<Suppression>) => Effect.Effect<void, never, Transaction>
    /** Takes digests off the list. */
    readonly remove: (digests: ReadonlyArray<string>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/crm/Suppressions") {}

/** Key of the organization's list. */
export const suppressionListKeys = defineSealedValue(
  "suppressions/key",
  { kind: "never_sent", reason: "Parley makes digests with it." },
  () => Effect.map(CurrentOrganization, ({ id }) => `suppressions/${id}`)
)

/** Opens the key of the organization's list. */
export const openSuppressionListKey = (sealed: string) => suppressionListKeys.open("", sealed)

/** The key of the list, made with the first opt-out that is stored. */
const loadListKey = Effect.gen(function* () {
  const suppressions = yield* Suppressions
  const sealed = yield* suppressions.key()
  if (sealed !== null) return yield* openSuppressionListKey(sealed)
  const key = yield* (yield* Ids).secret(32)
  return yield* openSuppressionListKey(yield* suppressions.keepKey(yield* suppressionListKeys.seal("", key)))
})

const computeDigests = Effect.fnUntraced(function* (
  key: Effect.Success<typeof loadListKey>,
  identities: ReadonlyArray<IdentityRef>
) {
  const vault = yield* Vault
  const names = [...new Set(identities.map(identityLookupKey))]
  return yield* Effect.forEach(names, (name) => Effect.map(vault.mac(key, name), (digest) => [name, digest] as const))
})

/** The opt-outs on the list for these identities, by its key if that is known. */
export const findSuppressed = Effect.fnUntraced(function* (
  identities: ReadonlyArray<IdentityRef>,
  known?: string | null
) {
  const suppressed = new Map<string, DateTime.Utc>()
  if (identities.length === 0) return suppressed satisfies SuppressedOptOuts
  const suppressions = yield* Suppressions
  const sealed = known === undefined ? yield* suppressions.key() : known
  if (sealed === null) return suppressed satisfies SuppressedOptOuts
  const digests = yield* computeDigests(yield* openSuppressionListKey(sealed), identities)
  const found = yield* suppressions.find(digests.map(([, digest]) => digest))
  const times = new Map(found.map(({ at, digest }) => [digest, at]))
  for (const [name, digest] of digests) {
    const at = times.get(digest)
    if (at !== undefined) suppressed.set(name, at)
  }
  return suppressed satisfies SuppressedOptOuts
})

/** A contact, and the identities that it releases or has opted out with. */
export interface ReleasedIdentities {
  readonly contact: Contact
  readonly identities: ReadonlyArray<IdentityRef>
}

/** Puts the opt-outs of contacts on the list, under these identities. Contacts who have not opted out are ignored. */
const suppress = Effect.fnUntraced(function* (released: ReadonlyArray<ReleasedIdentities>) {
  const times = new Map<string, DateTime.Utc>()
  const identities: Array<IdentityRef> = []
  for (const { contact, identities: own } of released) {
    const { changedAt, marketing } = contact.consent
    if (marketing !== "unsubscribed" || changedAt === null) continue
    for (const identity of own) {
      identities.push(identity)
      times.set(identityLookupKey(identity), changedAt)
    }
  }
  if (identities.length === 0) return
  const digests = yield* computeDigests(yield* loadListKey, identities)
  yield* (yield* Suppressions).add(
    digests.flatMap(([name, digest]) => {
      const at = times.get(name)
      return at === undefined ? [] : [{ digest, at }]
    })
  )
})

/** Removes opt-outs from the list that the person has withdrawn. */
const unsuppress = Effect.fnUntraced(function* (identities: ReadonlyArray<IdentityRef>) {
  const suppressions = yield* Suppressions
  const sealed = identities.length === 0 ? null : yield* suppressions.key()
  if (sealed === null) return
  const digests = yield* computeDigests(yield* openSuppressionListKey(sealed), identities)
  yield* suppressions.remove(digests.map(([, digest]) => digest))
})

/** Brings the list up to date with consent that people gave or withdrew themselves, for all their identities. */
export const syncSelfDeclaredOptOuts = Effect.fnUntraced(function* (contacts: ReadonlyArray<Contact>) {
  const own = contacts.filter(({ consent }) => isSelfDeclared(consent))
  yield* suppress(own.map((contact) => ({ contact, identities: contact.identities })))
  yield* unsuppress(
    own.filter(({ consent }) => consent.marketing === "subscribed").flatMap(({ identities }) => identities)
  )
})

/** Releases identities that contacts do not have any more: opt-outs stay on the suppression list, links to duplicates are deleted. */
export const releaseIdentities = Effect.fnUntraced(function* (released: ReadonlyArray<ReleasedIdentities>) {
  const identities = released.flatMap((each) => each.identities)
  if (identities.length === 0) return
  yield* suppress(released)
  yield* (yield* Duplicates).forget(identities)
})
