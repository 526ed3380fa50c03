import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, idsOf, pointersOf, textAt, whenNotBusy } from "../harness/answers.ts"
import { added, addedId, as, givenContacts, idOf } from "../harness/crm.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenContact, givenContactField, givenTag, givenTenant } from "../harness/tenants.ts"

const byPhone = (phone: string) => `/contacts/by-phone/${encodeURIComponent(phone)}`

/** Spellings of one subscriber's number, the first as it is answered. */
const spellings: ReadonlyArray<{ readonly stored: string; readonly other: string }> = [
  { stored: "+491701234567", other: "+49 (0) 170 / 123-4567" },
  { stored: "+5511987654321", other: "+55 11 8765-4321" },
  { stored: "+5491123456789", other: "+54 11 2345-6789" },
  { stored: "+525512345678", other: "+52 1 55 1234 5678" },
  { stored: "+390612345678", other: "+39 06 1234 5678" }
]

/** Contacts: their identities and their changes. */
export const contactsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a contact is added, read, changed and deleted", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const [one, other] = [yield* givenTag(tenant.organization), yield* givenTag(tenant.organization)]
        const field = yield* givenContactField(tenant.organization)
        const created = yield* added(tenant, "/contacts", {
          name: "Marie Curie",
          phone: "+49 170 1234567",
          email: "Marie@Curie.Example",
          identities: [{ kind: "external", value: "crm-1867" }],
          locale: "fr-FR",
          timezone: "Europe/Paris",
          attributes: { [field.key]: "Paris" },
          tags: [other.id, one.id],
          marketing: { state: "subscribed", source: "form", evidence: "Ticked the box." }
        })
        const now = textAt(created, "createdAt")
        assert.deepStrictEqual(created.body, {
          id: idOf(created),
          name: "Marie Curie",
          phone: "+491701234567",
          email: "marie@curie.example",
          username: null,
          identities: [
            { kind: "phone", value: "+491701234567", source: "api", addedAt: now },
            { kind: "email", value: "marie@curie.example", source: "api", addedAt: now },
            { kind: "external", value: "crm-1867", source: "api", addedAt: now }
          ],
          locale: "fr-FR",
          timezone: "Europe/Paris",
          attributes: { [field.key]: "Paris" },
          tags: [one.id, other.id].toSorted(),
          consent: { marketing: "subscribed", source: "form", changedAt: now },
          blockedAt: null,
          lastSeenAt: null,
          lastInboundAt: null,
          createdAt: now,
          updatedAt: now,
          version: 1
        })
        const path = `/contacts/${idOf(created)}`
        assert.deepStrictEqual((yield* send("GET", path)).body, created.body)

        yield* TestClock.adjust("1 second")
        const changed = yield* send("PATCH", path, { name: null, locale: null, attributes: { [field.key]: null } })
        assertStatus(changed, 200)
        assert.deepStrictEqual(changed.body, {
          ...created.body,
          name: null,
          locale: null,
          attributes: {},
          updatedAt: textAt(changed, "updatedAt"),
          version: 2
        })
        assert.notStrictEqual(textAt(changed, "updatedAt"), now)
        const same = yield* send("PATCH", path, { name: null, timezone: "Europe/Paris" })
        assert.deepStrictEqual(same.body, changed.body)

        assertStatus(yield* send("DELETE", path), 204)
        assertProblem(yield* send("GET", path), 404, "not_found")
        assertProblem(yield* send("PATCH", path, { name: "Back" }), 404, "not_found")
        assert.isEmpty(idsOf(yield* send("GET", "/contacts")))
        assertStatus(yield* send("POST", "/contacts", { phone: "+491701234567" }), 201)
      })
    )

    it.effect("a contact may be a name alone or an identity alone, not nothing at all", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        for (const body of [{}, { name: null }, { locale: "en" }, { identities: [] }, { phone: null, email: null }]) {
          const refused = yield* send("POST", "/contacts", body)
          assertProblem(refused, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(refused), [""])
        }
        const id = yield* addedId(tenant, "/contacts", { identities: [{ kind: "chat_user", value: "u-1" }] })
        const bare = yield* send("PATCH", `/contacts/${id}`, {
          removeIdentities: [{ kind: "chat_user", value: "u-1" }]
        })
        assertProblem(bare, 400, "validation_failed")
        assertStatus(
          yield* send("PATCH", `/contacts/${id}`, {
            name: "Grace",
            removeIdentities: [{ kind: "chat_user", value: "u-1" }]
          }),
          200
        )
      })
    )

    it.effect.each([
      { kind: "phone", first: { phone: "+491701234567" }, second: { phone: "+49 170 123 45 67" } },
      { kind: "email", first: { email: "marie@curie.example" }, second: { email: "MARIE@curie.example" } },
      ...["chat_user", "store_customer", "external"].map((kind) => ({
        kind,
        first: { identities: [{ kind, value: "x-1" }] },
        second: { identities: [{ kind, value: "x-1" }] }
      }))
    ])("no two contacts have the same $kind, and a clash names the other", ({ first, kind, second }) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const id = yield* addedId(tenant, "/contacts", first)
        const clash = yield* send("POST", "/contacts", second)
        assertProblem(clash, 409, "contact_exists")
        assert.deepStrictEqual([clash.body.contactId, clash.body.kind], [id, kind])

        const other = yield* addedId(tenant, "/contacts", { name: "Somebody" })
        const patch = "identities" in second ? { addIdentities: second.identities } : second
        const taken = yield* send("PATCH", `/contacts/${other}`, patch)
        assertProblem(taken, 409, "contact_exists")
        assert.deepStrictEqual([taken.body.contactId, taken.body.kind], [id, kind])
        assert.strictEqual((yield* send("GET", `/contacts/${other}`)).body.version, 1)

        const elsewhere = yield* givenTenant()
        assertStatus(yield* as(elsewhere)("POST", "/contacts", second), 201)
      })
    )

    it.effect("an identity of one kind is none of another", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        for (const kind of ["chat_user", "store_customer", "external"]) {
          yield* added(tenant, "/contacts", { identities: [{ kind, value: "same" }] })
        }
      })
    )

    it.effect.each(spellings)("$other is $stored", ({ other, stored }) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const created = yield* added(tenant, "/contacts", { phone: stored })
        assert.strictEqual(created.body.phone, stored)
        const clash = yield* as(tenant)("POST", "/contacts", { phone: other })
        assertProblem(clash, 409, "contact_exists")
        assert.strictEqual(clash.body.contactId, idOf(created))
        const known = yield* as(tenant)("PUT", byPhone(other), { name: "Same" })
        assert.deepStrictEqual([known.status, idOf(known), known.body.name], [200, idOf(created), "Same"])
      })
    )

    it.effect.each([
      "0170 1234567",
      "+49",
      "+999 1234567",
      "+49 170 1234567 ext 3",
      "call me",
      "",
      "+4917012345678901"
    ])("%j is no phone number", (phone) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const created = yield* as(tenant)("POST", "/contacts", { phone })
        assertProblem(created, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(created), ["/phone"])
        if (phone === "") return
        const put = yield* as(tenant)("PUT", byPhone(phone), { name: "Marie" })
        assertProblem(put, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(put), ["/path/phone"])
      })
    )

    it.effect("every error of a contact is reported with its place", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const faulty = yield* send("POST", "/contacts", {
          name: " Marie",
          phone: "1",
          email: "nobody",
          identities: [
            { kind: "external", value: "x" },
            { kind: "pigeon", value: "y" }
          ],
          timezone: "Mars/Olympus",
          tags: ["x"],
          marketing: { state: "perhaps" },
          surprise: 1
        })
        assertProblem(faulty, 400, "validation_failed")
        assert.includeMembers(
          [...pointersOf(faulty)],
          ["/email", "/identities/1/kind", "/marketing/state", "/name", "/phone", "/surprise", "/tags/0", "/timezone"]
        )

        yield* givenContactField(tenant.organization, { key: "age", type: "number" })
        yield* givenContactField(tenant.organization, { key: "vip", type: "boolean" })
        yield* givenContactField(tenant.organization, { key: "birthday", type: "date" })
        yield* givenContactField(tenant.organization, { key: "size", type: "enum", choices: ["S", "L"] })
        const attributes = { age: "old", birthday: "2026-02-30", nobody: "x", size: "XL", vip: "yes" }
        const unknown = yield* send("POST", "/contacts", { name: "Marie", attributes })
        assertProblem(unknown, 400, "validation_failed")
        const pointers = ["age", "birthday", "nobody", "size", "vip"].map((key) => `/attributes/${key}`)
        assert.deepStrictEqual(pointersOf(unknown), pointers)
        const { id } = yield* givenContact(tenant.organization)
        assert.deepStrictEqual(pointersOf(yield* send("PATCH", `/contacts/${id}`, { attributes })), pointers)
        assert.deepStrictEqual(pointersOf(yield* send("PUT", byPhone("+491701234567"), { attributes })), pointers)
        const right = { age: 41.5, birthday: "1867-11-07", size: "L", vip: true }
        const answer = yield* send("PATCH", `/contacts/${id}`, { attributes: right })
        assert.deepStrictEqual(answer.body.attributes, right)
      })
    )

    it.effect("an unknown tag is not found, with its place", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { id: known } = yield* givenTag(tenant.organization)
        const { id } = yield* givenContact(tenant.organization)
        const tags = [known, yield* freshId]
        const refusals = [
          yield* send("POST", "/contacts", { name: "Marie", tags }),
          yield* send("PUT", byPhone("+491701234567"), { tags }),
          yield* send("POST", `/contacts/${id}/tags`, { tags })
        ]
        for (const refused of refusals) {
          assertProblem(refused, 404, "not_found")
          assert.deepStrictEqual([refused.body.resource, refused.body.pointer], ["tag", "/tags/1"])
        }
        const untagged = yield* send("DELETE", `/contacts/${id}/tags?${tags.map((tag) => `tag=${tag}`).join("&")}`)
        assertProblem(untagged, 404, "not_found")
        assert.strictEqual(untagged.body.pointer, "/query/tag/1")
        const twice = yield* send("POST", `/contacts/${id}/tags`, { tags: [known, known] })
        assert.deepStrictEqual([twice.status, pointersOf(twice)], [400, ["/tags"]])
        assert.deepStrictEqual(pointersOf(yield* send("POST", `/contacts/${id}/tags`, { tags: [] })), ["/tags"])
        assert.deepStrictEqual(pointersOf(yield* send("DELETE", `/contacts/${id}/tags`)), ["/query/tag"])
        assert.isEmpty(at(yield* send("GET", `/contacts/${id}`), "body", "tags"))
      })
    )

    it.effect("tags are put on and taken off, and counted", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const [one, other] = [yield* givenTag(tenant.organization), yield* givenTag(tenant.organization)]
        const { id } = yield* givenContact(tenant.organization)
        const counts = Effect.map(
          Effect.all([send("GET", `/tags/${one.id}`), send("GET", `/tags/${other.id}`)]),
          (answers) => answers.map(({ body }) => body.contactCount)
        )
        const tagged = yield* send("POST", `/contacts/${id}/tags`, { tags: [one.id, other.id] })
        assert.deepStrictEqual(
          [tagged.status, tagged.body.tags, tagged.body.version],
          [200, [one.id, other.id].toSorted(), 2]
        )
        assert.deepStrictEqual((yield* send("POST", `/contacts/${id}/tags`, { tags: [one.id] })).body, tagged.body)
        assert.deepStrictEqual(yield* counts, [1, 1])
        const untagged = yield* send("DELETE", `/contacts/${id}/tags?tag=${one.id}`)
        assert.deepStrictEqual([untagged.status, untagged.body.tags, untagged.body.version], [200, [other.id], 3])
        assert.deepStrictEqual(yield* counts, [0, 1])
        yield* send("DELETE", `/contacts/${id}`)
        assert.deepStrictEqual(yield* counts, [0, 0])
      })
    )

    it.effect("by its phone number a contact is added when new and changed when known", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const [one, other] = [yield* givenTag(tenant.organization), yield* givenTag(tenant.organization)]
        const created = yield* send("PUT", byPhone("+49 170 1234567"), { name: "Marie", tags: [one.id] })
        assertStatus(created, 201)
        assert.deepStrictEqual([created.body.phone, created.body.tags], ["+491701234567", [one.id]])
        const changed = yield* send("PUT", byPhone("+491701234567"), { email: "marie@curie.example", tags: [other.id] })
        assertStatus(changed, 200)
        assert.deepStrictEqual(
          [idOf(changed), changed.body.name, changed.body.email, changed.body.tags],
          [idOf(created), "Marie", "marie@curie.example", [one.id, other.id].toSorted()]
        )
        const same = yield* send("PUT", byPhone("+491701234567"), {})
        assert.deepStrictEqual([same.status, same.body], [200, changed.body])

        const foreign = yield* send("PUT", byPhone("+491709999999"), { email: "marie@curie.example" })
        assertProblem(foreign, 409, "contact_exists")
        assert.deepStrictEqual([foreign.body.contactId, foreign.body.kind], [idOf(created), "email"])
        assert.lengthOf(idsOf(yield* send("GET", "/contacts")), 1)
        assertProblem(
          yield* send("PUT", byPhone("+491701234567"), { phone: "+491701111111" }),
          400,
          "validation_failed"
        )
      })
    )

    it.effect("50 concurrent messages from one phone number make one contact", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const answers = yield* Effect.forEach(
          Array.from({ length: 50 }, (_, index) => index),
          (index) =>
            whenNotBusy(
              send("PUT", byPhone(index % 2 === 0 ? "+5511987654321" : "+55 11 8765-4321"), { name: `Guest ${index}` })
            ),
          { concurrency: "unbounded" }
        )
        const statuses = answers.map(({ status }) => status).toSorted((one, other) => other - one)
        assert.deepStrictEqual(statuses, [201, ...Array.from({ length: 49 }, () => 200)])
        assert.strictEqual(new Set(answers.map(idOf)).size, 1)
        const [contact, ...others] = idsOf(yield* send("GET", "/contacts"))
        assert.deepStrictEqual([contact, others], [idOf(answers[0] ?? assert.fail("Nobody answered.")), []])
      })
    )

    it.effect("only the first of 20 concurrent requests for the same person succeeds", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const answers = yield* Effect.forEach(
          Array.from({ length: 20 }),
          () => whenNotBusy(as(tenant)("POST", "/contacts", { email: "marie@curie.example" })),
          { concurrency: "unbounded" }
        )
        const [winner, ...others] = answers.toSorted((one, other) => one.status - other.status)
        assert.strictEqual(winner?.status, 201)
        for (const other of others) {
          assertProblem(other, 409, "contact_exists")
          assert.strictEqual(other.body.contactId, winner?.body.id)
        }
      })
    )

    it.effect("the first phone number and e-mail address of a contact follow its identities", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const id = yield* addedId(tenant, "/contacts", { phone: "+491701234567" })
        const more = yield* send("PATCH", `/contacts/${id}`, {
          addIdentities: [
            { kind: "phone", value: "+49 170 7654321" },
            { kind: "email", value: "marie@curie.example" }
          ]
        })
        assert.deepStrictEqual([more.body.phone, more.body.email], ["+491701234567", "marie@curie.example"])
        const fewer = yield* send("PATCH", `/contacts/${id}`, {
          removeIdentities: [{ kind: "phone", value: "+491701234567" }]
        })
        assert.strictEqual(fewer.body.phone, "+491707654321")
        const another = yield* send("PATCH", `/contacts/${id}`, { phone: null, email: "m@curie.example" })
        assert.deepStrictEqual([another.body.phone, another.body.email], [null, "m@curie.example"])
        assertStatus(yield* send("POST", "/contacts", { phone: "+491701234567", email: "marie@curie.example" }), 201)
      })
    )

    it.effect("a contact is blocked and unblocked, once each, with timeline entries", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { id } = yield* givenContact(tenant.organization)
        const blocked = yield* send("PATCH", `/contacts/${id}`, { blocked: true })
        assert.isString(blocked.body.blockedAt)
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual((yield* send("PATCH", `/contacts/${id}`, { blocked: true })).body, blocked.body)
        const filter = encodeURIComponent(JSON.stringify({ field: "blocked", op: "is", value: true }))
        assert.deepStrictEqual(idsOf(yield* send("GET", `/contacts?filter=${filter}`)), [id])
        const unblocked = yield* send("PATCH", `/contacts/${id}`, { blocked: false })
        assert.isNull(unblocked.body.blockedAt)
        const timeline = yield* send("GET", `/contacts/${id}/timeline`)
        const kinds = Array.isArray(timeline.body.data) ? timeline.body.data.map((entry) => at(entry, "kind")) : []
        assert.deepStrictEqual(kinds, ["unblocked", "blocked"])
      })
    )

    it.effect("the free plan has room for 1000 contacts, also under concurrency", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("free")
        const send = as(tenant)
        yield* givenContacts(tenant.organization, 997)
        const answers = yield* Effect.forEach(
          Array.from({ length: 12 }, (_, index) => index),
          (index) =>
            whenNotBusy(
              index % 2 === 0
                ? send("POST", "/contacts", { name: `Late guest ${index}` })
                : send("PUT", byPhone(`+4917012345${10 + index}`), {})
            ),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          answers.filter(({ status }) => status === 201),
          3
        )
        for (const refused of answers.filter(({ status }) => status !== 201)) {
          assertProblem(refused, 403, "plan_limit_reached")
          const { current, limit, max } = refused.body
          assert.deepStrictEqual({ current, limit, max }, { current: 1000, limit: "contacts", max: 1000 })
        }
        const [last] = idsOf(yield* send("GET", "/contacts?limit=1"))
        assertStatus(yield* send("PATCH", `/contacts/${last}`, { name: "Still here" }), 200)
        assertStatus(yield* send("DELETE", `/contacts/${last}`), 204)
        assertStatus(yield* send("POST", "/contacts", { name: "In the room that became free" }), 201)
        assertProblem(yield* send("POST", "/contacts", { name: "Too late" }), 403, "plan_limit_reached")
      })
    )
  })
