import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus, idsOf, pointersOf, textAt } from "../harness/answers.ts"
import { added, addedId, as, idOf } from "../harness/crm.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenContact, givenTag, givenTenant } from "../harness/tenants.ts"

const emails = { field: "email", op: "is_set" }

const within = (segment: string) => ({ field: "segment", op: "in", value: segment })

/** Audiences with a name. */
export const segmentsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a segment is added, read, changed and deleted, and matches current data", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const filter = { all: [emails, { not: { field: "consent", op: "is", value: "unsubscribed" } }] }
        const created = yield* added(tenant, "/segments", { name: "Readers", filter })
        const now = textAt(created, "createdAt")
        assert.deepStrictEqual(created.body, {
          id: idOf(created),
          name: "Readers",
          filter,
          createdAt: now,
          updatedAt: now,
          version: 1
        })
        const path = `/segments/${idOf(created)}`
        assert.deepStrictEqual((yield* send("GET", path)).body, created.body)
        const members = Effect.map(send("GET", `/contacts?segment=${idOf(created)}`), idsOf)
        assert.deepStrictEqual(yield* members, [])
        const contact = yield* addedId(tenant, "/contacts", { email: "marie@curie.example" })
        assert.deepStrictEqual(yield* members, [contact])
        const changed = yield* send("PATCH", path, { filter: { field: "phone", op: "is_set" } })
        assert.deepStrictEqual([changed.body.name, changed.body.version], ["Readers", 2])
        assert.deepStrictEqual(yield* members, [])
        assertStatus(yield* send("DELETE", path, undefined, { "if-match": '"2"' }), 204)
        assertProblem(yield* send("GET", path), 404, "not_found")
      })
    )

    it.effect("names are unique regardless of case", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const id = yield* addedId(tenant, "/segments", { name: "Readers", filter: emails })
        const other = yield* addedId(tenant, "/segments", { name: "Callers", filter: emails })
        for (const taken of [
          yield* as(tenant)("POST", "/segments", { name: "READERS", filter: emails }),
          yield* as(tenant)("PATCH", `/segments/${other}`, { name: "readers" })
        ]) {
          assertProblem(taken, 409, "name_taken")
          assert.deepStrictEqual([taken.body.resource, taken.body.id], ["segment", id])
        }
      })
    )

    it.effect.each([
      {
        filter: { all: [emails, { field: "createdAt", op: "since", value: "soon" }] },
        pointers: ["/filter/all/1/value"]
      },
      {
        filter: {
          any: [{ field: "shoe" }, { not: { field: "blocked", op: "is", value: 1 } }, { all: [{ op: "is" }] }]
        },
        pointers: ["/filter/any/0/field", "/filter/any/1/not/value", "/filter/any/2/all/0"]
      },
      { filter: { field: "attribute", key: "nobody", op: "is", value: 1 }, pointers: ["/filter/key"] },
      { filter: { field: "tag", op: "any_of", value: [] }, pointers: ["/filter/value"] },
      { filter: { field: "email", op: "is_set", value: 1 }, pointers: ["/filter/value"] },
      { filter: { ...emails, surprise: 1 }, pointers: ["/filter/surprise"] },
      { filter: { all: Array.from({ length: 51 }, () => emails) }, pointers: ["/filter/all/50"] },
      { filter: [], pointers: ["/filter"] }
    ])("the filter $filter has errors at $pointers", ({ filter, pointers }) =>
      Effect.gen(function* () {
        const answer = yield* as(yield* givenTenant())("POST", "/segments", { name: "Faulty", filter })
        assertProblem(answer, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(answer), pointers)
      })
    )

    it.effect("unknown tags and segments are not found, with their places", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id } = yield* givenTag(tenant.organization)
        const unknown = yield* freshId
        for (const [filter, resource, pointer] of [
          [{ not: { field: "tag", op: "all_of", value: [id, unknown] } }, "tag", "/filter/not/value/1"],
          [{ any: [emails, within(unknown)] }, "segment", "/filter/any/1/value"]
        ] as const) {
          const answer = yield* as(tenant)("POST", "/segments", { name: "Faulty", filter })
          assertProblem(answer, 404, "not_found")
          assert.deepStrictEqual([answer.body.resource, answer.body.pointer], [resource, pointer])
        }
      })
    )

    it.effect("segments are made of segments, never of themselves, and not deleted while they are in use", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const inner = yield* addedId(tenant, "/segments", { name: "Readers", filter: emails })
        const outer = yield* addedId(tenant, "/segments", {
          name: "Others",
          filter: { not: within(inner) }
        })
        const { id } = yield* givenContact(tenant.organization)
        assert.deepStrictEqual(idsOf(yield* send("GET", `/contacts?segment=${outer}`)), [id])

        const circle = yield* send("PATCH", `/segments/${inner}`, { filter: { any: [emails, within(outer)] } })
        assertProblem(circle, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(circle), ["/filter/any/1/value"])
        const used = yield* send("DELETE", `/segments/${inner}`)
        assertProblem(used, 409, "segment_in_use")
        assert.deepStrictEqual(used.body.segmentIds, [outer])
        assertStatus(yield* send("PATCH", `/segments/${outer}`, { filter: emails }), 200)
        assertStatus(yield* send("DELETE", `/segments/${inner}`), 204)
      })
    )
  })
