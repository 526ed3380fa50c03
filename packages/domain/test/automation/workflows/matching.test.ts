import { assert, layer } from "@effect/vitest"
import { nextId } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import { mergeContacts, unmergeContacts } from "@parley/domain/crm"
import { OrderId } from "@parley/domain/commerce"
import { type WorkflowEntry, type Graph, type RunKey, type Trigger, validateWorkflow } from "@parley/domain/automation"
import {
  asOwnerOf,
  givenContact,
  givenConversation,
  givenEvent,
  givenOrganization,
  givenReceived,
  givenStore,
  TestKit
} from "@parley/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { end, id, published, runsOf, settle } from "./engine.ts"

/** Waits for something that is about the same as the run, for an hour. */
const awaiting = (
  entry: Omit<WorkflowEntry, "next">,
  event: Trigger,
  match: RunKey,
  more: Partial<Graph> = {}
): Graph => ({
  entry: { ...entry, next: id("wait") },
  nodes: [
    { id: id("wait"), kind: "wait_for", event, match, timeoutSeconds: 3_600, next: id("came"), timeout: end.id },
    { id: id("came"), kind: "wait", seconds: 86_400, next: end.id },
    end
  ],
  ...more
})

const onMessage = { event: "message.received" } as const

/** A contact with orders in a store that reports changes. */
const givenOrders = Effect.fnUntraced(function* (organization: Organization) {
  const { id: storeConnectionId } = yield* givenStore(organization)
  const { id: contactId } = yield* givenContact(organization)
  const happens = (type: "order.created" | "order.paid" | "order.cancelled", orderId: OrderId) =>
    Effect.andThen(givenEvent(organization, { type, orderId, storeConnectionId, contactId }), settle(organization))
  return { contactId, happens, orders: [yield* nextId(OrderId), yield* nextId(OrderId)] as const }
})

/** Nodes of runs by their subject. */
const placesOf = (organization: Organization, workflow: Parameters<typeof runsOf>[1]) =>
  Effect.map(runsOf(organization, workflow), (runs) =>
    Object.fromEntries(runs.map(({ key, node, reason, state }) => [key, reason ?? `${state} ${node}`]))
  )

layer(TestKit.layer)("a run that waits for something", (it) => {
  it.effect("of one conversation ignores another conversation of the contact and starts once", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const workflow = yield* published(
        organization,
        awaiting({ event: onMessage, by: "conversation" }, onMessage, "conversation")
      )
      const contact = yield* givenContact(organization)
      const [one, other] = [
        yield* givenConversation(organization, { contactId: contact.id }),
        yield* givenConversation(organization, { contactId: contact.id })
      ]
      const places = placesOf(organization, workflow)
      const writes = (conversation: typeof one) =>
        Effect.andThen(givenReceived(organization, conversation), settle(organization))
      yield* writes(one)
      yield* writes(other)
      assert.deepStrictEqual(yield* places, { [one.id]: "waiting wait", [other.id]: "waiting wait" })
      yield* writes(other)
      assert.deepStrictEqual(yield* places, { [one.id]: "waiting wait", [other.id]: "waiting came" })
      yield* TestClock.adjust("1 hour")
      yield* settle(organization)
      assert.deepStrictEqual(yield* places, { [one.id]: "completed end", [other.id]: "waiting came" })
      assert.lengthOf(yield* runsOf(organization, workflow), 2)
    })
  )

  it.effect("starts and wakes once for each of many concurrent contacts, in message order", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const workflow = yield* published(
        organization,
        awaiting({ event: onMessage, by: "conversation" }, onMessage, "conversation")
      )
      const people = yield* Effect.replicateEffect(givenContact(organization), 50)
      const conversations = yield* Effect.forEach(people, ({ id: contactId }) =>
        givenConversation(organization, { contactId })
      )
      yield* Effect.forEach(conversations, (each) => givenReceived(organization, each))
      yield* settle(organization)
      yield* Effect.forEach(conversations.slice(0, 25), (each) => givenReceived(organization, each))
      yield* settle(organization)
      const expected = conversations.map(({ id: key }, place) => [key, place < 25 ? "waiting came" : "waiting wait"])
      assert.deepStrictEqual(yield* placesOf(organization, workflow), Object.fromEntries(expected))
      assert.lengthOf(yield* runsOf(organization, workflow), 50)
    })
  )

  it.effect("of a conversation waits in the conversation of its last wake-up if the run belongs to the contact", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const workflow = yield* published(organization, awaiting({ event: onMessage }, onMessage, "conversation"))
      const contact = yield* givenContact(organization)
      const [one, other] = [
        yield* givenConversation(organization, { contactId: contact.id }),
        yield* givenConversation(organization, { contactId: contact.id })
      ]
      const places = placesOf(organization, workflow)
      yield* givenReceived(organization, one)
      yield* settle(organization)
      yield* givenReceived(organization, other)
      yield* settle(organization)
      assert.deepStrictEqual(yield* places, { [contact.id]: "waiting wait" })
      yield* givenReceived(organization, one)
      yield* settle(organization)
      assert.deepStrictEqual(yield* places, { [contact.id]: "waiting came" })
    })
  )

  it.effect("of one order ignores another order of the contact", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const paid = { event: "order.paid" } as const
      const workflow = yield* published(
        organization,
        awaiting({ event: { event: "order.created" }, by: "order" }, paid, "order")
      )
      const { happens, orders } = yield* givenOrders(organization)
      const [one, other] = orders
      const places = placesOf(organization, workflow)
      yield* happens("order.created", one)
      yield* happens("order.created", other)
      yield* happens("order.created", other)
      yield* happens("order.paid", other)
      assert.deepStrictEqual(yield* places, { [one]: "waiting wait", [other]: "waiting came" })
      yield* happens("order.paid", one)
      assert.deepStrictEqual(yield* places, { [one]: "waiting came", [other]: "waiting came" })
      assert.lengthOf(yield* runsOf(organization, workflow), 2)
    })
  )

  it.effect("has goals and exits by any event of its contact", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const exits = [{ id: id("gone"), event: { event: "order.cancelled" } }] as const
      const goals = [{ id: id("won"), event: { event: "order.paid" } }] as const
      const created = { event: { event: "order.created" }, by: "order" } as const
      const graph = (more: Partial<Graph>) => awaiting(created, { event: "order.refunded" }, "order", more)
      const [leaving, winning] = [
        yield* published(organization, graph({ exits })),
        yield* published(organization, graph({ goals }))
      ]
      const { happens, orders } = yield* givenOrders(organization)
      const stranger = yield* givenOrders(organization)
      const [one, other] = orders
      for (const order of orders) yield* happens("order.created", order)
      yield* stranger.happens("order.cancelled", stranger.orders[0])
      yield* happens("order.cancelled", other)
      assert.deepStrictEqual(yield* placesOf(organization, leaving), { [one]: "exit", [other]: "exit" })
      assert.deepStrictEqual(yield* placesOf(organization, winning), { [one]: "waiting wait", [other]: "waiting wait" })
      yield* happens("order.paid", other)
      assert.deepStrictEqual(yield* placesOf(organization, winning), { [one]: "goal", [other]: "goal" })
    })
  )

  it.effect("of its order is woken also after its contact became a part of another one, and was itself again", () =>
    Effect.gen(function* () {
      for (const isUndone of [false, true]) {
        const organization = yield* givenOrganization({ plan: "scale" })
        const workflow = yield* published(
          organization,
          awaiting({ event: { event: "order.created" }, by: "order" }, { event: "order.paid" }, "order")
        )
        const { contactId, happens, orders } = yield* givenOrders(organization)
        for (const order of orders) yield* happens("order.created", order)
        const other = yield* givenContact(organization)
        const { mergeId } = yield* mergeContacts({ id: other.id, contactId, ifVersion: null }).pipe(
          asOwnerOf(organization)
        )
        if (isUndone) yield* unmergeContacts({ id: other.id, mergeId, ifVersion: null }).pipe(asOwnerOf(organization))
        yield* happens("order.paid", orders[0])
        assert.deepStrictEqual(yield* placesOf(organization, workflow), {
          [orders[0]]: "waiting came",
          [orders[1]]: "waiting wait"
        })
        const whose = new Set((yield* runsOf(organization, workflow)).map((run) => run.contactId))
        assert.deepStrictEqual(whose, new Set([isUndone ? contactId : other.id]))
      }
    })
  )

  it.effect("of a cart is refused: nothing that happens to one can be waited for", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const left = { event: { event: "cart.abandoned", seconds: 900 }, by: "cart" } as const
      const workflow = yield* published(organization, awaiting(left, { event: "order.created" }, "cart"))
      const { faults } = yield* validateWorkflow({ id: workflow.id }).pipe(asOwnerOf(organization))
      assert.deepStrictEqual(
        faults.map(({ pointer }) => pointer),
        ["/graph/nodes/0/match"]
      )
    })
  )
})
