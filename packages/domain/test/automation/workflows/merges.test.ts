import { assert, layer } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import { createTag, getContact, mergeContacts, tagContact, type TagId, unmergeContacts } from "@parley/domain/crm"
import { type Graph, laneOf, advanceRuns, type WorkflowNode, ContactWorkflowRuns } from "@parley/domain/automation"
import { asOperatorOf, asOwnerOf, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { end, explained, id, lastRun, published, runsOf, settle } from "./engine.ts"

const givenTag = (organization: Organization, name: string) =>
  Effect.map(createTag({ name }).pipe(asOwnerOf(organization)), ({ id: tagId }) => tagId)

const onTag = (tagId: TagId) => ({ event: "contact.tagged" as const, tagIds: [tagId] })

const graph = (begin: TagId, nodes: ReadonlyArray<WorkflowNode>): Graph => ({
  entry: { event: onTag(begin), next: nodes[0]?.id ?? end.id },
  nodes: [...nodes, end]
})

const adds = (tagId: TagId): WorkflowNode => ({
  id: id("adds"),
  kind: "action",
  action: { type: "tag", tagIds: [tagId] },
  next: end.id
})

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const [begin, answer, done] = yield* Effect.all([
    givenTag(organization, "begin"),
    givenTag(organization, "answer"),
    givenTag(organization, "done")
  ])
  const [part, whole] = [yield* givenContact(organization), yield* givenContact(organization)]
  const tag = (contact: { readonly id: typeof part.id }, tagId: TagId) =>
    tagContact({ id: contact.id, tags: [tagId] }).pipe(asOwnerOf(organization))
  const merge = Effect.map(
    mergeContacts({ id: whole.id, contactId: part.id, ifVersion: null }).pipe(asOwnerOf(organization)),
    ({ mergeId }) => mergeId
  )
  const tagsOfWhole = Effect.map(getContact({ id: whole.id }).pipe(asOwnerOf(organization)), ({ tags }) => [...tags])
  return { organization, begin, answer, done, part, whole, tag, merge, tagsOfWhole }
})

layer(TestKit.layer)("runs of workflows of contacts that are merged", (it) => {
  it.effect("start for the surviving contact with events from before the merge that are read later", () =>
    Effect.gen(function* () {
      const { answer, begin, done, merge, organization, part, tag, tagsOfWhole, whole } = yield* given
      const waits: WorkflowNode = {
        id: id("waits"),
        kind: "wait_for",
        event: onTag(answer),
        timeoutSeconds: 3_600,
        next: id("adds"),
        timeout: end.id
      }
      const workflow = yield* published(organization, graph(begin, [waits, adds(done)]))
      yield* tag(whole, begin)
      yield* settle(organization)
      const run = yield* lastRun(organization, workflow)
      const other = yield* published(organization, graph(answer, [{ ...adds(begin), id: id("n1") }]))
      yield* tag(part, answer)
      yield* merge
      yield* settle(organization)
      assert.strictEqual((yield* explained(organization, workflow, run)).state, "completed")
      assert.include(yield* tagsOfWhole, done)
      assert.deepStrictEqual(
        (yield* runsOf(organization, other)).map(({ contactId, state }) => [contactId, state]),
        [[whole.id, "completed"]]
      )
    })
  )

  it.effect("follow a contact who was merged while they began", () =>
    Effect.gen(function* () {
      const { begin, done, merge, organization, part, tag, tagsOfWhole, whole } = yield* given
      const waits: WorkflowNode = { id: id("waits"), kind: "wait", seconds: 600, next: id("adds") }
      const workflow = yield* published(organization, graph(begin, [waits, adds(done)]))
      yield* tag(part, begin)
      yield* settle(organization)
      const run = yield* lastRun(organization, workflow)
      const mergeId = yield* merge
      // The state if the merge missed a run that started concurrently.
      const unseen = Effect.flatMap(ContactWorkflowRuns, (runs) =>
        runs.handBack({ from: whole.id, to: part.id, mergeId, later: [] }, laneOf(part.id))
      )
      yield* transact(unseen).pipe(asOperatorOf(organization))
      yield* TestClock.adjust("10 minutes")
      yield* tag(whole, begin)
      yield* settle(organization)
      yield* advanceRuns
      const after = yield* explained(organization, workflow, run)
      assert.deepStrictEqual([after.state, after.contactId], ["completed", whole.id])
      assert.include(yield* tagsOfWhole, done)
    })
  )

  it.effect("of both contacts in one workflow become one, the older, which alone goes back with its contact", () =>
    Effect.gen(function* () {
      for (const older of ["part", "whole"] as const) {
        const { begin, done, merge, organization, part, tag, tagsOfWhole, whole } = yield* given
        const waits: WorkflowNode = { id: id("waits"), kind: "wait", seconds: 600, next: id("adds") }
        const workflow = yield* published(organization, graph(begin, [waits, adds(done)]))
        const inOrder = older === "part" ? [part, whole] : [whole, part]
        for (const contact of inOrder) {
          yield* tag(contact, begin)
          yield* settle(organization)
          yield* TestClock.adjust("1 minute")
        }
        const mergeId = yield* merge
        const runs = Effect.map(runsOf(organization, workflow), (all) =>
          all.map(({ contactId, key, reason, state }) => [reason ?? state, contactId === key && contactId])
        )
        assert.deepStrictEqual(yield* runs, [
          ["merged", whole.id],
          ["waiting", whole.id]
        ])
        yield* unmergeContacts({ id: whole.id, mergeId, ifVersion: null }).pipe(asOwnerOf(organization))
        // Finished runs stay; only live runs return.
        const back = older === "part" ? part.id : whole.id
        assert.deepStrictEqual(yield* runs, [
          ["merged", whole.id],
          ["waiting", back]
        ])
        yield* TestClock.adjust("10 minutes")
        yield* settle(organization)
        assert.deepStrictEqual((yield* runs).at(-1), ["completed", back])
        assert.strictEqual((yield* tagsOfWhole).includes(done), older === "whole")
      }
    })
  )

  it.effect("stay with the whole once they have ended there, and may come again as its reentry says", () =>
    Effect.gen(function* () {
      const { begin, done, merge, organization, part, tag, tagsOfWhole, whole } = yield* given
      const waits: WorkflowNode = { id: id("waits"), kind: "wait", seconds: 600, next: id("adds") }
      const input = graph(begin, [waits, adds(done)])
      const once = yield* published(organization, {
        ...input,
        entry: { event: onTag(begin), reentry: "never", next: waits.id }
      })
      yield* tag(part, begin)
      yield* settle(organization)
      const mergeId = yield* merge
      yield* TestClock.adjust("10 minutes")
      yield* settle(organization)
      assert.include(yield* tagsOfWhole, done)
      yield* unmergeContacts({ id: whole.id, mergeId, ifVersion: null }).pipe(asOwnerOf(organization))
      const [run] = yield* runsOf(organization, once)
      assert.deepStrictEqual([run?.state, run?.contactId], ["completed", whole.id])
    })
  )
})
