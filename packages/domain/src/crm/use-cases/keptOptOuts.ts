import { type DateTime, Effect } from "effect"
import { CurrentOrganization, Ids, Vault } from "../../kernel/index.ts"
import type { Contact } from "../Contact.ts"
import { identityName, type IdentityRef } from "../Identity.ts"
import { isOwnWord, type KeptOptOuts } from "../optOuts.ts"
import { Suppressions } from "../Suppressions.ts"

/** Where the key of the organization's list is sealed to. */
export const placeOfKey = Effect.map(CurrentOrganization, ({ id }) => `suppressions/${id}`)

/** Opens the key of the organization's list. */
export const openKey = Effect.fnUntraced(function* (sealed: string) {
  return yield* (yield* Vault).open(yield* placeOfKey, sealed)
})

/** The key of the list, made with the first opt-out that is kept. */
const keyToKeepBy = Effect.gen(function* () {
  const suppressions = yield* Suppressions
  const sealed = yield* suppressions.key()
  if (sealed !== null) return yield* openKey(sealed)
  const key = yield* (yield* Ids).secret(32)
  return yield* openKey(yield* suppressions.keepKey(yield* (yield* Vault).seal(yield* placeOfKey, key)))
})

const digestsOf = Effect.fnUntraced(function* (
  key: Effect.Success<typeof keyToKeepBy>,
  identities: ReadonlyArray<IdentityRef>
) {
  const vault = yield* Vault
  const names = [...new Set(identities.map(identityName))]
  return yield* Effect.forEach(names, (name) => Effect.map(vault.mac(key, name), (digest) => [name, digest] as const))
})

/** The opt-outs that are kept of these identities. */
export const findOptOuts = Effect.fnUntraced(function* (identities: ReadonlyArray<IdentityRef>) {
  const kept = new Map<string, DateTime.Utc>()
  if (identities.length === 0) return kept satisfies KeptOptOuts
  const suppressions = yield* Suppressions
  const sealed = yield* suppressions.key()
  if (sealed === null) return kept satisfies KeptOptOuts
  const digests = yield* digestsOf(yield* openKey(sealed), identities)
  const found = yield* suppressions.find(digests.map(([, digest]) => digest))
  const times = new Map(found.map(({ at, digest }) => [digest, at]))
  for (const [name, digest] of digests) {
    const at = times.get(digest)
    if (at !== undefined) kept.set(name, at)
  }
  return kept satisfies KeptOptOuts
})

/** An opted-out contact, and the identities by which its opt-out has to be kept. */
export interface Leaving {
  readonly contact: Contact
  readonly identities: ReadonlyArray<IdentityRef>
}

/** Keeps the opt-outs of contacts by these identities. Contacts who have not opted out are left out. */
export const keepOptOuts = Effect.fnUntraced(function* (leaving: ReadonlyArray<Leaving>) {
  const times = new Map<string, DateTime.Utc>()
  const identities: Array<IdentityRef> = []
  for (const { contact, identities: left } of leaving) {
    const { changedAt, marketing } = contact.consent
    if (marketing !== "unsubscribed" || changedAt === null) continue
    for (const identity of left) {
      identities.push(identity)
      times.set(identityName(identity), changedAt)
    }
  }
  if (identities.length === 0) return
  const digests = yield* digestsOf(yield* keyToKeepBy, identities)
  yield* (yield* Suppressions).add(
    digests.flatMap(([name, digest]) => {
      const at = times.get(name)
      return at === undefined ? [] : [{ digest, at }]
    })
  )
})

/** Forgets opt-outs that the person themself has taken back. */
const dropOptOuts = Effect.fnUntraced(function* (identities: ReadonlyArray<IdentityRef>) {
  const suppressions = yield* Suppressions
  const sealed = identities.length === 0 ? null : yield* suppressions.key()
  if (sealed === null) return
  const digests = yield* digestsOf(yield* openKey(sealed), identities)
  yield* suppressions.remove(digests.map(([, digest]) => digest))
})

/** Keeps what people have said themselves of everything that they are known by: an opt-out, or that it is over. */
export const keepOwnWords = Effect.fnUntraced(function* (contacts: ReadonlyArray<Contact>) {
  const own = contacts.filter(({ consent }) => isOwnWord(consent))
  yield* keepOptOuts(own.map((contact) => ({ contact, identities: contact.identities })))
  yield* dropOptOuts(
    own.filter(({ consent }) => consent.marketing === "subscribed").flatMap(({ identities }) => identities)
  )
})
