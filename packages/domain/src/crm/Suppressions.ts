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

/** Opt-out that outlives its contact: a digest that identifies no person, and the time of the opt-out. */
export interface Suppression {
  readonly digest: string
  readonly at: DateTime.Utc
}

/** Suppression list of the organization. It stores opt-outs with or without an existing contact. */
export class Suppressions extends Context.Service<
  Suppressions,
  TenantScoped<{
    /** Returns the sealed key of the digests; `null` before the first one is stored. */
    readonly key: () => Effect.Effect<string | null>
    /** Stores a key unless one exists. Returns the stored key. */
    readonly keepKey: (sealed: string) => Effect.Effect<string, never, Transaction>
    /** Replaces the stored key with the same key, sealed again. */
    readonly resealKey: (sealed: string) => Effect.Effect<void, never, Transaction>
    /** Returns the listed digests among these, unordered. */
    readonly find: (digests: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Suppression>>
    /** Adds digests to the list. The later time wins for an existing digest. */
    readonly add: (suppressions: ReadonlyArray<Suppression>) => Effect.Effect<void, never, Transaction>
    /** Removes digests from the list. */
    readonly remove: (digests: ReadonlyArray<string>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/crm/Suppressions") {}

export const suppressionListKeys = defineSealedValue(
  "suppressions/key",
  { kind: "never_sent", reason: "Parley makes digests with it." },
  () => Effect.map(CurrentOrganization, ({ id }) => `suppressions/${id}`)
)

export const openSuppressionListKey = (sealed: string) => suppressionListKeys.open("", sealed)

/** Loads the key of the list. The first stored opt-out creates it. */
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

/** Finds the opt-outs of these identities on the list. Uses the given key, if known. */
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

/** Adds the opt-outs of contacts to the list under these identities. Ignores contacts without an opt-out. */
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

/** Removes withdrawn opt-outs from the list. */
const unsuppress = Effect.fnUntraced(function* (identities: ReadonlyArray<IdentityRef>) {
  const suppressions = yield* Suppressions
  const sealed = identities.length === 0 ? null : yield* suppressions.key()
  if (sealed === null) return
  const digests = yield* computeDigests(yield* openSuppressionListKey(sealed), identities)
  yield* suppressions.remove(digests.map(([, digest]) => digest))
})

/** Updates the list with self-declared consent and opt-outs, for all identities of the contacts. */
export const syncSelfDeclaredOptOuts = Effect.fnUntraced(function* (contacts: ReadonlyArray<Contact>) {
  const own = contacts.filter(({ consent }) => isSelfDeclared(consent))
  yield* suppress(own.map((contact) => ({ contact, identities: contact.identities })))
  yield* unsuppress(
    own.filter(({ consent }) => consent.marketing === "subscribed").flatMap(({ identities }) => identities)
  )
})

/** Releases dropped identities of contacts. Opt-outs stay on the suppression list; links to duplicates are deleted. */
export const releaseIdentities = Effect.fnUntraced(function* (released: ReadonlyArray<ReleasedIdentities>) {
  const identities = released.flatMap((each) => each.identities)
  if (identities.length === 0) return
  yield* suppress(released)
  yield* (yield* Duplicates).forget(identities)
})
