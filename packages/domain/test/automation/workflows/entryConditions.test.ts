import { assert, layer } from "@effect/vitest"
import { createTag, eraseContact, tagContact } from "@parley/domain/crm"
import { getWorkflowRun, type Graph } from "@parley/domain/automation"
import { asOwnerOf, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { Effect } from "effect"
import { end, lastRun, published, settle } from "./engine.ts"

type EntryConditions = NonNullable<NonNullable<Graph["entry"]>["if"]>

/** The run that a tag of a contact has started, through an entry with these conditions. */
const started = Effect.fnUntraced(function* (input: { readonly if?: EntryConditions }) {
  const organization = yield* givenOrganization({ plan: "scale" })
  const asOwner = asOwnerOf(organization)
  const { id: tagId } = yield* asOwner(createTag({ name: "begin" }))
  const workflow = yield* published(organization, {
    entry: { event: { event: "contact.tagged", tagIds: [tagId] }, ...input, next: end.id },
    nodes: [end]
  })
  const contact = yield* givenContact(organization, { name: "Ada" })
  yield* asOwner(tagContact({ id: contact.id, tags: [tagId] }))
  yield* settle(organization)
  const { id: runId } = yield* lastRun(organization, workflow)
  return { asOwner, contact, read: asOwner(getWorkflowRun({ id: workflow.id, runId })) }
})

layer(TestKit.layer)("a run of a workflow", (it) => {
  it.effect("has the conditions of its entry with the values at the start, until the contact is erased", () =>
    Effect.gen(function* () {
      const other = { field: "name", op: "is", value: "Bea" }
      const { asOwner, contact, read } = yield* started({ if: { any: [other, { ...other, value: "Ada" }] } })
      assert.deepStrictEqual((yield* read).conditions, {
        any: [
          { ...other, saw: "Ada", held: false },
          { ...other, value: "Ada", saw: "Ada", held: true }
        ],
        held: true
      })
      yield* asOwner(eraseContact({ id: contact.id, ifVersion: null }))
      assert.isNull((yield* read).conditions)
    })
  )

  it.effect.each([{}, { if: {} }])("has no conditions if its entry has none: %j", (input) =>
    Effect.gen(function* () {
      const { read } = yield* started(input)
      assert.isNull((yield* read).conditions)
    })
  )
})
