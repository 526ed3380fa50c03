import { assert, layer } from "@effect/vitest"
import { createTag, eraseContact } from "@parley/domain/crm"
import { ActionEffects } from "@parley/domain/automation"
import { asOperatorOf, asOwnerOf, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { Effect } from "effect"
import { enabled, runsOf, settle } from "./engine.ts"

layer(TestKit.layer)("the effect of an action", (it) => {
  it.effect("is deleted with its contact, because it has the id of the contact", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const { id: tagId } = yield* createTag({ name: "VIP" }).pipe(asOwnerOf(organization))
      const automation = yield* enabled(organization, {
        when: { event: "contact.created" },
        then: [{ type: "tag", tagIds: [tagId] }]
      })
      const [erased, stays] = [yield* givenContact(organization), yield* givenContact(organization)]
      yield* settle(organization)
      const runs = yield* runsOf(organization, automation)
      assert.lengthOf(runs, 2)
      const effects = Effect.forEach(runs, ({ id: runId }) =>
        Effect.flatMap(ActionEffects, (port) => port.find({ runId, step: "0", visit: 1 }))
      ).pipe(
        asOperatorOf(organization),
        Effect.map((found) => found.flatMap((effect) => effect?.id ?? []).toSorted())
      )
      assert.deepStrictEqual(yield* effects, [erased.id, stays.id].toSorted())
      yield* eraseContact({ id: erased.id, ifVersion: null }).pipe(asOwnerOf(organization))
      assert.deepStrictEqual(yield* effects, [stays.id])
    })
  )
})
