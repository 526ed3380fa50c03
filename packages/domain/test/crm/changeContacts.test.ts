import { assert, describe, it, layer } from "@effect/vitest"
import { getJob, type Job, type Organization, runDueJobs } from "@parley/domain/platform"
import {
  type BulkChange,
  changeContacts,
  type Contact,
  Contacts,
  createContact,
  deleteTag,
  anyContact,
  TagId
} from "@parley/domain/crm"
import { layerJobKinds, type Ports } from "@parley/domain/composition"
import { asOperatorOf, givenContact, givenOrganization, givenTag, TestKit } from "@parley/testkit"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../tagOf.ts"
import { givenMany } from "./givenMany.ts"
import { auditOf, ledgerOf, traced } from "./traces.ts"

const nobodys = TagId.make("01990000-0000-7000-8000-00000000dead")

const everyone = (organization: Organization) =>
  Effect.flatMap(Contacts, (contacts) =>
    contacts.list({ filter: anyContact, search: null, sort: "createdAt" }, { limit: 100_000, after: null })
  ).pipe(
    asOperatorOf(organization),
    Effect.map(({ rows }) => rows)
  )

const faultOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) =>
    "errors" in error && Array.isArray(error.errors)
      ? error.errors.map((fault: { readonly pointer: string }) => fault.pointer)
      : "pointer" in error
        ? [error._tag, error.pointer]
        : [error._tag]
  )

const changes = (tag: TagId): ReadonlyArray<BulkChange> => [
  { action: "tag", tags: [tag] },
  { action: "untag", tags: [tag] },
  { action: "consent", marketing: { state: "subscribed", source: "fair", evidence: "List 5" } },
  { action: "delete" }
]

const isDone = (change: BulkChange, contact: Contact | undefined, tag: TagId): boolean => {
  switch (change.action) {
    case "tag":
      return contact?.tags.includes(tag) === true
    case "untag":
      return contact?.tags.includes(tag) === false
    case "consent":
      return contact?.consent.marketing === "subscribed"
    case "delete":
      return contact === undefined
  }
}

layer(TestKit.layer)("a change of named contacts", (it) => {
  for (const [index, { action }] of changes(nobodys).entries()) {
    it.effect(`is made at once, once to each, and says who is not there: ${action}`, () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const inside = asOperatorOf(organization)
        const tag = yield* givenTag(organization)
        const tags = action === "untag" ? [tag.id] : []
        const [one, two, bystander] = [
          yield* givenContact(organization, { tags }),
          yield* givenContact(organization, { tags }),
          yield* givenContact(organization, { tags })
        ]
        const stranger = yield* givenContact(yield* givenOrganization())
        yield* TestClock.adjust("1 minute")
        const change = changes(tag.id)[index]
        if (change === undefined) return assert.fail()
        const request = { change, target: { ids: [one.id, stranger.id, two.id] } }
        const { answer, audit, events } = yield* traced(organization, changeContacts(request)).pipe(inside)
        assert.deepStrictEqual(answer, {
          kind: "done",
          result: { matched: 2, changed: 2, missing: [stranger.id] }
        })
        assert.deepStrictEqual(events, [{ type: "contacts.changed", action, changed: 2, jobId: null }])
        assert.deepStrictEqual(audit, [
          { action: "contacts.changed", target: action, before: null, after: { action, changed: 2 } }
        ])
        const left = yield* everyone(organization)
        for (const { id } of [one, two]) {
          const contact = left.find((each) => each.id === id)
          assert.isTrue(isDone(change, contact, tag.id))
          if (contact !== undefined) {
            assert.deepStrictEqual([contact.version, contact.updatedAt], [2, yield* DateTime.now])
          }
          assert.lengthOf(yield* ledgerOf(organization, id), action === "consent" ? 1 : 0)
        }
        assert.deepStrictEqual(
          left.find(({ id }) => id === bystander.id),
          bystander
        )
      })
    )
  }

  it.effect("leaves no trace without changed contacts", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const [had, lacked] = [yield* givenTag(organization), yield* givenTag(organization)]
      const contact = yield* givenContact(organization, { tags: [had.id], marketing: { state: "subscribed" } })
      const nothing: ReadonlyArray<BulkChange> = [
        { action: "tag", tags: [had.id] },
        { action: "untag", tags: [lacked.id] },
        { action: "consent", marketing: { state: "subscribed", source: "elsewhere" } }
      ]
      for (const change of nothing) {
        const { answer, audit, events } = yield* traced(
          organization,
          changeContacts({ change, target: { ids: [contact.id] } })
        ).pipe(inside)
        assert.deepStrictEqual(answer, { kind: "done", result: { matched: 1, changed: 0, missing: [] } })
        assert.deepStrictEqual([audit, events], [[], []])
      }
      assert.deepStrictEqual(yield* everyone(organization), [contact])
    })
  )

  it.effect("says either which contacts or a filter, and tags that there are", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const [tag, foreign] = [yield* givenTag(organization), yield* givenTag(yield* givenOrganization())]
      const { id } = yield* givenContact(organization)
      const gone: BulkChange = { action: "delete" }
      const refusals = yield* Effect.forEach(
        [
          { change: gone, target: {} },
          { change: gone, target: { ids: [id], filter: {} } },
          { change: { action: "tag", tags: [tag.id, nobodys] }, target: { ids: [id] } },
          { change: { action: "untag", tags: [foreign.id] }, target: { ids: [id] } },
          { change: gone, target: { filter: { all: [{ field: "tag", op: "any_of", value: [tag.id, foreign.id] }] } } },
          { change: gone, target: { filter: { any: [{}, { field: "nothing" }] } } },
          { change: gone, target: { filter: { field: "segment", op: "in", value: nobodys } } }
        ] as const,
        (request) => traced(organization, faultOf(changeContacts(request)))
      ).pipe(inside)
      assert.deepStrictEqual(
        refusals.map(({ answer }) => answer),
        [
          ["/target"],
          ["/target"],
          ["NotFound", "/change/tags/1"],
          ["NotFound", "/change/tags/0"],
          ["NotFound", "/target/filter/all/0/value/1"],
          ["/target/filter/any/1/field"],
          ["NotFound", "/target/filter/value"]
        ]
      )
      assert.deepStrictEqual(
        refusals.flatMap(({ audit, events }) => [...audit, ...events]),
        []
      )
    })
  )
})

/** Each has a separate store, because workers serve all organizations. */
const test = <A, E>(name: string, body: () => Effect.Effect<A, E, Ports>) =>
  it.effect(name, () => Effect.provide(Effect.suspend(body), TestKit.layer, { local: true }))

type Port = typeof Contacts.Service

/** A worker that runs until nothing is left, on contacts that can change in between. */
const workOn = (happens: (real: Port) => Port = (real) => real) =>
  Effect.flatMap(Contacts, (real) =>
    Effect.provide(runDueJobs, layerJobKinds).pipe(Effect.provideService(Contacts, Contacts.of(happens(real))))
  )

const read = (organization: Organization, { id }: Pick<Job, "id">) => getJob({ id }).pipe(asOperatorOf(organization))

/** Requests a change of all contacts with this name. */
const ask = Effect.fnUntraced(function* (organization: Organization, change: BulkChange) {
  const filter = { field: "name", op: "is", value: "Grace" }
  const asked = yield* changeContacts({ change, target: { filter } }).pipe(asOperatorOf(organization))
  return asked.kind === "started" ? asked.job : yield* Effect.die(new Error("This is no work for the background."))
})

/** Step call that stops a node: the first or the last one. */
const kills = ["before", "after"] as const

describe("a change of all whom a filter matches", () => {
  for (const [index, { action }] of changes(nobodys).entries()) {
    for (const kill of kills) {
      test(`${action}: is made once to each, although nodes are stopped ${kill} what a step writes`, () =>
        Effect.gen(function* () {
          const organization = yield* givenOrganization({ plan: "growth" })
          const tag = yield* givenTag(organization)
          const tags = action === "untag" ? [tag.id] : []
          const matching = yield* givenMany(organization, 620, { name: "Grace", tags })
          const others = yield* givenMany(organization, 30, { name: "Alan", tags })
          yield* TestClock.adjust("1 second")
          const change = changes(tag.id)[index]
          if (change === undefined) return assert.fail()
          const job = yield* ask(organization, change)
          yield* TestClock.adjust("1 second")
          const late = yield* createContact({ name: "Grace", tags }).pipe(asOperatorOf(organization))

          for (const steps of [1, 2]) {
            const reached = yield* Deferred.make<void>()
            let calls = 0
            const stuck = Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
            const stop = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
              Effect.suspend(() => {
                calls += 1
                if (calls < steps) return effect
                return kill === "before" ? stuck : Effect.andThen(effect, stuck)
              })
            const node = yield* Effect.forkChild(
              workOn((real) => ({
                ...real,
                tag: (...args) => stop(real.tag(...args)),
                untag: (...args) => stop(real.untag(...args)),
                saveAll: (...args) => stop(real.saveAll(...args)),
                remove: (...args) => stop(real.remove(...args))
              }))
            )
            yield* Deferred.await(reached)
            yield* Fiber.interrupt(node)
            const { progress, state } = yield* read(organization, job)
            assert.deepStrictEqual([state, progress.done], ["queued", steps === 1 ? 0 : 500])
          }

          const { events } = yield* traced(organization, workOn())
          assert.deepStrictEqual(events, [
            { type: "contacts.changed", action, changed: 620, jobId: job.id },
            { type: "job.finished", jobId: job.id, kind: "contacts.change", state: "succeeded" }
          ])
          const { counts, progress } = yield* read(organization, job)
          assert.deepStrictEqual([counts, progress.done], [{ matched: 620, changed: 620 }, 620])

          const left = new Map((yield* everyone(organization)).map((contact) => [contact.id, contact]))
          for (const { id } of matching) {
            const contact = left.get(id)
            assert.isTrue(isDone(change, contact, tag.id))
            if (contact !== undefined) assert.strictEqual(contact.version, 2)
          }
          for (const contact of [...others, late]) assert.deepStrictEqual(left.get(contact.id), contact)
          const [first] = matching
          if (first === undefined) return assert.fail()
          assert.lengthOf(yield* ledgerOf(organization, first.id), action === "consent" ? 1 : 0)
          assert.deepStrictEqual(
            (yield* auditOf(organization)).filter((entry) => entry.action === "contacts.changed"),
            [{ action: "contacts.changed", target: job.id, before: null, after: { action } }]
          )
        }))
    }
  }

  test("counts changed and matched contacts, and continues after an error", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const tag = yield* givenTag(organization)
      yield* givenMany(organization, 600, { name: "Grace" })
      yield* givenMany(organization, 100, { name: "Grace", tags: [tag.id] })
      const job = yield* ask(organization, { action: "tag", tags: [tag.id] })
      let faults = 2
      const faulty = workOn((real) => ({
        ...real,
        list: (...args) => (faults-- > 0 ? Effect.die(new Error("connect ECONNREFUSED")) : real.list(...args))
      }))
      yield* faulty
      yield* TestClock.adjust("1 second")
      yield* faulty
      yield* TestClock.adjust("2 seconds")
      yield* faulty
      const { counts, state } = yield* read(organization, job)
      assert.deepStrictEqual([state, counts], ["succeeded", { matched: 700, changed: 600 }])
    }))

  test("means also whom was added in the millisecond before it began", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenContact(organization, { name: "Grace" })
      const job = yield* ask(organization, { action: "delete" })
      yield* workOn()
      assert.deepStrictEqual((yield* read(organization, job)).counts, { matched: 1, changed: 1 })
      assert.deepStrictEqual(
        (yield* everyone(organization)).filter((contact) => contact.id === id),
        []
      )
    }))

  test("publishes no event without a change", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const job = yield* ask(organization, { action: "delete" })
      const { audit, events } = yield* traced(organization, workOn())
      assert.deepStrictEqual(audit, [])
      assert.deepStrictEqual(events, [
        { type: "job.finished", jobId: job.id, kind: "contacts.change", state: "succeeded" }
      ])
    }))

  test("fails with a message if a resource of the filter is deleted, and keeps completed changes", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const tag = yield* givenTag(organization)
      const contact = yield* givenContact(organization, { tags: [tag.id] })
      const filter = { field: "tag", op: "any_of", value: [tag.id] }
      const asked = yield* changeContacts({ change: { action: "delete" }, target: { filter } }).pipe(inside)
      if (asked.kind !== "started") return assert.fail()
      yield* deleteTag({ id: tag.id, ifVersion: null }).pipe(inside)
      yield* workOn()
      const { error, state } = yield* read(organization, asked.job)
      assert.deepStrictEqual([state, error], ["failed", "A tag or segment of the filter was deleted."])
      assert.deepStrictEqual(
        (yield* everyone(organization)).map(({ id }) => id),
        [contact.id]
      )
      assert.strictEqual(
        yield* tagOf(changeContacts({ change: { action: "delete" }, target: { filter } })).pipe(inside),
        "NotFound"
      )
    }))
})
