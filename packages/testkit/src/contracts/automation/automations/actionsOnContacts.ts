import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Contact, ContactHistory, Contacts } from "@parley/domain/crm"
import type { Action } from "@parley/domain/automation"
import type { Ports } from "@parley/domain/composition"
import { Effect } from "effect"
import { asOperatorOf } from "../../../fixtures/actors.ts"
import type { Contract } from "../../contract.ts"
import { contactNow, effectOf, given, morning, perform, errorOf } from "./actionWorld.ts"

/** Changes of names and consents. */
export const actionsOnContactsPromises: Contract<Ports>["promises"] = (it) => {
  it.effect("sets the name, and the consent with its proof and its run, but ends no opt-out of the person", () =>
    Effect.gen(function* () {
      const world = yield* given
      const { cause, contact, organization } = world
      const own = { kind: "contact", id: contact.id } as const
      const naming: Action = { type: "set_name", name: "{{ contact.firstName }} of {{ contact.attribute.city }}" }
      assert.deepStrictEqual(effectOf(yield* perform(world, naming)), own)
      assert.strictEqual((yield* contactNow(world)).name, "Ada of London")
      assert.isNull(effectOf(yield* perform(world, naming)))
      assert.deepStrictEqual(effectOf(yield* perform(world, { type: "set_name", name: null })), own)
      const consents = Effect.flatMap(ContactHistory, (history) =>
        history.consents(contact.id, { after: null, limit: 10 })
      ).pipe(asOperatorOf(organization))
      const before = yield* consents
      const leaving: Action = { type: "set_consent", state: "unsubscribed", evidence: "No: {{ order.name }}" }
      assert.deepStrictEqual(effectOf(yield* perform(world, leaving)), own)
      const joining: Action = { ...leaving, state: "subscribed", source: "form {{ order.name }}", evidence: "Yes" }
      assert.deepStrictEqual(
        effectOf(yield* perform({ ...world, cause: { ...cause, kind: "workflow" } }, joining)),
        own
      )
      const added = (yield* consents).slice(0, -before.length)
      const by = { runId: cause.runId, at: morning, contactId: contact.id }
      assert.deepStrictEqual(
        added.map(({ actor, at, contactId, evidence, runId, source, state }) => [
          { state, source, evidence, actor },
          { runId, at, contactId }
        ]),
        [
          [
            { state: "subscribed", source: "form #1001", evidence: "Yes", actor: { kind: "workflow", id: cause.id } },
            by
          ],
          [
            {
              state: "unsubscribed",
              source: "automation",
              evidence: "No: #1001",
              actor: { kind: "automation", id: cause.id }
            },
            by
          ]
        ]
      )
      const stopped = { marketing: "unsubscribed", source: "chat_keyword", changedAt: morning } as const
      const now = yield* contactNow(world)
      yield* transact(
        Effect.flatMap(Contacts, (contacts) => contacts.saveAll([new Contact({ ...now, consent: stopped })]))
      ).pipe(asOperatorOf(organization), Effect.orDie)
      const refused = errorOf(yield* perform(world, joining))
      assert.strictEqual(refused?.code, "contact_opted_out")
      assert.notInclude(refused?.detail ?? "", "`marketing`")
      assert.deepStrictEqual((yield* contactNow(world)).consent, stopped)
    })
  )
}
