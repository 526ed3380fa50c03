import { assert, layer } from "@effect/vitest"
import { CurrentActor, type Permission } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import {
  type ContactId,
  type Contact,
  createTag,
  eraseContact,
  mergeContacts,
  tagContact,
  type TagId,
  unmergeContacts
} from "@parley/domain/crm"
import {
  createAutomation,
  enableAutomation,
  type Graph,
  listContactRuns,
  type NewAutomation
} from "@parley/domain/automation"
import { listEvents, readTimeline } from "@parley/domain/composition"
import { asOwnerOf, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { changed, end, id, lastRun, published, settle } from "./engine.ts"

const firstPage = { limit: 100, cursor: null }

const givenTag = (organization: Organization, name: string) =>
  Effect.map(createTag({ name }).pipe(asOwnerOf(organization)), ({ id: tagId }) => tagId)

const onTag = (tagId: TagId) => ({ event: "contact.tagged" as const, tagIds: [tagId] })

const enabled = Effect.fnUntraced(function* (organization: Organization, input: NewAutomation) {
  const automation = yield* createAutomation(input).pipe(asOwnerOf(organization))
  return yield* enableAutomation({ id: automation.id, ifVersion: null }).pipe(asOwnerOf(organization))
})

const listed = (organization: Organization, contactId: ContactId) =>
  Effect.map(listContactRuns({ id: contactId, page: firstPage }).pipe(asOwnerOf(organization)), ({ data }) => data)

/** A member of the organization with only these permissions. */
const withPermissions = (organization: Organization, ...permissions: ReadonlyArray<Permission>) => {
  const provide = asOwnerOf(organization)
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    provide(
      Effect.provideService(effect, CurrentActor, {
        kind: "delegate",
        for: { kind: "token", id: "narrow" },
        permissions: new Set(permissions)
      })
    )
}

/** A contact whose tag has started an automation, a workflow, and an automation whose condition does not hold. */
const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const [begin, added] = [yield* givenTag(organization, "begin"), yield* givenTag(organization, "added")]
  const contact = yield* givenContact(organization)
  const then = [{ type: "tag" as const, tagIds: [added] as const }]
  const automation = yield* enabled(organization, { name: "Greet", when: onTag(begin), if: {}, then })
  yield* enabled(organization, {
    name: "Never",
    when: onTag(begin),
    if: { field: "tag", op: "none_of", value: [begin] },
    then
  })
  const graph: Graph = {
    entry: { event: onTag(begin), next: id("wait") },
    goals: [{ id: id("bought"), event: onTag(added), if: { field: "tag", op: "any_of", value: [added] } }],
    nodes: [{ id: id("wait"), kind: "wait", seconds: 3_600, next: end.id }, end]
  }
  const workflow = yield* published(organization, graph)
  const tag = (tagId: TagId, { id: contactId }: Pick<Contact, "id"> = contact) =>
    tagContact({ id: contactId, tags: [tagId] }).pipe(asOwnerOf(organization))
  return { organization, begin, added, contact, automation, workflow, tag }
})

layer(TestKit.layer)("runs for a contact", (it) => {
  it.effect("list automations and workflows with their start and their results, without skipped runs", () =>
    Effect.gen(function* () {
      const { automation, begin, contact, organization, tag, workflow } = yield* given
      yield* tag(begin)
      yield* settle(organization, 2)
      const runs = yield* listed(organization, contact.id)
      assert.sameMembers(
        runs.map(({ kind, name }) => `${kind} ${name}`),
        [`automation ${automation.name}`, `workflow ${workflow.name}`]
      )
      for (const each of runs) {
        if (each.kind === "automation") {
          assert.strictEqual(each.run.event.type, "contact.tagged")
          assert.deepStrictEqual(
            each.run.actions.map(({ effect }) => effect),
            [{ kind: "contact", id: contact.id }]
          )
        } else {
          assert.deepStrictEqual([each.run.state, each.run.reason, each.run.endedBy], ["exited", "goal", id("bought")])
          assert.strictEqual(each.run.startedBy?.type, "contact.tagged")
          assert.deepStrictEqual(
            each.run.steps.map(({ node, state }) => [node, state]),
            [[id("wait"), "skipped"]]
          )
        }
      }
    })
  )

  it.effect("are listed page by page across both kinds, newest first", () =>
    Effect.gen(function* () {
      const { begin, contact, organization, tag } = yield* given
      const other = yield* givenTag(organization, "other")
      for (const tagId of [begin, other]) {
        yield* tag(tagId)
        yield* settle(organization, 2)
        yield* TestClock.adjust("1 second")
      }
      const all = yield* listed(organization, contact.id)
      const seen: Array<string> = []
      let cursor: string | null = null
      do {
        const page: Effect.Success<ReturnType<typeof listContactRuns>> = yield* listContactRuns({
          id: contact.id,
          page: { limit: 1, cursor }
        }).pipe(asOwnerOf(organization))
        seen.push(...page.data.map(({ id: runId }) => runId))
        cursor = page.nextCursor
      } while (cursor !== null)
      assert.deepStrictEqual(
        seen,
        all.map(({ id: runId }) => runId)
      )
      assert.isAbove(seen.length, 1)
    })
  )

  it.effect("need a permission for each kind", () =>
    Effect.gen(function* () {
      const { begin, contact, organization, tag } = yield* given
      yield* tag(begin)
      yield* settle(organization, 2)
      const list = listContactRuns({ id: contact.id, page: firstPage })
      const kindsWith = (...permissions: ReadonlyArray<Permission>) =>
        Effect.map(list.pipe(withPermissions(organization, "contacts.read", ...permissions)), ({ data }) =>
          data.map(({ kind }) => kind)
        )
      assert.deepStrictEqual(yield* kindsWith("automations.read"), ["automation"])
      assert.deepStrictEqual(yield* kindsWith("workflows.read"), ["workflow"])
      assert.lengthOf(yield* kindsWith("automations.read", "workflows.read"), 2)
      const denied = yield* Effect.flip(kindsWith())
      assert.deepStrictEqual(
        [denied._tag, denied.message],
        ["PermissionDenied", "This needs the permission automations.read or workflows.read."]
      )
      const blind = yield* Effect.flip(list.pipe(withPermissions(organization, "automations.read", "workflows.read")))
      assert.strictEqual(blind._tag, "PermissionDenied")
    })
  )

  it.effect("are shown as held while their workflow is paused, with the end of the wait", () =>
    Effect.gen(function* () {
      const { contact, organization, workflow } = yield* given
      const begin = yield* givenTag(organization, "paused")
      const graph: Graph = { ...workflow.graph, goals: [], entry: { event: onTag(begin), next: id("wait") } }
      const waiting = yield* published(organization, graph)
      yield* tagContact({ id: contact.id, tags: [begin] }).pipe(asOwnerOf(organization))
      yield* settle(organization)
      const { wakeAt } = yield* lastRun(organization, waiting)
      yield* changed(organization, waiting, { status: "paused" })
      const [each] = yield* listed(organization, contact.id)
      assert.isNotNull(wakeAt)
      assert.deepStrictEqual(each?.kind === "workflow" ? [each.run.state, each.run.reason, each.run.wakeAt] : null, [
        "held",
        "paused",
        wakeAt
      ])
    })
  )

  it.effect("follow a merge and its reversal, and disappear with an erased contact", () =>
    Effect.gen(function* () {
      const { automation, begin, contact, organization, tag } = yield* given
      yield* tag(begin)
      yield* settle(organization, 2)
      const whole = yield* givenContact(organization)
      const { mergeId } = yield* mergeContacts({ id: whole.id, contactId: contact.id, ifVersion: null }).pipe(
        asOwnerOf(organization)
      )
      assert.lengthOf(yield* listed(organization, whole.id), 2)
      yield* unmergeContacts({ id: whole.id, mergeId, ifVersion: null }).pipe(asOwnerOf(organization))
      const back = yield* listed(organization, contact.id)
      assert.deepStrictEqual(
        back.map(({ name }) => name),
        [automation.name]
      )
      yield* eraseContact({ id: contact.id, ifVersion: null }).pipe(asOwnerOf(organization))
      assert.strictEqual((yield* Effect.flip(listed(organization, contact.id)))._tag, "NotFound")
    })
  )

  it.effect("are in the timeline of the contact", () =>
    Effect.gen(function* () {
      const { begin, contact, organization, tag } = yield* given
      yield* tag(begin)
      yield* settle(organization, 2)
      const kinds = (page: Effect.Success<ReturnType<typeof readTimeline>>) => page.data.map(({ kind }) => kind)
      const timeline = readTimeline({ id: contact.id, page: firstPage })
      assert.includeMembers(kinds(yield* timeline.pipe(asOwnerOf(organization))), ["automation_run", "workflow_run"])
      const narrow = yield* timeline.pipe(withPermissions(organization, "contacts.read", "automations.read"))
      assert.notInclude(kinds(narrow), "workflow_run")
      assert.include(kinds(narrow), "automation_run")
    })
  )

  it.effect("that a cycle aborts publish their causation", () =>
    Effect.gen(function* () {
      const { organization } = yield* given
      const [loop, start] = [yield* givenTag(organization, "loop"), yield* givenTag(organization, "start")]
      const contact = yield* givenContact(organization)
      const automation = yield* enabled(organization, {
        name: "Loop",
        when: { event: "contact.tagged", tagIds: [start, loop] },
        if: {},
        then: [{ type: "tag", tagIds: [loop] }]
      })
      yield* tagContact({ id: contact.id, tags: [start] }).pipe(asOwnerOf(organization))
      yield* settle(organization, 3)
      const { data } = yield* listEvents({ types: ["automation.run_aborted"], page: firstPage }).pipe(
        asOwnerOf(organization)
      )
      assert.deepStrictEqual(
        data.map(({ event: { causation } }) => causation?.via.at(-1)),
        [{ kind: "automation", id: automation.id }]
      )
      assert.strictEqual(data[0]?.event.causation?.depth, 2)
    })
  )
})
