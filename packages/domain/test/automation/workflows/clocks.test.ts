import { assert, layer } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import { updateContact } from "@parley/domain/crm"
import { StoreCarts } from "@parley/domain/commerce"
import {
  createWorkflow,
  type WorkflowEntry,
  type Graph,
  pauseWorkflow,
  publishWorkflow,
  resumeWorkflow,
  updateAutomationSettings,
  updateWorkflow
} from "@parley/domain/automation"
import {
  asOperatorOf,
  asOwnerOf,
  givenCommerce,
  givenContact,
  givenConversation,
  givenEvent,
  givenMessage,
  givenOrganization,
  givenReceived,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { end, id, lastRun, runsOf, strikeAndSettle } from "./engine.ts"

const onScale = givenOrganization({ plan: "scale" })

const graphOf = (input: Omit<WorkflowEntry, "next">): Graph => ({
  entry: { ...input, next: id("n1") },
  nodes: [{ id: id("n1"), kind: "wait", seconds: 3_600, next: end.id }, end]
})

const active = Effect.fnUntraced(function* (organization: Organization, input: Omit<WorkflowEntry, "next">) {
  const { id: workflowId } = yield* createWorkflow({ name: "Clock", graph: graphOf(input) }).pipe(
    asOwnerOf(organization)
  )
  return yield* publishWorkflow({ id: workflowId, ifVersion: null }).pipe(asOwnerOf(organization))
})

const idle = { event: "conversation.idle", seconds: 3_600 } as const
const left = { event: "cart.abandoned", seconds: 7_200 } as const

/** A contact with a cart, and actions on it. */
const givenCart = Effect.fnUntraced(function* (organization: Organization) {
  const contact = yield* givenContact(organization)
  const { cart } = yield* givenCommerce(organization, contact.id)
  const put = (input: Partial<typeof cart>) =>
    Effect.flatMap(StoreCarts, (carts) => transact(carts.put([{ ...cart, ...input }]))).pipe(asOperatorOf(organization))
  const { id: cartId, storeConnectionId } = cart
  return {
    contact,
    cart,
    put,
    abandon: Effect.gen(function* () {
      yield* put({ state: "abandoned", abandonedAt: yield* DateTime.now })
      return yield* givenEvent(organization, {
        type: "cart.abandoned",
        cartId,
        storeConnectionId,
        contactId: contact.id
      })
    })
  }
})

layer(TestKit.layer)("clocks of workflows", (it) => {
  it.effect("begin a run for a cart that stays abandoned, counted from what was last done in it, once for each", () =>
    Effect.gen(function* () {
      const organization = yield* onScale
      const workflow = yield* active(organization, { event: left, by: "cart" })
      const { abandon, cart, contact } = yield* givenCart(organization)
      yield* TestClock.adjust("30 minutes")
      const position = yield* abandon
      yield* strikeAndSettle(organization)
      yield* TestClock.adjust("89 minutes")
      yield* strikeAndSettle(organization)
      assert.lengthOf(yield* runsOf(organization, workflow), 0)
      yield* TestClock.adjust("1 minute")
      yield* strikeAndSettle(organization)
      const run = yield* lastRun(organization, workflow)
      assert.deepStrictEqual(
        [run.state, run.node, run.event, run.contactId, run.key],
        ["waiting", "n1", { position, type: "cart.abandoned" }, contact.id, cart.id]
      )
      yield* TestClock.adjust("2 hours")
      yield* abandon
      yield* strikeAndSettle(organization)
      yield* TestClock.adjust("4 hours")
      yield* strikeAndSettle(organization)
      assert.deepStrictEqual(
        (yield* runsOf(organization, workflow)).map(({ state }) => state),
        ["completed"]
      )
    })
  )

  it.effect("begin nothing about a cart that was bought, or where its condition does not hold", () =>
    Effect.gen(function* () {
      const organization = yield* onScale
      const any = yield* active(organization, { event: left })
      const dear = yield* active(organization, {
        event: left,
        if: { field: "cart.itemCount", op: "gt", value: 1_000 }
      })
      const bought = yield* givenCart(organization)
      const stays = yield* givenCart(organization)
      yield* bought.abandon
      yield* stays.abandon
      yield* strikeAndSettle(organization)
      yield* TestClock.adjust("1 hour")
      yield* bought.put({ state: "recovered", closedAt: yield* DateTime.now })
      yield* TestClock.adjust("1 hour")
      yield* strikeAndSettle(organization)
      assert.deepStrictEqual(
        (yield* runsOf(organization, any)).map(({ contactId }) => contactId),
        [stays.contact.id]
      )
      assert.lengthOf(yield* runsOf(organization, dear), 0)
    })
  )

  it.effect(
    "start a run after the idle time of a conversation, by the author of the last message, once per message",
    () =>
      Effect.gen(function* () {
        const organization = yield* onScale
        const either = yield* active(organization, { event: idle, by: "conversation" })
        const ofTeam = yield* active(organization, { event: { ...idle, lastFrom: "team" } })
        const conversation = yield* givenConversation(organization)
        yield* givenReceived(organization, conversation)
        yield* strikeAndSettle(organization)
        yield* TestClock.adjust("59 minutes")
        yield* givenReceived(organization, conversation)
        yield* strikeAndSettle(organization)
        yield* TestClock.adjust("59 minutes")
        // Messages of workflows do not count.
        yield* givenMessage(organization, conversation, {
          direction: "outbound",
          author: { kind: "automation", id: either.id },
          status: "sent"
        })
        yield* strikeAndSettle(organization)
        assert.lengthOf(yield* runsOf(organization, either), 0)
        yield* TestClock.adjust("1 minute")
        yield* strikeAndSettle(organization)
        yield* TestClock.adjust("3 hours")
        yield* strikeAndSettle(organization)
        assert.deepStrictEqual(
          (yield* runsOf(organization, either)).map(({ event, key, state }) => [event?.type, key, state]),
          [["conversation.idle", conversation.id, "completed"]]
        )
        assert.lengthOf(yield* runsOf(organization, ofTeam), 0)
      })
  )

  it.effect("begin nothing that counts from before it was published or let go on, or from while it was paused", () =>
    Effect.gen(function* () {
      const organization = yield* onScale
      const earlier = yield* givenConversation(organization)
      yield* givenReceived(organization, earlier)
      const late = yield* active(organization, { event: idle })
      const paused = yield* active(organization, { event: idle })
      yield* strikeAndSettle(organization)
      const [before, meanwhile, after] = [
        yield* givenConversation(organization),
        yield* givenConversation(organization),
        yield* givenConversation(organization)
      ]
      yield* givenReceived(organization, before)
      yield* pauseWorkflow({ id: paused.id, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* givenReceived(organization, meanwhile)
      yield* resumeWorkflow({ id: paused.id, ifVersion: null }).pipe(asOwnerOf(organization))
      // All of it is read only now.
      yield* givenReceived(organization, after)
      yield* strikeAndSettle(organization)
      yield* TestClock.adjust("1 hour")
      yield* strikeAndSettle(organization)
      const whose = (workflow: typeof late) =>
        Effect.map(runsOf(organization, workflow), (runs) => runs.map(({ contactId }) => contactId).toSorted())
      assert.deepStrictEqual(
        yield* whose(late),
        [before, meanwhile, after].map(({ contactId }) => contactId).toSorted()
      )
      assert.deepStrictEqual(yield* whose(paused), [after.contactId])
    })
  )

  it.effect(
    "begin nothing while all is paused, for blocked contacts, or a day too late; later than it says they leave",
    () =>
      Effect.gen(function* () {
        const organization = yield* onScale
        const workflow = yield* active(organization, { event: idle, maxLateSeconds: 600 })
        const pause = (paused: boolean) =>
          updateAutomationSettings({ paused, ifVersion: null }).pipe(asOwnerOf(organization))
        const written = Effect.gen(function* () {
          const conversation = yield* givenConversation(organization)
          yield* givenReceived(organization, conversation)
          yield* strikeAndSettle(organization)
          return conversation
        })
        yield* written
        yield* pause(true)
        yield* TestClock.adjust("1 hour")
        yield* strikeAndSettle(organization)
        yield* pause(false)
        const { contactId } = yield* written
        yield* updateContact({ id: contactId, blocked: true, ifVersion: null }).pipe(asOwnerOf(organization))
        yield* TestClock.adjust("1 hour")
        yield* strikeAndSettle(organization)
        yield* written
        yield* TestClock.adjust("26 hours")
        yield* strikeAndSettle(organization)
        assert.lengthOf(yield* runsOf(organization, workflow), 0)
        yield* written
        yield* TestClock.adjust("71 minutes")
        yield* strikeAndSettle(organization)
        assert.deepInclude(yield* lastRun(organization, workflow), { state: "exited", reason: "late" })
      })
  )

  it.effect("allow one live run per key, and repeated keys by the reentry rule only", () =>
    Effect.gen(function* () {
      const organization = yield* onScale
      const workflow = yield* active(organization, { event: idle, reentry: { afterSeconds: 86_400 } })
      const conversation = yield* givenConversation(organization)
      const written = Effect.gen(function* () {
        yield* givenReceived(organization, conversation)
        yield* strikeAndSettle(organization)
        yield* TestClock.adjust("1 hour")
        yield* strikeAndSettle(organization)
      })
      const count = Effect.map(runsOf(organization, workflow), (runs) => runs.length)
      yield* written
      assert.strictEqual(yield* count, 1)
      yield* written
      assert.strictEqual(yield* count, 1)
      yield* TestClock.adjust("25 hours")
      yield* strikeAndSettle(organization)
      yield* written
      assert.strictEqual(yield* count, 2)
    })
  )

  it.effect("follow the last published version", () =>
    Effect.gen(function* () {
      const organization = yield* onScale
      const workflow = yield* active(organization, { event: idle })
      yield* givenReceived(organization, yield* givenConversation(organization))
      yield* strikeAndSettle(organization)
      const graph = graphOf({ event: { ...idle, seconds: 7_200 } })
      yield* updateWorkflow({ id: workflow.id, graph, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* publishWorkflow({ id: workflow.id, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* TestClock.adjust("1 hour")
      yield* strikeAndSettle(organization)
      assert.lengthOf(yield* runsOf(organization, workflow), 0)
      yield* TestClock.adjust("1 hour")
      yield* strikeAndSettle(organization)
      assert.deepInclude(yield* lastRun(organization, workflow), { workflowVersion: 2, state: "waiting" })
    })
  )
})
