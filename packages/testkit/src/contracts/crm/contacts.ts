import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Contact, ContactId, Contacts } from "@parley/domain/crm"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, freshText, givenOrganization, inside, plain } from "../given.ts"
import {
  all,
  evening,
  everybodyThere,
  everyone,
  givenContact,
  givenTag,
  identity,
  idsOf,
  insertContacts,
  listed,
  newContact,
  sorted,
  saveContact,
  saveContacts,
  contactCount,
  changedContact
} from "./given.ts"

const remove = (ids: ReadonlyArray<ContactId>) => Effect.flatMap(Contacts, (contacts) => transact(contacts.remove(ids)))

const refused = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)

export const contacts: StorageContract = {
  port: "Contacts",
  promises: (it) => {
    it.effect("hides the contacts of one tenant from another", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const name = "Ottokar Querulant"
        const contact = yield* Effect.gen(function* () {
          const tag = yield* givenTag()
          return yield* givenContact({
            name,
            phone: "+491701234567",
            email: "ottokar@people.test",
            attributes: { city: "Quito" },
            tags: [tag.id]
          })
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          const { id, identities, tags } = contact
          const theirs = yield* givenTag()
          assert.strictEqual((yield* Effect.flip(contacts.get(id)))._tag, "NotFound")
          assert.lengthOf(yield* contacts.find([id]), 0)
          assert.deepStrictEqual(yield* contacts.names([id]), new Map())
          assert.lengthOf(yield* contacts.findByIdentity(identities), 0)
          assert.lengthOf(yield* transact(contacts.lock([id])), 0)
          assert.lengthOf(yield* transact(contacts.lockByIdentity(identities)), 0)
          assert.lengthOf(yield* everybodyThere, 0)
          assert.lengthOf(yield* listed({ ...everyone, search: { kind: "words", words: ["ottokar"] } }, all), 0)
          assert.lengthOf(yield* listed({ ...everyone, search: { kind: "beginning", text: "ot" } }, all), 0)
          assert.notInclude(yield* contacts.wordsLike("ottokar"), "ottokar")
          assert.strictEqual(yield* contacts.count(), 0)
          for (const expected of [1, 2, null]) {
            assert.strictEqual((yield* Effect.flip(saveContact(changedContact(contact), expected)))._tag, "NotFound")
          }
          yield* saveContacts([changedContact(contact)])
          assert.lengthOf(yield* transact(contacts.tag([id], [theirs.id], evening)), 0)
          assert.lengthOf(yield* transact(contacts.untag([id], tags, evening)), 0)
          assert.strictEqual(yield* transact(contacts.clearAttribute("city", 10, evening)), 0)
          assert.lengthOf(yield* remove([id]), 0)
          assert.strictEqual(yield* contacts.count(), 0)
          const own = newContact({ name, phone: contact.phone, email: contact.email, tags })
          assert.strictEqual(yield* insertContacts([own]), 1)
          assert.deepStrictEqual((yield* contacts.get(own.id)).tags, [])
        }).pipe(inside(other))
        yield* Effect.gen(function* () {
          assert.deepStrictEqual((yield* everybodyThere).map(plain.contact), [plain.contact(contact)])
          assert.strictEqual(yield* contacts.count(), 1)
        }).pipe(inside(one))
      })
    )

    it.effect("a failed unit of work leaves nothing, and counts nothing", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const [tag, other] = [yield* givenTag(), yield* givenTag()]
          const kept = yield* givenContact({ name: "Keptword", attributes: { city: "Quito" }, tags: [tag.id] })
          const email = `${freshText("new")}@people.test`
          for (const change of [
            contacts.insert([newContact({ email, name: "Fleetingword", tags: [tag.id] })]),
            contacts.save(changedContact(kept), 1),
            contacts.saveAll([changedContact(kept)]),
            contacts.remove([kept.id]),
            contacts.tag([kept.id], [other.id], evening),
            contacts.untag([kept.id], [tag.id], evening),
            contacts.clearAttribute("city", 10, evening)
          ]) {
            assert.strictEqual(yield* refused(change), "refused")
            assert.deepStrictEqual((yield* everybodyThere).map(plain.contact), [plain.contact(kept)])
            assert.strictEqual(yield* contacts.count(), 1)
            assert.lengthOf(yield* contacts.findByIdentity([{ kind: "email", value: email }]), 0)
          }
          assert.strictEqual(yield* insertContacts([newContact({ email })]), 2)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("counts own writes in a unit of work, and only committed ones for others", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          yield* givenContact()
          yield* Effect.gen(function* () {
            assert.strictEqual((yield* contacts.insert([newContact(), newContact()])).count, 3)
            yield* refused(contacts.insert([newContact()]))
            assert.strictEqual(yield* contacts.count(), 3)
            const [first] = yield* everybodyThere
            yield* contacts.remove(first === undefined ? [] : [first.id])
            assert.strictEqual((yield* contacts.insert([newContact()])).count, 3)
          }).pipe(transact)
          assert.strictEqual(yield* contactCount, 3)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("refuses an outdated version and an unknown id", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const contact = yield* givenContact()
          yield* saveContact(contact, 1)
          for (const expected of [1, 3]) {
            const error = yield* Effect.flip(saveContact(changedContact(contact), expected))
            assert.strictEqual(error._tag === "VersionConflict" ? error.current : error._tag, 2)
            assert.strictEqual((yield* Effect.flip(saveContact(newContact(), expected)))._tag, "NotFound")
          }
          assert.strictEqual((yield* Effect.flip(saveContact(newContact(), null)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(contacts.get(freshId(ContactId))))._tag, "NotFound")
          assert.deepStrictEqual(plain.contact(yield* contacts.get(contact.id)), {
            ...plain.contact(contact),
            version: 2
          })
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("only the first of many concurrent saves of a version succeeds", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const contact = yield* givenContact()
          const outcomes = yield* Effect.forEach(
            Array.from({ length: 10 }, (_, index) => new Contact({ ...contact, name: `Writer ${index}` })),
            (changed) => Effect.option(saveContact(changed, 1)),
            { concurrency: "unbounded" }
          )
          const won = outcomes.flatMap((outcome) => (outcome._tag === "Some" ? [plain.contact(outcome.value)] : []))
          assert.deepStrictEqual((yield* everybodyThere).map(plain.contact), won)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("saves many contacts together, and skips deleted ones", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const people = Array.from({ length: 5 }, () =>
            newContact({ identities: [identity("external", freshText("x"))] })
          )
          yield* insertContacts(people)
          const [gone, ...left] = people
          yield* remove(gone === undefined ? [] : [gone.id])
          yield* saveContacts(people.map(changedContact))
          assert.deepStrictEqual(
            (yield* everybodyThere).map(plain.contact),
            left.map((contact) => ({ ...plain.contact(changedContact(contact)), version: 2 }))
          )
          yield* saveContacts([])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("finds existing contacts, once each", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const [first, second] = [yield* givenContact(), yield* givenContact({ name: "Ottokar “%_\\” 🥐" })]
          const wanted = [second.id, freshId(ContactId), first.id, second.id]
          const both = sorted([first.id, second.id])
          assert.deepStrictEqual(sorted(idsOf(yield* contacts.find(wanted))), both)
          assert.deepStrictEqual(sorted(idsOf(yield* transact(contacts.lock(wanted)))), both)
          const names = [first, second].map(({ id, name }) => [id, name] as const)
          assert.deepStrictEqual(yield* contacts.names(wanted), new Map(names))
          assert.deepStrictEqual(yield* contacts.names([second.id]), new Map(names.slice(1)))
          assert.lengthOf(yield* contacts.find([]), 0)
          assert.deepStrictEqual(yield* contacts.names([]), new Map())
          assert.lengthOf(yield* transact(contacts.lock([])), 0)
          assert.lengthOf(yield* contacts.findByIdentity([]), 0)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("removes existing contacts once each, and returns them", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const [first, second, third] = [
            yield* givenContact({ phone: "+491701234567" }),
            yield* givenContact(),
            yield* givenContact()
          ]
          const removed = yield* remove([second.id, freshId(ContactId), first.id, second.id])
          assert.deepStrictEqual(sorted(removed), sorted([first.id, second.id]))
          assert.lengthOf(yield* remove([second.id, first.id]), 0)
          assert.lengthOf(yield* remove([]), 0)
          assert.deepStrictEqual(idsOf(yield* everybodyThere), [third.id])
          assert.strictEqual(yield* contactCount, 1)
          assert.lengthOf(yield* contacts.findByIdentity(first.identities), 0)
          assert.strictEqual(yield* insertContacts([newContact({ phone: "+491701234567" })]), 2)
          assert.strictEqual(yield* insertContacts([]), 2)
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

/** Checks an adapter against the contract of stored contacts. */
export const contactsContract = runContract(contacts)
