import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Contact, Contacts, type IdentityKind, type IdentityRef } from "@parley/domain/crm"
import { Effect, Result } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { givenOrganization, inside, plain } from "../given.ts"
import { everybodyThere, givenContact, identity, idsOf, insertContacts, newContact, sorted } from "./given.ts"

/** Two spellings of each kind of identity that are one. */
const spellings: ReadonlyArray<readonly [IdentityKind, one: string, other: string]> = [
  ["phone", "+491701234567", "+491701234567"],
  ["phone", "+5511987654321", "+551187654321"],
  ["phone", "+551187654321", "+5511987654321"],
  ["phone", "+5491123456789", "+541123456789"],
  ["email", "o'neill%_\\@people.test", "o'neill%_\\@people.test"],
  ["chat_user", "Üser 'x' %_\\ 🥐", "Üser 'x' %_\\ 🥐"],
  ["store_customer", "42", "42"],
  ["external", "id\\'\"", "id\\'\""]
]

/** Pairs that look equal and differ. */
const different: ReadonlyArray<readonly [IdentityRef, IdentityRef]> = [
  [
    { kind: "external", value: "42" },
    { kind: "store_customer", value: "42" }
  ],
  [
    { kind: "external", value: "abc" },
    { kind: "external", value: "ABC" }
  ],
  [
    { kind: "external", value: "a" },
    { kind: "external", value: "a\u0301" }
  ],
  [
    { kind: "external", value: "%" },
    { kind: "external", value: "_" }
  ],
  [
    { kind: "phone", value: "+491701234567" },
    { kind: "phone", value: "+491701234568" }
  ],
  [
    { kind: "phone", value: "+551132654321" },
    { kind: "phone", value: "+5511932654321" }
  ]
]

const knownBy = (...refs: ReadonlyArray<IdentityRef>) =>
  newContact({ identities: refs.map(({ kind, value }) => identity(kind, value)) })

const withIdentities = (contact: Contact, ...refs: ReadonlyArray<IdentityRef>) =>
  new Contact({ ...contact, identities: refs.map(({ kind, value }) => identity(kind, value)) })

const save = (contact: Contact) => Effect.flatMap(Contacts, (contacts) => transact(contacts.save(contact, null)))

const saveAll = (changed: ReadonlyArray<Contact>) =>
  Effect.flatMap(Contacts, (contacts) => transact(contacts.saveAll(changed)))

/** Owner and identity of the conflict, from the error. */
const clashOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) =>
    error._tag === "ContactExists" && "contactId" in error && "kind" in error
      ? [error.contactId, error.kind]
      : error._tag
  )

export const contactIdentities: StorageContract = {
  port: "Contacts (identities)",
  promises: (it) => {
    it.effect.each(spellings)("are one contact's: %s %s and %s", ([kind, one, other]) =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const holder = knownBy({ kind, value: one })
          const bystander = knownBy({ kind: "external", value: "bystander" })
          yield* insertContacts([holder, bystander])
          const clash = [holder.id, kind]
          const rival = withIdentities(bystander, { kind: "external", value: "new" }, { kind, value: other })
          assert.deepStrictEqual(yield* clashOf(insertContacts([newContact(), knownBy({ kind, value: other })])), clash)
          assert.deepStrictEqual(yield* clashOf(save(rival)), clash)
          assert.deepStrictEqual(yield* clashOf(saveAll([rival])), clash)
          assert.deepStrictEqual((yield* everybodyThere).map(plain.contact), [holder, bystander].map(plain.contact))
          assert.strictEqual(yield* contacts.count(), 2)
          const found = (ref: IdentityRef) => Effect.map(contacts.findByIdentity([ref]), idsOf)
          assert.deepStrictEqual(yield* found({ kind, value: one }), [holder.id])
          assert.deepStrictEqual(yield* found({ kind, value: other }), [holder.id])
          assert.deepStrictEqual(yield* found({ kind: "external", value: "bystander" }), [bystander.id])
          assert.deepStrictEqual(yield* found({ kind: "external", value: "new" }), [])
          const same = yield* save(withIdentities(holder, { kind, value: other }))
          assert.deepStrictEqual(
            same.identities.map(({ value }) => value),
            [other]
          )
          assert.deepStrictEqual(yield* found({ kind, value: one }), [holder.id])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect.each(different)("are two contacts': %o and %o", ([one, other]) =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const [first, second] = [knownBy(one), knownBy(other)]
          assert.strictEqual(yield* insertContacts([first, second]), 2)
          assert.deepStrictEqual(idsOf(yield* contacts.findByIdentity([one])), [first.id])
          assert.deepStrictEqual(idsOf(yield* contacts.findByIdentity([other])), [second.id])
          assert.deepStrictEqual(
            sorted(idsOf(yield* contacts.findByIdentity([other, one, other]))),
            sorted([first.id, second.id])
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("finds a contact once, by however many it is known", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const contact = yield* givenContact({ phone: "+5511987654321", email: "ada@people.test" })
          const refs: ReadonlyArray<IdentityRef> = [
            ...contact.identities,
            { kind: "phone", value: "+551187654321" },
            { kind: "email", value: "nobody@people.test" }
          ]
          assert.deepStrictEqual(idsOf(yield* contacts.findByIdentity(refs)), [contact.id])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("clash inside one batch too, and then none of it is stored", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          for (const [kind, one, other] of spellings) {
            const batch = [knownBy({ kind, value: one }), newContact(), knownBy({ kind, value: other })]
            const error = yield* Effect.flip(insertContacts(batch))
            assert.strictEqual(error.kind, kind)
            assert.include(idsOf(batch), error.contactId)
            assert.strictEqual(yield* contacts.count(), 0)
            assert.lengthOf(yield* everybodyThere, 0)
          }
          const [first, second] = [knownBy({ kind: "external", value: "1" }), knownBy({ kind: "external", value: "2" })]
          yield* insertContacts([first, second])
          const third: IdentityRef = { kind: "external", value: "3" }
          const error = yield* Effect.flip(saveAll([withIdentities(first, third), withIdentities(second, third)]))
          assert.strictEqual(error.kind, "external")
          assert.deepStrictEqual((yield* everybodyThere).map(plain.contact), [first, second].map(plain.contact))
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("a conflict leaves the unit of work usable, without the refused contact", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const email: IdentityRef = { kind: "email", value: "ada@people.test" }
          const [holder, other] = [knownBy(email), knownBy({ kind: "external", value: "1" })]
          yield* insertContacts([holder, other])
          const fresh: IdentityRef = { kind: "external", value: "fresh" }
          yield* Effect.gen(function* () {
            assert.deepStrictEqual(yield* clashOf(contacts.insert([knownBy(fresh), knownBy(email)])), [
              holder.id,
              "email"
            ])
            assert.deepStrictEqual(yield* clashOf(contacts.save(withIdentities(other, fresh, email), null)), [
              holder.id,
              "email"
            ])
            assert.deepStrictEqual(yield* clashOf(contacts.saveAll([withIdentities(other, fresh, email)])), [
              holder.id,
              "email"
            ])
            assert.lengthOf(yield* contacts.findByIdentity([fresh]), 0)
            assert.strictEqual((yield* contacts.insert([knownBy(fresh)])).count, 3)
          }).pipe(transact)
          assert.lengthOf(yield* contacts.findByIdentity([fresh]), 1)
          assert.deepStrictEqual(idsOf(yield* contacts.findByIdentity(other.identities)), [other.id])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("move from one contact to another in one saving", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const [one, other]: ReadonlyArray<IdentityRef> = [
            { kind: "phone", value: "+5511987654321" },
            { kind: "phone", value: "+491701234567" }
          ]
          if (one === undefined || other === undefined) return
          const [first, second] = [knownBy(one), knownBy(other)]
          yield* insertContacts([first, second])
          yield* saveAll([withIdentities(first, other), withIdentities(second, one)])
          assert.deepStrictEqual(idsOf(yield* contacts.findByIdentity([one])), [second.id])
          assert.deepStrictEqual(idsOf(yield* contacts.findByIdentity([other])), [first.id])
          yield* saveAll([withIdentities(first), withIdentities(second, one, other)])
          assert.deepStrictEqual(idsOf(yield* contacts.findByIdentity([one, other])), [second.id])
          yield* save(withIdentities(first, { kind: "external", value: "free" }))
          yield* save(withIdentities(second))
          assert.strictEqual(yield* insertContacts([knownBy(one), knownBy(other)]), 4)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("keep their given order", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const refs: ReadonlyArray<IdentityRef> = ["z", "a", "m", "B"].map((value) => ({ kind: "external", value }))
          const contact = knownBy(...refs)
          yield* insertContacts([contact])
          yield* save(withIdentities(contact, ...refs.toReversed()))
          const values = (yield* contacts.get(contact.id)).identities.map(({ value }) => value)
          assert.deepStrictEqual(values, ["B", "m", "a", "z"])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("only the first of 20 concurrent inserts of a subscriber succeeds", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const rivals = Array.from({ length: 20 }, (_, index) =>
            newContact({ name: `Rival ${index}`, phone: index % 2 === 0 ? "+5511987654321" : "+551187654321" })
          )
          const outcomes = yield* Effect.forEach(rivals, (rival) => Effect.result(insertContacts([rival])), {
            concurrency: "unbounded"
          })
          const [winner, ...others] = yield* everybodyThere
          assert.lengthOf(others, 0)
          assert.strictEqual(outcomes.filter(Result.isSuccess).length, 1)
          for (const outcome of outcomes) {
            if (Result.isSuccess(outcome)) assert.strictEqual(outcome.success, 1)
            else assert.deepStrictEqual([outcome.failure.contactId, outcome.failure.kind], [winner?.id, "phone"])
          }
          assert.strictEqual(yield* Effect.flatMap(Contacts, (contacts) => contacts.count()), 1)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("concurrent inserts of many in different orders cause no deadlock", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const refs = Array.from({ length: 10 }, (_, index): IdentityRef => ({ kind: "external", value: `x${index}` }))
          const batches = Array.from({ length: 8 }, (_, turn) =>
            (turn % 2 === 0 ? refs : refs.toReversed()).map((ref) => knownBy(ref))
          )
          const outcomes = yield* Effect.forEach(batches, (batch) => Effect.result(insertContacts(batch)), {
            concurrency: "unbounded"
          })
          assert.strictEqual(outcomes.filter(Result.isSuccess).length, 1)
          assert.lengthOf(yield* everybodyThere, 10)
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

/** Checks an adapter against the contract of contact identities. */
export const contactIdentitiesContract = runContract(contactIdentities)
