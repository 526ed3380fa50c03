import { assert, describe, it, layer } from "@effect/vitest"
import { getJob, runDueJobs } from "@parley/domain/platform"
import {
  ContactFieldId,
  Contacts,
  createContactField,
  deleteContactField,
  getContact,
  listContactFields,
  type NewContactField,
  updateContactField
} from "@parley/domain/crm"
import { layerJobKinds, type Ports } from "@parley/domain/composition"
import { asOperatorOf, givenContact, givenContactField, givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../tagOf.ts"
import { givenMany } from "./givenMany.ts"
import { substance, traced } from "./traces.ts"

const nobodys = ContactFieldId.make("01990000-0000-7000-8000-00000000dead")

const faultsOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) =>
    "errors" in error && Array.isArray(error.errors)
      ? error.errors.map((fault: { readonly pointer: string }) => fault.pointer)
      : error._tag
  )

layer(TestKit.layer)("contact fields", (it) => {
  it.effect("have a unique key regardless of case; only an enum has choices", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const input: NewContactField = { key: "size", name: "Size", type: "enum", choices: ["S", "M"] }
      const { answer, audit, events } = yield* traced(organization, createContactField(input)).pipe(inside)
      assert.deepStrictEqual(
        [answer.key, answer.name, answer.type, answer.choices, answer.status, answer.version],
        ["size", "Size", "enum", ["S", "M"], "active", 1]
      )
      assert.deepStrictEqual(events, [{ type: "contact_field.created", contactFieldId: answer.id }])
      assert.deepStrictEqual(audit, [
        { action: "contact_field.created", target: answer.id, before: null, after: { ...input } }
      ])
      const taken = createContactField({ key: "sIZE", name: "X", type: "text" })
      assert.strictEqual(yield* tagOf(taken).pipe(inside), "NameTaken")
      assert.deepStrictEqual(yield* faultsOf(createContactField({ key: "a", name: "A", type: "enum" })).pipe(inside), [
        "/choices"
      ])
      for (const type of ["text", "number", "boolean", "date"] as const) {
        const call = createContactField({ key: type, name: "A", type, choices: ["S"] })
        assert.deepStrictEqual(yield* faultsOf(call).pipe(inside), ["/choices"])
      }
    })
  )

  it.effect("are at most a hundred, listed oldest first", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      for (let count = 0; count < 100; count++) yield* givenContactField(organization, `f${count}`)
      assert.deepStrictEqual(
        yield* faultsOf(createContactField({ key: "more", name: "More", type: "text" })).pipe(inside),
        [""]
      )
      const one = yield* listContactFields({ page: { limit: 60, cursor: null } }).pipe(inside)
      const two = yield* listContactFields({ page: { limit: 60, cursor: one.nextCursor } }).pipe(inside)
      assert.deepStrictEqual(
        [...one.data, ...two.data].map(({ key }) => key),
        Array.from({ length: 100 }, (_, at) => `f${at}`)
      )
      assert.isNull(two.nextCursor)
    })
  )

  it.effect("change name and choices at the expected version, and leave no trace where nothing changes", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const before = yield* givenContactField(organization, "size", { type: "enum", choices: ["S"] })
      yield* TestClock.adjust("1 minute")
      const changed = yield* traced(
        organization,
        updateContactField({ id: before.id, name: "Size", choices: ["S", "M"], ifVersion: 1 })
      ).pipe(inside)
      assert.deepStrictEqual(
        [changed.answer.name, changed.answer.choices, changed.answer.version, changed.answer.updatedAt],
        ["Size", ["S", "M"], 2, yield* DateTime.now]
      )
      assert.deepStrictEqual(changed.audit, [
        {
          action: "contact_field.updated",
          target: before.id,
          before: { name: "size", choices: ["S"] },
          after: { name: "Size", choices: ["S", "M"] }
        }
      ])
      assert.deepStrictEqual(changed.events, [{ type: "contact_field.updated", contactFieldId: before.id }])
      for (const patch of [{}, { name: "Size" }, { choices: ["S", "M"] }]) {
        const { answer, audit, events } = yield* traced(
          organization,
          updateContactField({ id: before.id, ...patch, ifVersion: null })
        ).pipe(inside)
        assert.deepStrictEqual([answer, audit, events], [changed.answer, [], []])
      }
      assert.strictEqual(
        yield* tagOf(updateContactField({ id: before.id, ifVersion: 1 })).pipe(inside),
        "VersionConflict"
      )
      const text = yield* givenContactField(organization, "city")
      assert.deepStrictEqual(
        yield* faultsOf(updateContactField({ id: text.id, choices: ["S"], ifVersion: null })).pipe(inside),
        ["/choices"]
      )
      assert.strictEqual(yield* tagOf(updateContactField({ id: nobodys, ifVersion: null })).pipe(inside), "NotFound")
      const elsewhere = asOperatorOf(yield* givenOrganization())
      assert.strictEqual(yield* tagOf(updateContactField({ id: text.id, ifVersion: null })).pipe(elsewhere), "NotFound")
    })
  )
})

/** Each has a separate store, because workers serve all organizations. */
const test = <A, E>(name: string, body: () => Effect.Effect<A, E, Ports>) =>
  it.effect(name, () => Effect.provide(Effect.suspend(body), TestKit.layer, { local: true }))

describe("the deletion of a contact field", () => {
  test("removes its values from every contact, then the field, and frees the key", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const city = yield* givenContactField(organization, "city")
      yield* givenContactField(organization, "score", { type: "number" })
      const one = yield* givenContact(organization, { attributes: { city: "Rome", score: 5 } })
      const other = yield* givenContact(organization, { attributes: { score: 5 } })
      const asked = yield* traced(organization, deleteContactField({ id: city.id, ifVersion: 1 })).pipe(inside)
      assert.deepStrictEqual(asked.audit, [
        {
          action: "contact_field.deleted",
          target: city.id,
          before: { key: "city", name: "city", type: "text" },
          after: null
        }
      ])
      const deleting = (yield* listContactFields({ page: { limit: 9, cursor: null } }).pipe(inside)).data[0]
      assert.deepStrictEqual([deleting?.key, deleting?.status], ["city", "deleting"])
      const refused = yield* Effect.forEach(
        [
          tagOf(updateContactField({ id: city.id, name: "X", ifVersion: null })),
          tagOf(deleteContactField({ id: city.id, ifVersion: null })),
          tagOf(createContactField({ key: "cITY", name: "X", type: "date" }))
        ],
        (call) => call
      ).pipe(inside)
      assert.deepStrictEqual(refused, ["NotFound", "NotFound", "NameTaken"])

      const { events } = yield* traced(organization, Effect.provide(runDueJobs, layerJobKinds))
      assert.deepStrictEqual(events, [
        { type: "contact_field.deleted", contactFieldId: city.id },
        { type: "job.finished", jobId: asked.answer.id, kind: "contact_fields.delete", state: "succeeded" }
      ])
      const { counts, state } = yield* getJob({ id: asked.answer.id }).pipe(inside)
      assert.deepStrictEqual([state, counts], ["succeeded", { cleared: 1 }])
      const [cleared, untouched] = [
        yield* getContact({ id: one.id }).pipe(inside),
        yield* getContact({ id: other.id }).pipe(inside)
      ]
      assert.deepStrictEqual(substance(cleared), { ...substance(one), attributes: { score: 5 } })
      assert.deepStrictEqual(untouched, other)
      const again = createContactField({ key: "city", name: "City", type: "date" })
      assert.strictEqual(yield* tagOf(again).pipe(inside), "ok")
    }))

  test("clears each contact once, although a node dies in a step", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const inside = asOperatorOf(organization)
      const city = yield* givenContactField(organization, "city")
      const many = yield* givenMany(organization, 1_020, { attributes: { city: "Rome", other: 5 } })
      const job = yield* deleteContactField({ id: city.id, ifVersion: null }).pipe(inside)
      const real = yield* Contacts
      let calls = 0
      const dying = Contacts.of({
        ...real,
        clearAttribute: (...args) =>
          Effect.tap(real.clearAttribute(...args), () =>
            ++calls === 2 ? Effect.die(new Error("connect ECONNREFUSED")) : Effect.void
          )
      })
      const work = Effect.provide(runDueJobs, layerJobKinds)
      yield* work.pipe(Effect.provideService(Contacts, dying))
      assert.deepStrictEqual((yield* getJob({ id: job.id }).pipe(inside)).counts, { cleared: 1_000 })
      yield* TestClock.adjust("1 second")
      yield* work
      const { counts, state } = yield* getJob({ id: job.id }).pipe(inside)
      assert.deepStrictEqual([state, counts], ["succeeded", { cleared: 1_020 }])
      for (const { attributes, version } of yield* real.find(many.map(({ id }) => id)).pipe(inside)) {
        assert.deepStrictEqual([{ ...attributes }, version], [{ other: 5 }, 2])
      }
      assert.isEmpty((yield* listContactFields({ page: { limit: 9, cursor: null } }).pipe(inside)).data)
    }))

  test("is made at the expected version only", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenContactField(organization, "city")
      const stale = traced(organization, tagOf(deleteContactField({ id, ifVersion: 2 }))).pipe(
        asOperatorOf(organization)
      )
      assert.deepStrictEqual(yield* stale, { answer: "VersionConflict", audit: [], events: [] })
    }))
})
