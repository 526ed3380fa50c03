import { assert, layer } from "@effect/vitest"
import { type Organization, runDueLanes } from "@parley/domain/platform"
import { createTag, deleteContact, getContact, mergeContacts, tagContact, type TagId } from "@parley/domain/crm"
import { pluginCallLaneWorker } from "@parley/domain/integrations"
import { performRuns } from "@parley/domain/automation"
import {
  aManifest,
  asOwnerOf,
  givenContact,
  givenOrganization,
  MemoryReceivers,
  putPlugin,
  ReceiverScript,
  TestKit
} from "@parley/testkit"
import { Effect, Fiber, type Schema } from "effect"
import { TestClock } from "effect/testing"
import { enabled, runsOf, settle } from "./engine.ts"

const { accepted, refused } = MemoryReceivers

const ask = runDueLanes(pluginCallLaneWorker)

const started = Effect.fnUntraced(function* (onError: "continue" | "stop" = "continue") {
  const organization = yield* givenOrganization({ plan: "scale" })
  const baseUrl = `https://p${organization.id}.example`
  const plugin = yield* putPlugin(organization, { manifest: { ...aManifest, baseUrl }, settings: { points: 7 } })
  const url = `${baseUrl}/actions/add_points`
  const tagged = (name: string) => Effect.map(createTag({ name }).pipe(asOwnerOf(organization)), ({ id }) => id)
  const [begin, later, done] = [yield* tagged("begin"), yield* tagged("later"), yield* tagged("done")]
  const on = (tagId: TagId) => ({ event: "contact.tagged" as const, tagIds: [tagId] })
  const asking = yield* enabled(organization, {
    when: on(begin),
    then: [
      { type: "plugin_action", pluginId: plugin.id, action: "add_points", input: { points: 3 }, onError },
      { type: "tag", tagIds: [done] }
    ]
  })
  const after = yield* enabled(organization, { when: on(later), then: [{ type: "tag", tagIds: [done] }] })
  const contact = yield* givenContact(organization)
  yield* tagContact({ id: contact.id, tags: [begin] }).pipe(asOwnerOf(organization))
  yield* settle(organization)
  return { organization, contact, asking, after, later, url, done }
})

const answers = (url: string, status: number, input: Schema.Json) =>
  Effect.map(ReceiverScript, (script) =>
    script.answer(url, () =>
      Effect.succeed({ ...(status < 300 ? accepted : refused), status, text: JSON.stringify(input) })
    )
  )

const statesOf = (organization: Organization, automation: Parameters<typeof runsOf>[1]) =>
  Effect.map(runsOf(organization, automation), (runs) =>
    runs.map(({ actions, state }) => [state, ...actions.map((action) => action.error?.code ?? action.state)])
  )

layer(TestKit.layer)("a run that asks a plugin to act", (it) => {
  it.effect("waits for its answer, as do the contact's later events, and goes on", () =>
    Effect.gen(function* () {
      const { after, asking, contact, later, organization, url } = yield* started()
      yield* answers(url, 200, { output: { total: 10 } })
      assert.deepStrictEqual(yield* statesOf(organization, asking), [["running", "calling", "pending"]])
      yield* tagContact({ id: contact.id, tags: [later] }).pipe(asOwnerOf(organization))
      yield* settle(organization)
      assert.deepStrictEqual(yield* statesOf(organization, after), [["queued", "pending"]])
      yield* ask
      yield* settle(organization)
      assert.deepStrictEqual(yield* statesOf(organization, asking), [["succeeded", "done", "done"]])
      assert.deepStrictEqual(yield* statesOf(organization, after), [["succeeded", "done"]])
      const script = yield* ReceiverScript
      assert.lengthOf(script.posted(url), 1)
    })
  )

  it.effect("says how often the plugin was asked", () =>
    Effect.gen(function* () {
      const [once, thrice] = [yield* started(), yield* started()]
      yield* answers(once.url, 200, { output: { total: 10 } })
      yield* answers(thrice.url, 503, {})
      for (const gap of ["0 seconds", "6 seconds", "31 seconds"] as const) {
        yield* TestClock.adjust(gap)
        yield* ask
      }
      const attemptsOf = ({ asking, organization }: typeof once) =>
        Effect.map(runsOf(organization, asking), ([run]) => run?.actions[0]?.attempts)
      for (const { organization } of [once, thrice]) yield* settle(organization)
      assert.deepStrictEqual([yield* attemptsOf(once), yield* attemptsOf(thrice)], [1, 3])
      assert.deepStrictEqual(yield* statesOf(thrice.organization, thrice.asking), [
        ["failed", "plugin_unreachable", "done"]
      ])
    })
  )

  it.effect("has failed where the plugin refuses, and goes on unless it is to stop", () =>
    Effect.gen(function* () {
      for (const [onError, last] of [
        ["continue", "done"],
        ["stop", "skipped"]
      ] as const) {
        const { asking, contact, done, organization, url } = yield* started(onError)
        yield* answers(url, 422, { error: { code: "no_points", message: "None are left." } })
        yield* ask
        yield* settle(organization)
        const [[state, error, next] = []] = yield* statesOf(organization, asking)
        assert.deepStrictEqual([state, next], ["failed", last])
        assert.match(String(error), /^plugin_/)
        const { tags } = yield* getContact({ id: contact.id }).pipe(asOwnerOf(organization))
        assert.strictEqual(tags.includes(done), onError === "continue")
      }
    })
  )

  it.effect("goes on after a process was killed at any place of it, asking once", () =>
    Effect.gen(function* () {
      const { asking, organization, url } = yield* started()
      yield* answers(url, 200, { output: { total: 10 } })
      // A concurrent attempt during the plugin call does nothing.
      yield* performRuns
      assert.deepStrictEqual(yield* statesOf(organization, asking), [["running", "calling", "pending"]])
      yield* ask
      // No process continued when the call ended. Another process does when it polls.
      yield* TestClock.adjust("2 minutes")
      yield* ask
      yield* performRuns
      yield* performRuns
      assert.deepStrictEqual(yield* statesOf(organization, asking), [["succeeded", "done", "done"]])
      const script = yield* ReceiverScript
      assert.lengthOf(script.posted(url), 1)
    })
  )

  it.effect("continues for the surviving contact of a merge", () =>
    Effect.gen(function* () {
      const { asking, contact, done, organization, url } = yield* started()
      yield* answers(url, 200, { output: { total: 10 } })
      const other = yield* givenContact(organization)
      yield* mergeContacts({ id: other.id, contactId: contact.id, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* ask
      yield* settle(organization)
      assert.deepStrictEqual(yield* statesOf(organization, asking), [["succeeded", "done", "done"]])
      const [run] = yield* runsOf(organization, asking)
      assert.strictEqual(run?.contactId, other.id)
      const { tags } = yield* getContact({ id: other.id }).pipe(asOwnerOf(organization))
      assert.include(tags, done)
    })
  )

  it.effect("is aborted when its contact is deleted, and ignores the later response", () =>
    Effect.gen(function* () {
      const { asking, contact, organization, url } = yield* started()
      yield* answers(url, 200, { output: { total: 10 } })
      yield* deleteContact({ id: contact.id, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* ask
      yield* settle(organization)
      const [run] = yield* runsOf(organization, asking)
      assert.deepStrictEqual([run?.state, run?.reason, run?.contactId], ["aborted", "contact_gone", null])
    })
  )

  it.effect("continues directly if the plugin answers later", () =>
    Effect.gen(function* () {
      const { asking, contact, done, organization, url } = yield* started()
      yield* answers(url, 202, {})
      yield* ask
      yield* settle(organization)
      assert.deepStrictEqual(yield* statesOf(organization, asking), [["succeeded", "done", "done"]])
      const { tags } = yield* getContact({ id: contact.id }).pipe(asOwnerOf(organization))
      assert.include(tags, done)
    })
  )

  it.effect("repeats the call with the same key after a crash during the plugin's action", () =>
    Effect.gen(function* () {
      const { asking, organization, url } = yield* started()
      const script = yield* ReceiverScript
      script.answer(url, () => Effect.never)
      const asks = yield* Effect.forkChild(ask)
      while (script.posted(url).length === 0) yield* Effect.yieldNow
      yield* Fiber.interrupt(asks)
      yield* settle(organization)
      assert.deepStrictEqual(yield* statesOf(organization, asking), [["running", "calling", "pending"]])
      yield* answers(url, 200, { output: { total: 10 } })
      yield* TestClock.adjust("1 minute")
      yield* ask
      yield* settle(organization)
      assert.deepStrictEqual(yield* statesOf(organization, asking), [["succeeded", "done", "done"]])
      const [first, second, ...more] = script.posted(url)
      assert.strictEqual(first?.id, second?.id)
      assert.lengthOf(more, 0)
    })
  )
})
