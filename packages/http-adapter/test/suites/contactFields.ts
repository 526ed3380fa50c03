import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus, at, idsOf, pointersOf, rowsOf, textAt, whenNotBusy } from "../harness/answers.ts"
import { added, addedId, as, finished, idOf } from "../harness/crm.ts"
import { overHttp } from "../harness/service.ts"
import { givenContactField, givenTenant } from "../harness/tenants.ts"

/** The fields that an organization gives its contacts. */
export const contactFieldsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("GET /filter_fields describes own fields and custom fields", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        yield* added(tenant, "/contact_fields", { key: "size", name: "Size", type: "enum", choices: ["S", "L"] })
        const answer = yield* as(tenant)("GET", "/filter_fields")
        assertStatus(answer, 200)
        const rows = rowsOf(answer)
        assert.deepStrictEqual(
          rows.find((row) => at(row, "field") === "attribute"),
          {
            field: "attribute",
            key: "size",
            name: "Size",
            type: "choice",
            operators: [
              { op: "is", value: "one" },
              { op: "is_not", value: "one" },
              { op: "any_of", value: "list" },
              { op: "is_set", value: "none" },
              { op: "is_not_set", value: "none" }
            ],
            choices: ["S", "L"],
            resource: null,
            permission: "contacts.read"
          }
        )
        assert.includeMembers(
          rows.map((row) => at(row, "field")),
          ["tag", "consent", "segment", "spent", "broadcast", "conversationStatus"]
        )
      })
    )

    it.effect("a field is added, changed and listed", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const created = yield* added(tenant, "/contact_fields", {
          key: "size",
          name: "Size",
          type: "enum",
          choices: ["S", "L"]
        })
        const now = textAt(created, "createdAt")
        assert.deepStrictEqual(created.body, {
          id: idOf(created),
          key: "size",
          name: "Size",
          type: "enum",
          choices: ["S", "L"],
          status: "active",
          createdAt: now,
          updatedAt: now,
          version: 1
        })
        const path = `/contact_fields/${idOf(created)}`
        const contact = yield* addedId(tenant, "/contacts", { name: "Marie", attributes: { size: "S" } })
        const changed = yield* send("PATCH", path, { name: "Order", choices: ["M", "L"] })
        assert.deepStrictEqual(
          [changed.body.name, changed.body.choices, changed.body.version],
          ["Order", ["M", "L"], 2]
        )
        assert.deepStrictEqual((yield* send("GET", `/contacts/${contact}`)).body.attributes, { size: "S" })
        const refused = yield* send("PATCH", `/contacts/${contact}`, { attributes: { size: "S" } })
        assert.deepStrictEqual([refused.status, pointersOf(refused)], [400, ["/attributes/size"]])
        for (const field of ["key", "type", "status"]) {
          assert.deepStrictEqual(pointersOf(yield* send("PATCH", path, { [field]: "text" })), [`/${field}`])
        }
        assert.deepStrictEqual(idsOf(yield* send("GET", "/contact_fields")), [idOf(created)])
      })
    )

    it.effect.each([
      { body: { key: "Size", name: "Size", type: "text" }, pointers: ["/key"] },
      { body: { key: "1st", name: "Size", type: "text" }, pointers: ["/key"] },
      { body: { key: "x".repeat(41), name: "Size", type: "text" }, pointers: ["/key"] },
      { body: { key: "size", name: "", type: "text" }, pointers: ["/name"] },
      { body: { key: "size", name: "Size", type: "shoe" }, pointers: ["/type"] },
      { body: { key: "size", name: "Size", type: "enum" }, pointers: ["/choices"] },
      { body: { key: "size", name: "Size", type: "enum", choices: [] }, pointers: ["/choices"] },
      { body: { key: "size", name: "Size", type: "enum", choices: ["S", "S"] }, pointers: ["/choices"] },
      { body: { key: "size", name: "Size", type: "text", choices: ["S"] }, pointers: ["/choices"] }
    ])("$body is no field", ({ body, pointers }) =>
      Effect.gen(function* () {
        const answer = yield* as(yield* givenTenant())("POST", "/contact_fields", body)
        assertProblem(answer, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(answer), pointers)
      })
    )

    it.effect("keys are unique regardless of case", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const id = yield* addedId(tenant, "/contact_fields", { key: "birthday", name: "Birthday", type: "date" })
        for (const key of ["birthday", "birthDay"]) {
          const taken = yield* as(tenant)("POST", "/contact_fields", { key, name: "Other", type: "text" })
          assertProblem(taken, 409, "name_taken")
          assert.strictEqual(taken.body.id, id)
        }
      })
    )

    it.effect("an organization has at most 100 fields, also under concurrency", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        for (let index = 0; index < 97; index++) yield* givenContactField(tenant.organization)
        const answers = yield* Effect.forEach(
          Array.from({ length: 8 }, (_, index) => `late_${index}`),
          (key) => whenNotBusy(as(tenant)("POST", "/contact_fields", { key, name: "Late", type: "text" })),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [
          201,
          201,
          201,
          ...Array.from({ length: 5 }, () => 400)
        ])
      })
    )

    it.effect("deleting a field removes its values from every contact and blocks writes to it", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const field = yield* addedId(tenant, "/contact_fields", { key: "city", name: "City", type: "text" })
        yield* added(tenant, "/contact_fields", { key: "age", name: "Age", type: "number" })
        const contact = yield* addedId(tenant, "/contacts", { name: "Marie", attributes: { city: "Paris", age: 41 } })
        yield* added(tenant, "/contacts", { name: "Grace", attributes: { age: 40 } })

        assertProblem(
          yield* send("DELETE", `/contact_fields/${field}`, undefined, { "if-match": "7" }),
          412,
          "version_conflict"
        )
        const started = yield* send("DELETE", `/contact_fields/${field}`)
        assert.deepStrictEqual([started.status, started.body.kind], [202, "contact_fields.delete"])
        const late = yield* send("PATCH", `/contacts/${contact}`, { attributes: { city: "Rome" } })
        assert.deepStrictEqual([late.status, pointersOf(late)], [400, ["/attributes/city"]])
        assert.deepStrictEqual(pointersOf(yield* send("GET", "/contacts?attribute.city=Paris")), [
          "/query/attribute.city"
        ])
        assertProblem(yield* send("DELETE", `/contact_fields/${field}`), 404, "not_found")
        assertProblem(yield* send("PATCH", `/contact_fields/${field}`, { name: "Town" }), 404, "not_found")
        assertProblem(
          yield* send("POST", "/contact_fields", { key: "city", name: "City", type: "text" }),
          409,
          "name_taken"
        )

        const job = yield* finished(tenant, started)
        assert.deepStrictEqual(job.body.counts, { cleared: 1 })
        assert.deepStrictEqual((yield* send("GET", `/contacts/${contact}`)).body.attributes, { age: 41 })
        assert.lengthOf(idsOf(yield* send("GET", "/contact_fields")), 1)
        assertStatus(yield* send("POST", "/contact_fields", { key: "city", name: "City", type: "number" }), 201)
      })
    )
  })
