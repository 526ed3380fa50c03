import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, idsOf, pointersOf, rowsOf, textAt, whenNotBusy } from "../harness/answers.ts"
import { added, addedId, as, finished, idOf } from "../harness/crm.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenContact, givenTag, givenTenant } from "../harness/tenants.ts"

/** Tags, and their effect on tagged contacts. */
export const tagsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a tag is added, read, changed and deleted, and from then on no contact has it", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const created = yield* added(tenant, "/tags", { name: "Wholesale" })
        const now = textAt(created, "createdAt")
        assert.deepStrictEqual(created.body, {
          id: idOf(created),
          name: "Wholesale",
          color: "#8b949e",
          contactCount: 0,
          createdAt: now,
          updatedAt: now,
          version: 1
        })
        const path = `/tags/${idOf(created)}`
        assert.deepStrictEqual((yield* send("GET", path)).body, created.body)
        const contact = yield* addedId(tenant, "/contacts", { name: "Marie", tags: [idOf(created)] })

        yield* TestClock.adjust("1 second")
        const changed = yield* send("PATCH", path, { color: "#1f6feb" }, { "if-match": "1" })
        assert.deepStrictEqual(changed.body, {
          ...created.body,
          color: "#1f6feb",
          contactCount: 1,
          updatedAt: textAt(changed, "updatedAt"),
          version: 2
        })
        assertStatus(yield* send("DELETE", path), 204)
        assertProblem(yield* send("GET", path), 404, "not_found")
        assert.deepStrictEqual((yield* send("GET", `/contacts/${contact}`)).body.tags, [])
        assertProblem(yield* send("GET", `/contacts?tag=${idOf(created)}`), 404, "not_found")
        assertStatus(yield* send("POST", "/tags", { name: "wholesale" }), 201)
      })
    )

    it.effect("names are unique regardless of case", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const id = yield* addedId(tenant, "/tags", { name: "Größe" })
        const other = yield* addedId(tenant, "/tags", { name: "Other" })
        for (const taken of [
          yield* send("POST", "/tags", { name: "größe" }),
          yield* send("POST", "/tags", { name: "GRÖSSE".replace("SS", "ß") }),
          yield* send("PATCH", `/tags/${other}`, { name: "GRÖßE" })
        ]) {
          assertProblem(taken, 409, "name_taken")
          assert.deepStrictEqual([taken.body.resource, taken.body.id], ["tag", id])
        }
        assertStatus(yield* send("PATCH", `/tags/${id}`, { name: "GRÖßE" }), 200)
        const answers = yield* Effect.forEach(
          Array.from({ length: 10 }),
          () => whenNotBusy(send("POST", "/tags", { name: "At once" })),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [
          201,
          ...Array.from({ length: 9 }, () => 409)
        ])
      })
    )

    it.effect("are listed by name, and found by how the name begins", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        for (const name of ["beta", "Alpha", "Beta 2", "100%", "gamma"]) yield* added(tenant, "/tags", { name })
        const names = (query: string) =>
          Effect.map(as(tenant)("GET", `/tags${query}`), (answer) => rowsOf(answer).map((row) => at(row, "name")))
        assert.deepStrictEqual(yield* names(""), ["100%", "Alpha", "beta", "Beta 2", "gamma"])
        assert.deepStrictEqual(yield* names("?q=BET"), ["beta", "Beta 2"])
        assert.deepStrictEqual(yield* names("?q=eta"), [])
        assert.deepStrictEqual(yield* names("?q=%25"), [])
        assert.deepStrictEqual(yield* names("?q=100%25"), ["100%"])
      })
    )

    it.effect.each([
      { body: { name: "" }, pointer: "/name" },
      { body: { name: " x" }, pointer: "/name" },
      { body: { name: "x".repeat(81) }, pointer: "/name" },
      { body: { name: "x", color: "red" }, pointer: "/color" },
      { body: { name: "x", contactCount: 7 }, pointer: "/contactCount" }
    ])("$body is no tag", ({ body, pointer }) =>
      Effect.gen(function* () {
        const answer = yield* as(yield* givenTenant())("POST", "/tags", body)
        assertProblem(answer, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(answer), [pointer])
      })
    )

    it.effect("a tag merged into another goes over on every contact, once, and is gone", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const [from, into] = [yield* givenTag(tenant.organization), yield* givenTag(tenant.organization)]
        const one = yield* givenContact(tenant.organization, { tags: [from.id] })
        const both = yield* givenContact(tenant.organization, { tags: [from.id, into.id] })
        const neither = yield* givenContact(tenant.organization)
        const started = yield* send("POST", `/tags/${from.id}/merge`, { into: into.id })
        assert.deepStrictEqual([started.body.kind, started.body.state], ["tags.merge", "queued"])
        const job = yield* finished(tenant, started)
        assert.deepStrictEqual(job.body.counts, { moved: 2 })
        const tagsOf = (id: string) => Effect.map(send("GET", `/contacts/${id}`), ({ body }) => body.tags)
        assert.deepStrictEqual(
          [yield* tagsOf(one.id), yield* tagsOf(both.id), yield* tagsOf(neither.id)],
          [[into.id], [into.id], []]
        )
        assertProblem(yield* send("GET", `/tags/${from.id}`), 404, "not_found")
        assert.strictEqual((yield* send("GET", `/tags/${into.id}`)).body.contactCount, 2)
        assert.deepStrictEqual(idsOf(yield* send("GET", "/tags")), [into.id])
      })
    )

    it.effect("a tag is merged into another existing one", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { id } = yield* givenTag(tenant.organization)
        const self = yield* send("POST", `/tags/${id}/merge`, { into: id })
        assertProblem(self, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(self), ["/into"])
        const unknown = yield* send("POST", `/tags/${id}/merge`, { into: yield* freshId })
        assertProblem(unknown, 404, "not_found")
        assert.strictEqual(unknown.body.pointer, "/into")
        const gone = yield* send("POST", `/tags/${yield* freshId}/merge`, { into: id })
        assertProblem(gone, 404, "not_found")
        assert.isUndefined(gone.body.pointer)
        assert.isEmpty(idsOf(yield* send("GET", "/jobs")))
      })
    )
  })
