import { assert, layer } from "@effect/vitest"
import { nextId, transact } from "@parley/domain/kernel"
import { type Organization, runDueLanes } from "@parley/domain/platform"
import {
  type ContactId,
  createTag,
  getContact,
  mergeContacts,
  tagContact,
  type TagId,
  unmergeContacts
} from "@parley/domain/crm"
import { listMessages } from "@parley/domain/messaging"
import { pluginCallLaneWorker } from "@parley/domain/integrations"
import {
  AutomationRun,
  AutomationRunId,
  AutomationRuns,
  makeContactLanes,
  laneOf,
  performRuns
} from "@parley/domain/automation"
import {
  aManifest,
  asOperatorOf,
  asOwnerOf,
  givenContact,
  givenConversation,
  givenOrganization,
  givenReceived,
  MemoryReceivers,
  putPlugin,
  ReceiverScript,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { enabled, runsOf, settle } from "./engine.ts"

const ask = runDueLanes(pluginCallLaneWorker)

const givenTag = (organization: Organization, name: string) =>
  Effect.map(createTag({ name }).pipe(asOwnerOf(organization)), ({ id }) => id)

/** A plugin with a successful action, and its call. */
const givenPlugin = Effect.fnUntraced(function* (organization: Organization) {
  const baseUrl = `https://p${organization.id}.example`
  const { id: pluginId } = yield* putPlugin(organization, {
    manifest: { ...aManifest, baseUrl },
    settings: { points: 7 }
  })
  const text = JSON.stringify({ output: { total: 10 } })
  const script = yield* ReceiverScript
  script.answer(`${baseUrl}/actions/add_points`, () =>
    Effect.succeed({ ...MemoryReceivers.accepted, status: 200, text })
  )
  return { type: "plugin_action" as const, pluginId, action: "add_points", input: { points: 3 } }
})

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const [begin, done] = [yield* givenTag(organization, "begin"), yield* givenTag(organization, "done")]
  const asks = yield* givenPlugin(organization)
  const [part, whole] = [yield* givenContact(organization), yield* givenContact(organization)]
  const tag = (id: ContactId, tagId: TagId) => tagContact({ id, tags: [tagId] }).pipe(asOwnerOf(organization))
  const tagsOf = (id: ContactId) =>
    Effect.map(getContact({ id }).pipe(asOwnerOf(organization)), ({ tags }) => [...tags])
  const merge = (survivor: ContactId, other: ContactId) =>
    Effect.map(
      mergeContacts({ id: survivor, contactId: other, ifVersion: null }).pipe(asOwnerOf(organization)),
      ({ mergeId }) => mergeId
    )
  const unmerge = (survivor: ContactId, mergeId: Effect.Success<ReturnType<typeof merge>>) =>
    unmergeContacts({ id: survivor, mergeId, ifVersion: null }).pipe(asOwnerOf(organization))
  const onBegin = { event: "contact.tagged" as const, tagIds: [begin] }
  const adds = { type: "tag" as const, tagIds: [done] }
  return { organization, begin, done, asks, part, whole, tag, tagsOf, merge, unmerge, onBegin, adds }
})

layer(TestKit.layer)("runs of contacts that are merged", (it) => {
  it.effect("return to their contact after an undone merge, also during a plugin call", () =>
    Effect.gen(function* () {
      const { adds, asks, begin, done, merge, onBegin, organization, part, tag, tagsOf, unmerge, whole } = yield* given
      const automation = yield* enabled(organization, { when: onBegin, then: [asks, adds] })
      yield* tag(part.id, begin)
      yield* settle(organization)
      const mergeId = yield* merge(whole.id, part.id)
      assert.strictEqual((yield* runsOf(organization, automation))[0]?.contactId, whole.id)
      yield* unmerge(whole.id, mergeId)
      yield* ask
      yield* settle(organization)
      const [run] = yield* runsOf(organization, automation)
      assert.deepStrictEqual([run?.state, run?.contactId], ["succeeded", part.id])
      assert.include(yield* tagsOf(part.id), done)
      assert.notInclude(yield* tagsOf(whole.id), done)
    })
  )

  it.effect("write nothing into a conversation that returned to another contact", () =>
    Effect.gen(function* () {
      const { asks, merge, organization, part, unmerge, whole } = yield* given
      const conversation = yield* givenConversation(organization, { contactId: part.id })
      const mergeId = yield* merge(whole.id, part.id)
      const automation = yield* enabled(organization, {
        when: { event: "message.received" },
        then: [asks, { type: "send_message", message: { kind: "text", text: "Hello" } }]
      })
      yield* givenReceived(organization, { ...conversation, contactId: whole.id })
      yield* settle(organization)
      yield* unmerge(whole.id, mergeId)
      yield* ask
      yield* settle(organization)
      const [run] = yield* runsOf(organization, automation)
      assert.deepStrictEqual([run?.state, run?.reason], ["aborted", "contact_gone"])
      const { data } = yield* listMessages({ id: conversation.id, page: { limit: 9, cursor: null } }).pipe(
        asOwnerOf(organization)
      )
      assert.lengthOf(
        data.filter(({ direction }) => direction === "outbound"),
        0
      )
    })
  )

  it.effect("start for the surviving contact if the event is read after the merge", () =>
    Effect.gen(function* () {
      const { adds, begin, done, merge, onBegin, organization, part, tag, tagsOf, whole } = yield* given
      const automation = yield* enabled(organization, { when: onBegin, then: [adds] })
      const last = yield* givenContact(organization)
      yield* tag(part.id, begin)
      yield* merge(whole.id, part.id)
      yield* merge(last.id, whole.id)
      yield* settle(organization)
      const [run, ...others] = yield* runsOf(organization, automation)
      assert.lengthOf(others, 0)
      assert.deepStrictEqual([run?.state, run?.contactId], ["succeeded", last.id])
      assert.include(yield* tagsOf(last.id), done)
    })
  )

  it.effect("follow who was merged while they began", () =>
    Effect.gen(function* () {
      const { adds, begin, done, merge, onBegin, organization, part, tag, tagsOf, whole } = yield* given
      const automation = yield* enabled(organization, { when: onBegin, then: [adds] })
      yield* tag(part.id, begin)
      yield* settle(organization)
      const [before] = yield* runsOf(organization, automation)
      yield* merge(whole.id, part.id)
      // The state if the merge missed a run that started concurrently.
      const run = new AutomationRun({
        id: yield* nextId(AutomationRunId),
        automationId: automation.id,
        automationVersion: automation.version,
        state: "queued",
        reason: null,
        event: before?.event ?? { position: 0, type: "" },
        contactId: part.id,
        causation: null,
        conditions: null,
        actions: [{ index: 0, type: "tag", state: "pending", error: null, effect: null, attempts: 0, until: null }],
        rerunOf: null,
        createdAt: yield* DateTime.now,
        startedAt: null,
        finishedAt: null
      })
      const lane = laneOf(part.id)
      const start = Effect.flatMap(AutomationRuns, (runs) => runs.start([{ run, ordinal: 1, lane }]))
      yield* transact(Effect.andThen(start, makeContactLanes("automation runs").open([lane]))).pipe(
        asOperatorOf(organization)
      )
      yield* performRuns
      const last = (yield* runsOf(organization, automation)).find(({ id }) => id === run.id)
      assert.deepStrictEqual([last?.state, last?.contactId], ["succeeded", whole.id])
      assert.include(yield* tagsOf(whole.id), done)
    })
  )
})
