import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, idsOf, pointersOf, rowsOf, textAt, whenNotBusy } from "../harness/answers.ts"
import { added, as, givenContacts, idOf } from "../harness/crm.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenContact, givenContactField, givenMerge, givenTag, givenTenant } from "../harness/tenants.ts"

/** Two who are one person, and differ in everything. */
const givenPair = Effect.gen(function* () {
  const tenant = yield* givenTenant()
  const { organization } = tenant
  const [own, shared, other] = [
    yield* givenTag(organization),
    yield* givenTag(organization),
    yield* givenTag(organization)
  ]
  yield* givenContactField(organization, { key: "city" })
  yield* givenContactField(organization, { key: "age", type: "number" })
  const survivor = yield* added(tenant, "/contacts", {
    name: "Marie",
    phone: "+491701234567",
    attributes: { city: "Paris" },
    tags: [own.id, shared.id]
  })
  yield* TestClock.adjust("1 minute")
  const merged = yield* added(tenant, "/contacts", {
    name: "M. Curie",
    email: "marie@curie.example",
    identities: [{ kind: "chat_user", value: "u-7" }],
    locale: "fr-FR",
    timezone: "Europe/Paris",
    attributes: { city: "Warsaw", age: 41 },
    tags: [shared.id, other.id],
    marketing: { state: "subscribed", source: "form", evidence: "Ticked the box." }
  })
  yield* TestClock.adjust("1 minute")
  return { tenant, survivor, merged, tags: { own, shared, other } }
})

/** Contacts that turn out to be one, and then not. */
export const contactMergesSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a merge loses nothing, and an unmerge puts everything back where it was", () =>
      Effect.gen(function* () {
        const { merged, survivor, tags, tenant } = yield* givenPair
        const send = as(tenant)
        const path = `/contacts/${idOf(survivor)}`
        const kindsIn = (contact: string) =>
          Effect.map(send("GET", `/contacts/${contact}/timeline`), (answer) =>
            rowsOf(answer).map((row) => at(row, "kind"))
          )
        const consents = rowsOf(yield* send("GET", `/contacts/${idOf(merged)}/timeline`))

        const answer = yield* send("POST", `${path}/merge`, { contactId: idOf(merged) })
        assertStatus(answer, 200)
        const both = at(answer.body, "contact")
        assert.deepStrictEqual(both, {
          ...survivor.body,
          email: "marie@curie.example",
          identities: [
            ...(Array.isArray(survivor.body.identities) ? survivor.body.identities : []),
            ...(Array.isArray(merged.body.identities) ? merged.body.identities : [])
          ],
          locale: "fr-FR",
          timezone: "Europe/Paris",
          attributes: { age: 41, city: "Paris" },
          tags: [tags.own.id, tags.shared.id, tags.other.id].toSorted(),
          consent: merged.body.consent,
          updatedAt: textAt(answer, "contact", "updatedAt"),
          version: at(both, "version")
        })
        assert.deepStrictEqual((yield* send("GET", path)).body, both)
        assertProblem(yield* send("GET", `/contacts/${idOf(merged)}`), 404, "not_found")
        assert.deepStrictEqual(idsOf(yield* send("GET", "/contacts")), [idOf(survivor)])
        assert.deepStrictEqual(yield* kindsIn(idOf(survivor)), ["merged", "consent"])
        assert.deepStrictEqual(rowsOf(yield* send("GET", `${path}/timeline`)).slice(1), consents)
        assert.strictEqual((yield* send("GET", `/tags/${tags.shared.id}`)).body.contactCount, 1)
        const clash = yield* send("POST", "/contacts", { identities: [{ kind: "chat_user", value: "u-7" }] })
        assert.deepStrictEqual([clash.status, clash.body.contactId], [409, idOf(survivor)])

        yield* TestClock.adjust("1 minute")
        const unmerged = yield* send("POST", `${path}/unmerge`, { mergeId: textAt(answer, "mergeId") })
        assertStatus(unmerged, 200)
        const restored = at(unmerged.body, "restored")
        assert.deepStrictEqual(restored, {
          ...merged.body,
          updatedAt: textAt(unmerged, "restored", "updatedAt"),
          version: at(restored, "version")
        })
        const left = at(unmerged.body, "contact")
        assert.deepStrictEqual(left, {
          ...survivor.body,
          updatedAt: textAt(unmerged, "contact", "updatedAt"),
          version: at(left, "version")
        })
        assert.deepStrictEqual((yield* send("GET", path)).body, left)
        assert.deepStrictEqual((yield* send("GET", `/contacts/${idOf(merged)}`)).body, restored)
        assert.deepStrictEqual(yield* kindsIn(idOf(survivor)), ["unmerged", "merged"])
        assert.deepStrictEqual(rowsOf(yield* send("GET", `/contacts/${idOf(merged)}/timeline`)), consents)
        assert.strictEqual((yield* send("GET", `/tags/${tags.shared.id}`)).body.contactCount, 2)

        const again = yield* send("POST", `${path}/unmerge`, { mergeId: textAt(answer, "mergeId") })
        assertProblem(again, 409, "merge_undone")
      })
    )

    it.effect("changes after the merge stay with the survivor", () =>
      Effect.gen(function* () {
        const { merged, survivor, tenant } = yield* givenPair
        const send = as(tenant)
        const path = `/contacts/${idOf(survivor)}`
        const { body } = yield* send("POST", `${path}/merge`, { contactId: idOf(merged) })
        yield* TestClock.adjust("1 minute")
        yield* send("PATCH", path, {
          locale: "pl-PL",
          attributes: { city: "Sceaux" },
          addIdentities: [{ kind: "external", value: "later" }],
          marketing: { state: "unsubscribed", source: "phone" }
        })
        yield* TestClock.adjust("1 minute")
        const unmerged = yield* send("POST", `${path}/unmerge`, { mergeId: body.mergeId })
        const left = at(unmerged.body, "contact")
        assert.deepStrictEqual(
          [at(left, "locale"), at(left, "timezone"), at(left, "attributes"), at(left, "email")],
          ["pl-PL", null, { city: "Sceaux" }, null]
        )
        assert.deepStrictEqual(at(left, "consent", "marketing"), "unsubscribed")
        assert.strictEqual(at(left, "identities", 1, "value"), "later")
        // It is unknown which contact has unsubscribed, so both are unsubscribed.
        assert.deepStrictEqual(at(unmerged.body, "restored", "consent", "marketing"), "unsubscribed")
      })
    )

    it.effect.each([
      { one: "subscribed", other: "unsubscribed", both: "unsubscribed" },
      { one: "unsubscribed", other: "subscribed", both: "unsubscribed" },
      { one: "unknown", other: "subscribed", both: "subscribed" }
    ])("$one merged with $other is $both", ({ both, one, other }) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const input = (state: string) => (state === "unknown" ? {} : { marketing: { state } })
        const first = yield* added(tenant, "/contacts", { name: "Marie", ...input(one) })
        yield* TestClock.adjust("1 minute")
        const second = yield* added(tenant, "/contacts", { name: "M. Curie", ...input(other) })
        const answer = yield* as(tenant)("POST", `/contacts/${idOf(first)}/merge`, { contactId: idOf(second) })
        assert.strictEqual(at(answer.body, "contact", "consent", "marketing"), both)
      })
    )

    it.effect("a contact is merged with another existing one at the expected version", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { id } = yield* givenContact(tenant.organization)
        const { id: other } = yield* givenContact(tenant.organization)
        const unknown = yield* freshId
        const self = yield* send("POST", `/contacts/${id}/merge`, { contactId: id })
        assert.deepStrictEqual([self.status, pointersOf(self)], [400, ["/contactId"]])
        const missing = yield* send("POST", `/contacts/${id}/merge`, { contactId: unknown })
        assertProblem(missing, 404, "not_found")
        assert.strictEqual(missing.body.pointer, "/contactId")
        const gone = yield* send("POST", `/contacts/${unknown}/merge`, { contactId: id })
        assertProblem(gone, 404, "not_found")
        assert.isUndefined(gone.body.pointer)
        const stale = yield* send("POST", `/contacts/${id}/merge`, { contactId: other }, { "if-match": "9" })
        assertProblem(stale, 412, "version_conflict")
        assert.lengthOf(idsOf(yield* send("GET", "/contacts")), 2)
      })
    )

    it.effect("a merge belongs to its survivor", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { mergeId, survivor } = yield* givenMerge(tenant.organization)
        const { id } = yield* givenContact(tenant.organization)
        for (const [contact, merge] of [
          [id, mergeId],
          [survivor.id, yield* freshId]
        ]) {
          const refused = yield* send("POST", `/contacts/${contact}/unmerge`, { mergeId: merge })
          assertProblem(refused, 404, "not_found")
          assert.strictEqual(refused.body.pointer, "/mergeId")
        }
      })
    )

    it.effect("only the first of many concurrent merges of two contacts succeeds", () =>
      Effect.gen(function* () {
        const { merged, survivor, tenant } = yield* givenPair
        const answers = yield* Effect.forEach(
          Array.from({ length: 10 }),
          () => whenNotBusy(as(tenant)("POST", `/contacts/${idOf(survivor)}/merge`, { contactId: idOf(merged) })),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [
          200,
          ...Array.from({ length: 9 }, () => 404)
        ])
      })
    )

    it.effect("two are not unmerged where the plan has room for one", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("free")
        const { mergeId, survivor } = yield* givenMerge(tenant.organization)
        yield* givenContacts(tenant.organization, 999)
        const refused = yield* as(tenant)("POST", `/contacts/${survivor.id}/unmerge`, { mergeId })
        assertProblem(refused, 403, "plan_limit_reached")
      })
    )
  })
