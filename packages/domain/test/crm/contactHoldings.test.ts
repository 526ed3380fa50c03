import { assert, layer } from "@effect/vitest"
import { type Actor, AutomationTokenId, type Permission, type Slice, UserId } from "@parley/domain/kernel"
import {
  type ContactId,
  ContactDataOwners,
  deleteContact,
  makeExportContact,
  layerContactDataOwnersOf,
  mergeContacts,
  type MergeStep,
  makeReadTimeline,
  unmergeContacts
} from "@parley/domain/crm"
import { actingIn, asOperatorOf, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { Context, DateTime, Effect, Layer } from "effect"

/** Dependencies of a test area. */
class Till extends Context.Service<Till, { readonly said: Array<string> }>()("@parley/domain/test/Till") {}

const say = (...words: ReadonlyArray<string>) => Effect.map(Till, ({ said: input }) => void input.push(words.join(" ")))

const instant = (minute: number) => DateTime.makeUnsafe(Date.UTC(2026, 0, 1, 0, minute))

/** An area that holds two things of each contact. */
const holdingOf = <const Kind extends string, const P extends Permission>(
  kind: Kind,
  permission: P,
  minute: number
) => {
  const entries = [
    { kind, id: `${kind}-2`, at: instant(minute + 10) },
    { kind, id: `${kind}-1`, at: instant(minute) }
  ]
  const named = <A>(list: ReadonlyArray<A>) => ({ [kind]: list }) as Readonly<Record<Kind, ReadonlyArray<A>>>
  return {
    permission,
    timeline: (_: ContactId, { limit }: Slice) => Effect.as(say(kind, "timeline"), entries.slice(0, limit)),
    export: () => Effect.as(say(kind, "export"), named(entries)),
    nothing: named<(typeof entries)[number]>([]),
    move: ({ from, to }: MergeStep) => say(kind, "move", from, to),
    moveBack: ({ from, to }: MergeStep) => say(kind, "moveBack", from, to),
    forget: (ids: ReadonlyArray<ContactId>) => say(kind, "forget", ...ids)
  }
}

const holdings = [holdingOf("orders", "jobs.read", 0), holdingOf("visits", "automations.read", 5)]

const readTimeline = makeReadTimeline(holdings)
const exportContact = makeExportContact(holdings)

const page = { limit: 10, cursor: null }

const id = "01990000-0000-7000-8000-000000000001"

const tokenWith = (...permissions: ReadonlyArray<Permission>): Actor => ({
  kind: "token",
  tokenId: AutomationTokenId.make(id),
  responsibleUserId: UserId.make(id),
  permissions: new Set(permissions)
})

layer(
  layerContactDataOwnersOf(holdings).pipe(
    Layer.provideMerge(TestKit.layer),
    Layer.provideMerge(Layer.sync(Till, () => ({ said: [] })))
  )
)("what other areas hold of a contact", (it) => {
  const drained = Effect.map(Till, ({ said: input }) => input.splice(0))

  it.effect("are listed in one order without data that the caller cannot read", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const contact = yield* givenContact(organization)
      const kinds = (actor: Actor) =>
        Effect.map(readTimeline({ id: contact.id, page }).pipe(actingIn(organization, actor)), ({ data }) =>
          data.map((entry) => entry.id)
        )
      assert.deepStrictEqual(yield* kinds(tokenWith("contacts.read", "jobs.read", "automations.read")), [
        "visits-2",
        "orders-2",
        "visits-1",
        "orders-1"
      ])
      assert.deepStrictEqual(yield* kinds(tokenWith("contacts.read", "automations.read")), ["visits-2", "visits-1"])
      assert.deepStrictEqual(yield* kinds(tokenWith("contacts.read")), [])
    })
  )

  it.effect("are exported completely, or empty without permission", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const contact = yield* givenContact(organization)
      const counts = (...permissions: ReadonlyArray<Permission>) =>
        Effect.map(
          exportContact({ id: contact.id }).pipe(actingIn(organization, tokenWith("contacts.export", ...permissions))),
          ({ complete, orders, visits }) => [orders.length, visits.length, complete]
        )
      assert.deepStrictEqual(yield* counts("jobs.read", "automations.read"), [2, 2, true])
      assert.deepStrictEqual(yield* counts("jobs.read"), [2, 0, false])
      assert.deepStrictEqual(yield* counts(), [0, 0, false])
    })
  )

  it.effect("goes where the contact goes, area by area, and needs nothing that crm knows of", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const [one, other] = [yield* givenContact(organization), yield* givenContact(organization)]
      yield* drained
      const { mergeId } = yield* mergeContacts({ id: one.id, contactId: other.id, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(yield* drained, [`orders move ${other.id} ${one.id}`, `visits move ${other.id} ${one.id}`])
      yield* unmergeContacts({ id: one.id, mergeId, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(yield* drained, [
        `orders moveBack ${one.id} ${other.id}`,
        `visits moveBack ${one.id} ${other.id}`
      ])
      yield* deleteContact({ id: one.id, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(yield* drained, [`orders forget ${one.id}`, `visits forget ${one.id}`])
    })
  )

  it.effect("count as activity for every caller", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const contact = yield* givenContact(organization)
      yield* drained
      const active = Effect.flatMap(ContactDataOwners, (held) => held.isActive(contact.id))
      assert.isTrue(yield* active.pipe(actingIn(organization, tokenWith())))
      assert.deepStrictEqual(yield* drained, ["orders timeline"])
    })
  )
})
