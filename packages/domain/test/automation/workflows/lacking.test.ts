import { assert, layer } from "@effect/vitest"
import { eventAppender, transact } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import { type Contact, tagContact, type TagId } from "@parley/domain/crm"
import {
  ChatAccount,
  ChatAccounts,
  type ChatEvent,
  listMessages,
  MessageTemplate,
  MessageTemplates
} from "@parley/domain/messaging"
import {
  type Action,
  cancelWorkflowRun,
  advanceRuns,
  type OnError,
  startWorkflowRun,
  type WorkflowNode
} from "@parley/domain/automation"
import {
  asOperatorOf,
  asOwnerOf,
  givenContact,
  givenConversation,
  givenNextVersion,
  givenNumber,
  givenOrganization,
  givenTag,
  givenTemplate,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { changed, end, explained, follow, id, published, resumed, settle } from "./engine.ts"
import { moveAll } from "./moveAll.ts"

const lost: WorkflowNode["id"] = id("lost")

/** Sends, and marks those whom it could not send to. */
const sending = (action: Action, tagId: TagId, onError: OnError, goal: TagId) => ({
  entry: { event: null, next: id("send") },
  goals: [{ id: id("won"), if: { field: "tag", op: "any_of", value: [goal] } }],
  nodes: [
    { id: id("send"), kind: "action", action, onError, next: end.id },
    { id: lost, kind: "action", action: { type: "tag", tagIds: [tagId] }, next: end.id },
    end
  ] satisfies ReadonlyArray<WorkflowNode>
})

/** A contact who gets a message of a run over a number with a template. */
const given = Effect.fnUntraced(function* (
  what: "text" | "template" | "template where the window is closed",
  onError: OnError = { to: lost }
) {
  const organization = yield* givenOrganization({ plan: "scale" })
  const account = yield* givenNumber(organization)
  const template = yield* givenTemplate(organization, account.id)
  const contact = yield* givenContact(organization, {
    phone: `+4915112${String(Number.parseInt(template.id.slice(-5), 16)).padStart(7, "0")}`
  })
  const hours = what === "template where the window is closed" ? -1 : 1_000
  const conversation = yield* givenConversation(organization, {
    contactId: contact.id,
    chatAccountId: account.id,
    windowExpiresAt: DateTime.add(yield* DateTime.now, { hours })
  })
  const values = { id: template.id, values: { "body.1": "Ada" } }
  const text = { type: "send_message", message: { kind: "text", text: "Hello" } } as const
  const action: Action =
    what === "text"
      ? text
      : what === "template"
        ? { type: "send_template", template: values }
        : { ...text, whenClosed: values }
  const [failed, goal] = [yield* givenTag(organization), yield* givenTag(organization)]
  const graph = sending(action, failed.id, onError, goal.id)
  const workflow = yield* published(organization, graph)

  const tell = (event: ChatEvent) => eventAppender<ChatEvent>()(event)
  const putAccount = (status: ChatAccount["status"]) =>
    Effect.gen(function* () {
      const accounts = yield* ChatAccounts
      const before = yield* accounts.get(account.id)
      yield* accounts.save(new ChatAccount({ ...before, status }), null, null)
      yield* tell({ type: "chat_account.status_changed", chatAccountId: account.id, from: before.status, to: status })
    }).pipe(transact, asOperatorOf(organization), Effect.orDie)
  const putTemplate = (status: MessageTemplate["status"]) =>
    Effect.gen(function* () {
      const templates = yield* MessageTemplates
      const [before = template] = yield* templates.find([template.id])
      yield* templates.save(new MessageTemplate({ ...before, status }), null)
      const input = { messageTemplateId: template.id, from: before.status, to: status }
      yield* tell({ type: "message_template.status_changed", ...input })
    }).pipe(transact, asOperatorOf(organization), Effect.orDie)

  const begin = Effect.gen(function* () {
    const run = yield* startWorkflowRun({ id: workflow.id, contactId: contact.id }).pipe(asOwnerOf(organization))
    yield* settle(organization)
    const now = explained(organization, workflow, run)
    const summary = Effect.map(now, ({ reason, state, steps }) => [
      state,
      reason,
      ...steps.map(({ error, node, state: each }) => `${node} ${each}${error === null ? "" : ` ${error.code}`}`)
    ])
    return { run, now, summary }
  })
  return {
    organization,
    contact,
    workflow,
    graph,
    action,
    failed: failed.id,
    goal: goal.id,
    putAccount,
    putTemplate,
    begin,
    sent: Effect.map(
      listMessages({ id: conversation.id, page: { limit: 9, cursor: null } }).pipe(asOperatorOf(organization)),
      ({ data }) => data.length
    )
  }
})

const tag = (organization: Organization, contact: Contact, tagId: TagId) =>
  tagContact({ id: contact.id, tags: [tagId] }).pipe(asOwnerOf(organization))

const sendDone = ["completed", null, "send done"]

layer(TestKit.layer)("a run whose action lacks something that may come back", (it) => {
  it.effect("is held while the account is disconnected and continues after the reconnect event", () =>
    Effect.gen(function* () {
      for (const what of ["text", "template"] as const) {
        const { begin, organization, putAccount, sent } = yield* given(what)
        yield* putAccount("disconnected")
        const { now, summary } = yield* begin
        const held = ["held", "account", "send waiting chat_account_disconnected"]
        assert.deepStrictEqual(yield* summary, held)
        assert.deepStrictEqual((yield* now).wakeAt, DateTime.add(yield* DateTime.now, { hours: 1 }))
        yield* TestClock.adjust("71 hours")
        yield* settle(organization)
        assert.deepStrictEqual(yield* summary, held)
        assert.strictEqual(yield* sent, 0)
        yield* putAccount("connected")
        yield* settle(organization)
        assert.deepStrictEqual(yield* summary, sendDone)
        assert.strictEqual(yield* sent, 1)
      }
    })
  )

  it.effect("is held while the template is paused, also as what is sent where the window is closed", () =>
    Effect.gen(function* () {
      for (const what of ["template", "template where the window is closed"] as const) {
        const { begin, organization, putTemplate, sent } = yield* given(what)
        yield* putTemplate("paused")
        const { summary } = yield* begin
        assert.deepStrictEqual(yield* summary, ["held", "template", "send waiting template_not_approved"])
        yield* putTemplate("approved")
        yield* settle(organization)
        assert.deepStrictEqual(yield* summary, sendDone)
        assert.strictEqual(yield* sent, 1)
      }
    })
  )

  it.effect("checks every hour without an event", () =>
    Effect.gen(function* () {
      const { begin, organization, putAccount } = yield* given("text")
      yield* putAccount("disconnected")
      const { summary } = yield* begin
      yield* TestClock.adjust("30 minutes")
      yield* putAccount("connected")
      yield* TestClock.adjust("29 minutes")
      yield* advanceRuns
      assert.strictEqual((yield* summary)[0], "held")
      yield* TestClock.adjust("1 minute")
      yield* advanceRuns
      assert.deepStrictEqual(yield* summary, sendDone)
      yield* follow(organization)
    })
  )

  it.effect("fails, goes on or goes elsewhere after 72 hours, counted from when it was held first", () =>
    Effect.gen(function* () {
      for (const [onError, expected] of [
        ["end", ["failed", "action_failed", "send failed chat_account_disconnected"]],
        ["continue", ["completed", null, "send failed chat_account_disconnected"]],
        [{ to: lost }, ["completed", null, "send failed chat_account_disconnected", "lost done"]]
      ] as const) {
        const { begin, organization, putAccount } = yield* given("text", onError)
        yield* putAccount("disconnected")
        const { summary } = yield* begin
        yield* TestClock.adjust("40 hours")
        yield* settle(organization)
        // Events in between do not restart the wait.
        yield* putAccount("connected")
        yield* putAccount("disconnected")
        yield* settle(organization)
        yield* TestClock.adjust("1919 minutes")
        yield* settle(organization)
        assert.strictEqual((yield* summary)[0], "held")
        yield* TestClock.adjust("1 minute")
        yield* advanceRuns
        assert.deepStrictEqual(yield* summary, [...expected])
      }
    })
  )

  it.effect("fails directly if a template was rejected during the wait", () =>
    Effect.gen(function* () {
      const { begin, organization, putTemplate } = yield* given("template")
      yield* putTemplate("paused")
      const { summary } = yield* begin
      yield* putTemplate("rejected")
      yield* settle(organization)
      assert.deepStrictEqual(yield* summary, ["completed", null, "send failed template_not_approved", "lost done"])
    })
  )

  it.effect("keeps its timer while its workflow is paused", () =>
    Effect.gen(function* () {
      const { begin, organization, putAccount, workflow } = yield* given("text")
      yield* putAccount("disconnected")
      const { summary } = yield* begin
      yield* changed(organization, workflow, { status: "paused" })
      yield* TestClock.adjust("10 days")
      yield* settle(organization)
      assert.deepStrictEqual((yield* summary).slice(0, 2), ["held", "paused"])
      yield* resumed(organization, workflow)
      yield* settle(organization)
      assert.deepStrictEqual(yield* summary, ["completed", null, "send failed chat_account_disconnected", "lost done"])
    })
  )

  it.effect("leaves at a goal, and can be cancelled", () =>
    Effect.gen(function* () {
      const won = yield* given("text")
      yield* won.putAccount("disconnected")
      const first = yield* won.begin
      yield* tag(won.organization, won.contact, won.goal)
      yield* settle(won.organization)
      const skipped = "send skipped chat_account_disconnected"
      assert.deepStrictEqual(yield* first.summary, ["exited", "goal", skipped])

      const stopped = yield* given("text")
      yield* stopped.putAccount("disconnected")
      const second = yield* stopped.begin
      yield* cancelWorkflowRun({ id: stopped.workflow.id, runId: second.run.id }).pipe(asOwnerOf(stopped.organization))
      yield* stopped.putAccount("connected")
      yield* settle(stopped.organization)
      assert.deepStrictEqual(yield* second.summary, ["cancelled", null, skipped])
      assert.strictEqual(yield* stopped.sent, 0)
    })
  )

  it.effect("keeps waiting where it is moved to a version that does the same, else it does what that one says", () =>
    Effect.gen(function* () {
      const same = yield* given("text")
      yield* same.putAccount("disconnected")
      const staying = yield* same.begin
      yield* TestClock.adjust("40 hours")
      yield* settle(same.organization)
      yield* givenNextVersion(same.organization, same.workflow, same.graph)
      yield* moveAll(same.organization, same.workflow, { fromVersion: 1 })
      yield* settle(same.organization)
      assert.deepStrictEqual((yield* staying.summary).slice(0, 2), ["held", "account"])
      yield* TestClock.adjust("32 hours")
      yield* settle(same.organization)
      assert.strictEqual((yield* staying.now).workflowVersion, 2)
      assert.deepStrictEqual((yield* staying.summary).slice(0, 2), ["completed", null])

      const other = yield* given("text")
      yield* other.putAccount("disconnected")
      const moving = yield* other.begin
      const instead: Action = { type: "tag", tagIds: [other.failed] }
      yield* givenNextVersion(other.organization, other.workflow, sending(instead, other.failed, "end", other.goal))
      yield* moveAll(other.organization, other.workflow, { fromVersion: 1 })
      yield* settle(other.organization)
      assert.deepStrictEqual(yield* moving.summary, ["completed", null, "send skipped", "send done"])
    })
  )
})
