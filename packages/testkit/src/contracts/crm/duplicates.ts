import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  type Contact,
  Contacts,
  DuplicateId,
  type DuplicateLink,
  Duplicates,
  type DuplicateSource,
  identityKey,
  type IdentityRef
} from "@parley/domain/crm"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { all, evening, givenContact, identity, inNewOrganization, morning } from "./given.ts"

const phone: IdentityRef = { kind: "phone", value: "+5511987654321" }
const spelled: IdentityRef = { kind: "phone", value: "+551187654321" }
const user: IdentityRef = { kind: "chat_user", value: "U 'x' %_\\ 🥐" }
const external: IdentityRef = { kind: "external", value: "x-1" }

const link = (
  one: IdentityRef,
  other: IdentityRef,
  source: DuplicateSource = "chat",
  dismissedAt: DuplicateLink["dismissedAt"] = null
): DuplicateLink => ({ id: freshId(DuplicateId), one, other, source, foundAt: morning, dismissedAt })

const add = (...links: ReadonlyArray<DuplicateLink>) =>
  Effect.flatMap(Duplicates, (duplicates) => transact(duplicates.add(links)))

const dismiss = (ones: ReadonlyArray<IdentityRef>, others: ReadonlyArray<IdentityRef>) =>
  Effect.flatMap(Duplicates, (duplicates) => transact(duplicates.dismiss(ones, others, evening)))

const forget = (...identities: ReadonlyArray<IdentityRef>) =>
  Effect.flatMap(Duplicates, (duplicates) => transact(duplicates.forget(identities)))

const knownBy = (...refs: ReadonlyArray<IdentityRef>) =>
  givenContact({ identities: refs.map(({ kind, value }) => identity(kind, value)) })

const listOf = ({ id, identities }: Contact, slice: Parameters<Duplicates["Service"]["list"]>[2] = all) =>
  Effect.flatMap(Duplicates, (duplicates) => duplicates.list(id, identities, slice))

const pairsOf = (...contacts: ReadonlyArray<Contact>) =>
  Effect.map(
    Effect.flatMap(Duplicates, (duplicates) => duplicates.pairs(contacts.flatMap(({ identities }) => identities))),
    (pairs) => pairs.map(({ contactId, otherId }) => [contactId, otherId]).toSorted()
  )

export const duplicates: StorageContract = {
  port: "Duplicates",
  promises: (it) => {
    it.effect("keeps one tenant's links out of another's sight and reach", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const [mine] = [yield* knownBy(phone).pipe(inside(one)), yield* knownBy(user).pipe(inside(one))]
        const [theirs] = [yield* knownBy(phone).pipe(inside(other)), yield* knownBy(user).pipe(inside(other))]
        yield* add(link(phone, user)).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.deepStrictEqual([yield* listOf(theirs), yield* pairsOf(theirs)], [[], []])
          assert.strictEqual(yield* dismiss([phone], [user]), 0)
          yield* forget(phone, user)
        }).pipe(inside(other))
        assert.lengthOf(yield* listOf(mine).pipe(inside(one)), 1)
      })
    )

    it.effect("shows a pair from both sides while the identities belong to two contacts", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* knownBy(phone), yield* knownBy(user)]
        const kept = link(spelled, user)
        assert.deepStrictEqual(yield* add(kept), [kept.id])
        const { dismissedAt: _, ...rest } = kept
        const key: IdentityRef = { kind: "phone", value: identityKey(phone) }
        assert.deepStrictEqual(yield* listOf(one), [{ ...rest, one: key, otherId: other.id }])
        assert.deepStrictEqual(yield* listOf(other), [{ ...rest, one: user, other: key, otherId: one.id }])
        assert.deepStrictEqual(yield* pairsOf(one), [[one.id, other.id]])
        assert.deepStrictEqual(
          yield* pairsOf(one, other),
          [
            [one.id, other.id],
            [other.id, one.id]
          ].toSorted()
        )

        yield* transact(Effect.flatMap(Contacts, (contacts) => contacts.remove([other.id])))
        assert.deepStrictEqual([yield* listOf(one), yield* pairsOf(one)], [[], []])
      }).pipe(inNewOrganization)
    )

    it.effect("stores each pair once, in every direction and spelling", () =>
      Effect.gen(function* () {
        const [one] = [yield* knownBy(phone), yield* knownBy(user, external)]
        const [first, again, inOne] = [link(phone, user), link(user, spelled, "import"), link(phone, external)]
        assert.deepStrictEqual(yield* add(first), [first.id])
        assert.deepStrictEqual(yield* add(again, inOne, link(external, phone)), [inOne.id])
        const listed = yield* listOf(one)
        assert.deepStrictEqual(
          listed.map(({ id, source }) => [id, source]),
          [
            [inOne.id, "chat"],
            [first.id, "chat"]
          ]
        )
        assert.deepStrictEqual(
          (yield* listOf(one, { limit: 1, after: null })).map(({ id }) => id),
          [inOne.id]
        )
        assert.deepStrictEqual(
          (yield* listOf(one, { limit: 5, after: [inOne.id] })).map(({ id }) => id),
          [first.id]
        )
        assert.deepStrictEqual(yield* add(), [])
      }).pipe(inNewOrganization)
    )

    it.effect("neither shows nor proposes dismissed pairs", () =>
      Effect.gen(function* () {
        const port = yield* Duplicates
        const [one, other] = [yield* knownBy(phone), yield* knownBy(user, external)]
        yield* add(link(phone, user), link(phone, external, "import"))
        assert.isFalse(yield* port.isDismissed(one.identities, other.identities))
        assert.strictEqual(yield* dismiss([user, external], [spelled]), 2)
        assert.strictEqual(yield* dismiss([phone], [user, external]), 0)
        assert.deepStrictEqual([yield* listOf(one), yield* listOf(other), yield* pairsOf(one)], [[], [], []])
        assert.deepStrictEqual(yield* add(link(user, phone)), [])
        assert.isTrue(yield* port.isDismissed([phone], [user]))
        assert.isTrue(yield* port.isDismissed([external], [spelled]))
        assert.isFalse(yield* port.isDismissed([user], [external]))
        const email: IdentityRef = { kind: "email", value: "ada@people.test" }
        yield* add(link(email, user, "chat", morning))
        assert.isTrue(yield* port.isDismissed([user], [email]))
        for (const nothing of [yield* port.isDismissed([], [user]), yield* port.isDismissed([user], [])]) {
          assert.isFalse(nothing)
        }
        assert.deepStrictEqual([yield* dismiss([], [user]), yield* dismiss([user], [])], [0, 0])
      }).pipe(inNewOrganization)
    )

    it.effect("forgets all links of an identity, also dismissed ones", () =>
      Effect.gen(function* () {
        const port = yield* Duplicates
        const [one] = [yield* knownBy(phone), yield* knownBy(user), yield* knownBy(external)]
        yield* add(link(phone, user), link(external, phone), link(user, external, "chat", evening))
        yield* forget(spelled)
        assert.deepStrictEqual(yield* listOf(one), [])
        assert.isTrue(yield* port.isDismissed([user], [external]))
        yield* forget(user, external)
        assert.isFalse(yield* port.isDismissed([user], [external]))
        assert.lengthOf(yield* add(link(user, external)), 1)
        yield* forget()
      }).pipe(inNewOrganization)
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const port = yield* Duplicates
        const [one] = [yield* knownBy(phone), yield* knownBy(user), yield* knownBy(external)]
        yield* add(link(phone, user))
        const fails = port
          .add([link(phone, external)])
          .pipe(
            Effect.andThen(port.dismiss([phone], [user], evening)),
            Effect.andThen(port.forget([phone])),
            Effect.andThen(Effect.fail("no"))
          )
        assert.strictEqual(yield* Effect.flip(transact(fails)), "no")
        assert.lengthOf(yield* listOf(one), 1)
      }).pipe(inNewOrganization)
    )
  }
}

export const duplicatesContract = runContract(duplicates)
