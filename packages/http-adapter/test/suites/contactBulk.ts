import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, idsOf, pointersOf, rowsOf } from "../harness/answers.ts"
import { addedId, as, finished, givenContacts } from "../harness/crm.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenContact, givenTag, givenTenant } from "../harness/tenants.ts"

/** Many contacts changed directly or by a job. */
export const contactBulkSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("named contacts are changed directly, and unknown ones are reported", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const tag = yield* givenTag(tenant.organization)
        const [one, two] = yield* givenContacts(tenant.organization, 3)
        const tagged = yield* givenContact(tenant.organization, { tags: [tag.id] })
        const missing = yield* freshId
        const target = { ids: [one?.id, missing, two?.id, tagged.id] }
        const change = (what: object) => send("POST", "/contacts/bulk", { change: what, target })

        const tagging = yield* change({ action: "tag", tags: [tag.id] })
        assert.deepStrictEqual([tagging.status, tagging.body], [200, { matched: 3, changed: 2, missing: [missing] }])
        assert.lengthOf(idsOf(yield* send("GET", `/contacts?tag=${tag.id}`)), 3)
        assert.strictEqual((yield* send("GET", `/tags/${tag.id}`)).body.contactCount, 3)

        const marketing = { state: "subscribed", source: "fair", evidence: "The list of the fair." }
        const asked = yield* change({ action: "consent", marketing })
        assert.deepStrictEqual(asked.body, { matched: 3, changed: 3, missing: [missing] })
        const timeline = rowsOf(yield* send("GET", `/contacts/${one?.id}/timeline`))
        assert.deepStrictEqual(
          [at(timeline[0], "kind"), at(timeline[0], "state"), at(timeline[0], "source"), at(timeline[0], "evidence")],
          ["consent", "subscribed", "fair", "The list of the fair."]
        )
        const again = yield* change({ action: "consent", marketing: { state: "subscribed" } })
        assert.deepStrictEqual(again.body, { matched: 3, changed: 0, missing: [missing] })

        const untagging = yield* change({ action: "untag", tags: [tag.id] })
        assert.deepStrictEqual(untagging.body, { matched: 3, changed: 3, missing: [missing] })
        const deleting = yield* change({ action: "delete" })
        assert.deepStrictEqual(deleting.body, { matched: 3, changed: 3, missing: [missing] })
        assert.lengthOf(idsOf(yield* send("GET", "/contacts")), 1)
        assert.strictEqual((yield* send("GET", `/tags/${tag.id}`)).body.contactCount, 0)
      })
    )

    it.effect("all that a filter matches are changed by a job, to its end", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const tag = yield* givenTag(tenant.organization)
        yield* givenContacts(tenant.organization, 1_100)
        yield* TestClock.adjust("1 second")
        const spared = yield* addedId(tenant, "/contacts", { name: "Marie" })
        const change = (what: object) =>
          Effect.flatMap(
            send("POST", "/contacts/bulk", {
              change: what,
              target: { filter: { field: "name", op: "starts_with", value: "guest" } }
            }),
            (started) => finished(tenant, started)
          )
        const tagged = yield* change({ action: "tag", tags: [tag.id] })
        assert.deepStrictEqual(
          [tagged.body.kind, tagged.body.counts],
          ["contacts.change", { matched: 1100, changed: 1100 }]
        )
        assert.strictEqual((yield* send("GET", `/tags/${tag.id}`)).body.contactCount, 1_100)
        assert.deepStrictEqual((yield* send("GET", `/contacts/${spared}`)).body.tags, [])
        const removed = yield* change({ action: "delete" })
        assert.deepStrictEqual(removed.body.counts, { matched: 1100, changed: 1100 })
        assert.deepStrictEqual(idsOf(yield* send("GET", "/contacts")), [spared])
        assert.strictEqual((yield* send("GET", `/tags/${tag.id}`)).body.contactCount, 0)
      })
    )

    it.effect("a target is ids or a filter, and its errors are reported with their places", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id } = yield* givenContact(tenant.organization)
        const { id: tag } = yield* givenTag(tenant.organization)
        const unknown = yield* freshId
        const change = { action: "tag", tags: [tag] }
        const send = (body: unknown) => as(tenant)("POST", "/contacts/bulk", body)
        for (const [body, pointers] of [
          [{ change, target: {} }, ["/target"]],
          [{ change, target: { ids: [id], filter: {} } }, ["/target"]],
          [{ change, target: { ids: [] } }, ["/target/ids"]],
          [{ change, target: { ids: [id, id] } }, ["/target/ids"]],
          [{ change, target: { filter: { all: [{ field: "shoe" }] } } }, ["/target/filter/all/0/field"]],
          [{ change: { action: "tag", tags: [] }, target: { ids: [id] } }, ["/change/tags"]]
        ] as const) {
          const refused = yield* send(body)
          assertProblem(refused, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(refused), pointers)
        }
        const many = yield* Effect.forEach(Array.from({ length: 1_001 }), () => freshId)
        assert.deepStrictEqual(pointersOf(yield* send({ change, target: { ids: many } })), ["/target/ids"])
        assertStatus(yield* send({ change, target: { ids: many.slice(1) } }), 200)
        for (const [body, pointer] of [
          [{ change: { action: "untag", tags: [tag, unknown] }, target: { ids: [id] } }, "/change/tags/1"],
          [{ change, target: { filter: { field: "segment", op: "in", value: unknown } } }, "/target/filter/value"]
        ] as const) {
          const refused = yield* send(body)
          assertProblem(refused, 404, "not_found")
          assert.strictEqual(refused.body.pointer, pointer)
        }
        assert.isEmpty(idsOf(yield* as(tenant)("GET", "/jobs")))
      })
    )
  })
