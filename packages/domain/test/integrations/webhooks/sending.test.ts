import { assert, layer } from "@effect/vitest"
import {
  CurrentActor,
  CurrentOrganization,
  EventResources,
  Ids,
  Outbox,
  type Permission,
  transact
} from "@parley/domain/kernel"
import { type Organization, runDueJobs, sendDueEmails, EventCursors, runDueLanes } from "@parley/domain/platform"
import { eraseContact, getContact } from "@parley/domain/crm"
import {
  createWebhookSubscription,
  disableWebhookSubscription,
  enableWebhookSubscription,
  getWebhookDelivery,
  getWebhookSubscription,
  listWebhookDeliveries,
  redeliverWebhook,
  replayWebhookEvents,
  rotateWebhookSecret,
  testWebhookSubscription,
  updateWebhookSubscription,
  webhookLaneWorker,
  type WebhookSubscription
} from "@parley/domain/integrations"
import { updateBroadcastSettings } from "@parley/domain/campaigns"
import { createAutomation, createSchedule, createWorkflow, updateAutomationSettings } from "@parley/domain/automation"
import { layerJobKinds, listEvents } from "@parley/domain/composition"
import {
  asOperatorOf,
  asOwnerOf,
  givenAutomationRun,
  givenContact,
  givenConversation,
  givenMember,
  givenOrganization,
  givenReceived,
  MemoryReceivers,
  putPlugin,
  ReceiverScript,
  SentMails,
  TestKit
} from "@parley/testkit"
import { Deferred, Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { webhookTasks } from "../../../src/integrations/webhooks/sending/deliveryLanes.ts"
import { deliveryFanOut } from "../../../src/integrations/webhooks/subscriptionLanes.ts"
import { bodiesAt, bodiesByPosition, bodyOf, deliver, send, settleReactions, subscribed, tell } from "./given.ts"

const { accepted, refused } = MemoryReceivers

const anything = { state: null, type: null, from: null, to: null }

const deliveriesOf = (organization: Organization, { id }: Pick<WebhookSubscription, "id">) =>
  listWebhookDeliveries({ id, ...anything, page: { limit: 100, cursor: null } }).pipe(
    asOperatorOf(organization),
    Effect.map(({ data }) => data.toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0)))
  )

const statesOf = (organization: Organization, subscription: WebhookSubscription) =>
  Effect.map(deliveriesOf(organization, subscription), (all) => all.map(({ state }) => state))

const answers = (url: string, outcome: typeof accepted) =>
  Effect.map(ReceiverScript, (script) => script.answer(url, () => Effect.succeed(outcome)))

const read = (organization: Organization, { id }: Pick<WebhookSubscription, "id">) =>
  asOperatorOf(organization)(getWebhookSubscription({ id }))

/** Subjects of the emails to a person. */
const mailsTo = (email: string) =>
  Effect.gen(function* () {
    yield* sendDueEmails
    return (yield* (yield* SentMails).to(email)).map(({ subject }) => subject)
  })

const asOrganization = ({ id }: Organization) => Effect.provideService(CurrentOrganization, { id })

/** Deletes expired data in all organizations. */
const sweepWebhooks = webhookTasks[1].run

const started = givenOrganization({ plan: "scale" })

const eventsOf = (organization: Organization, beginning: string) =>
  listEvents({ page: { limit: 100, cursor: null } }).pipe(
    asOperatorOf(organization),
    Effect.map(({ data }) => data.map(({ event }) => event.event.type).filter((type) => type.startsWith(beginning)))
  )

layer(TestKit.layer)("deliveries", (it) => {
  it.effect("are made of the events that a subscription is for, once, with the id that is always the same", () =>
    Effect.gen(function* () {
      const organization = yield* started
      yield* tell(organization, "before")
      const subscription = yield* subscribed(organization, {
        filter: { field: "event.tagId", op: "is_not", value: "skipped" }
      })
      yield* tell(organization, "one", "skipped", "two")
      yield* deliver(organization)
      yield* deliver(organization)
      const bodies = yield* bodiesByPosition(subscription.url)
      assert.deepStrictEqual(
        bodies.map(({ data }) => data),
        [{ tagId: "one" }, { tagId: "two" }]
      )
      const [first] = bodies
      const { derived } = yield* Ids
      const position = Number(first?.["position"])
      assert.strictEqual(first?.["id"], yield* derived(subscription.id, String(position)))
      const next = yield* listEvents({ page: { limit: 1, cursor: String(first?.["cursor"]) } }).pipe(
        asOperatorOf(organization)
      )
      assert.strictEqual(next.data[0]?.event.position, position + 1)
      assert.deepStrictEqual(
        { ...first, id: 0, cursor: 0, position: 0, timestamp: 0 },
        {
          type: "tag.created",
          timestamp: 0,
          version: "v1",
          id: 0,
          organizationId: organization.id,
          position: 0,
          cursor: 0,
          actor: { kind: "operator", id: "testkit" },
          causation: null,
          data: { tagId: "one" },
          resource: null
        }
      )
      assert.deepStrictEqual(yield* statesOf(organization, subscription), ["delivered", "delivered"])
    })
  )

  it.effect("are tried again after the gaps, without keeping others back, and fail after the last", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const [dead, sound] = [yield* subscribed(organization), yield* subscribed(organization)]
      yield* answers(dead.url, refused)
      yield* tell(organization, "one")
      yield* deliver(organization)
      assert.deepStrictEqual(yield* statesOf(organization, sound), ["delivered"])
      assert.deepStrictEqual(yield* statesOf(organization, dead), ["pending"])
      for (const wait of ["6 seconds", "64 seconds", "6 minutes"] as const) {
        yield* TestClock.adjust(wait)
        yield* send
      }
      const [delivery] = yield* deliveriesOf(organization, dead)
      assert.strictEqual(delivery?.attempts, 4)
      yield* answers(dead.url, accepted)
      yield* TestClock.adjust("32 minutes")
      yield* send
      if (delivery === undefined) return assert.fail("There is no delivery.")
      const log = yield* getWebhookDelivery({ id: dead.id, deliveryId: delivery.id }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(
        log.log.map(({ error, number }) => [number, error]),
        [
          [5, null],
          [4, "status"],
          [3, "status"],
          [2, "status"],
          [1, "status"]
        ]
      )
      assert.strictEqual(log.state, "delivered")
    })
  )

  it.effect("wait behind an open circuit, spending nothing, and go on with the oldest after a success", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const subscription = yield* subscribed(organization)
      yield* answers(subscription.url, refused)
      yield* tell(organization, ...Array.from({ length: 14 }, (_, index) => `t${index}`))
      yield* deliver(organization)
      assert.strictEqual((yield* read(organization, subscription)).circuit, "open")
      const posted = (yield* bodiesAt(subscription.url)).length
      assert.isTrue(posted >= 10 && posted <= 14)
      yield* TestClock.adjust("50 seconds")
      yield* send
      assert.lengthOf(yield* bodiesAt(subscription.url), posted)
      yield* TestClock.adjust("11 seconds")
      yield* send
      assert.lengthOf(yield* bodiesAt(subscription.url), posted + 1)
      yield* answers(subscription.url, accepted)
      yield* TestClock.adjust("2 minutes")
      yield* send
      assert.deepStrictEqual(new Set(yield* statesOf(organization, subscription)), new Set(["delivered"]))
      const after = (yield* bodiesAt(subscription.url)).slice(posted + 1).map(({ position }) => Number(position))
      assert.strictEqual(after[0], Math.min(...after))
      assert.strictEqual((yield* read(organization, subscription)).circuit, "closed")
    })
  )

  it.effect("leave immediately after a successful test, which closes the circuit", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const subscription = yield* subscribed(organization)
      const test = asOwnerOf(organization)(testWebhookSubscription({ id: subscription.id }))
      yield* answers(subscription.url, refused)
      yield* tell(organization, ...Array.from({ length: 30 }, (_, index) => `t${index}`))
      yield* deliver(organization)
      const posted = (yield* bodiesAt(subscription.url)).length
      yield* test
      yield* send
      assert.strictEqual((yield* read(organization, subscription)).circuit, "open")
      assert.lengthOf(yield* bodiesAt(subscription.url), posted + 1)
      yield* answers(subscription.url, accepted)
      yield* test
      const tested = yield* read(organization, subscription)
      assert.deepStrictEqual([tested.circuit, tested.lastSuccessAt], ["closed", null])
      yield* send
      assert.lengthOf(yield* bodiesAt(subscription.url), posted + 2 + (30 - posted))
      const states = yield* statesOf(organization, subscription)
      assert.lengthOf(
        states.filter((state) => state === "delivered"),
        30 - posted
      )
    })
  )

  it.effect("stay behind the open circuit when the subscription changes during the test", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const subscription = yield* subscribed(organization)
      yield* answers(subscription.url, refused)
      yield* tell(organization, ...Array.from({ length: 14 }, (_, index) => `t${index}`))
      yield* deliver(organization)
      const script = yield* ReceiverScript
      const [asked, answered] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      script.answer(subscription.url, () =>
        Deferred.succeed(asked, undefined).pipe(Effect.andThen(Deferred.await(answered)), Effect.as(accepted))
      )
      const testing = yield* asOwnerOf(organization)(testWebhookSubscription({ id: subscription.id })).pipe(
        Effect.forkChild
      )
      yield* Deferred.await(asked)
      yield* asOwnerOf(organization)(
        updateWebhookSubscription({ id: subscription.id, name: "Another", ifVersion: null })
      )
      yield* Deferred.succeed(answered, undefined)
      yield* Fiber.join(testing)
      assert.strictEqual((yield* read(organization, subscription)).circuit, "open")
    })
  )

  it.effect("end when the receiver is gone: admins are notified, the queue is discarded, and replay is possible", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const owner = yield* givenMember(organization, "owner")
      const subscription = yield* subscribed(organization)
      yield* tell(organization, "one")
      yield* deliver(organization)
      yield* answers(subscription.url, { ...refused, status: 410 })
      yield* tell(organization, "two", "three")
      yield* deliver(organization)
      const disabled = yield* read(organization, subscription)
      assert.deepStrictEqual([disabled.status, disabled.disabledReason], ["disabled", "gone"])
      assert.deepStrictEqual(yield* statesOf(organization, subscription), ["delivered", "discarded", "discarded"])
      assert.include(yield* eventsOf(organization, "webhook_subscription."), "webhook_subscription.disabled")
      yield* tell(organization, "four")
      yield* deliver(organization)
      assert.lengthOf(yield* deliveriesOf(organization, subscription), 3)
      assert.deepStrictEqual(yield* mailsTo(owner.user.email), [`Your webhook ERP is disabled`])

      yield* answers(subscription.url, accepted)
      const refusedReplay = replayWebhookEvents({ id: subscription.id, after: 0 }).pipe(asOperatorOf(organization))
      assert.strictEqual((yield* Effect.flip(refusedReplay))._tag, "WebhookSubscriptionDisabled")
      yield* enableWebhookSubscription({ id: subscription.id, ifVersion: null }).pipe(asOperatorOf(organization))
      yield* deliver(organization)
      const after = disabled.disabledAtPosition ?? -1
      yield* replayWebhookEvents({ id: subscription.id, after }).pipe(asOperatorOf(organization))
      yield* Effect.provide(runDueJobs, layerJobKinds, { local: true })
      yield* send
      const tags = (yield* bodiesAt(subscription.url)).map(({ data }) => (data as { tagId: string }).tagId)
      assert.sameMembers(Array.from(new Set(tags)), ["one", "two", "three", "four"])
      assert.strictEqual(tags.filter((tag) => tag === "one").length, 1)
    })
  )

  it.effect("of one subject come one after another, and hold back no other subject", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const subscription = yield* subscribed(organization, { ordering: "subject" })
      const script = yield* ReceiverScript
      script.answer(subscription.url, (request) =>
        Effect.succeed((bodyOf(request)["data"] as { tagId: string }).tagId === "a" ? refused : accepted)
      )
      yield* tell(organization, "a", "a", "b", "b")
      yield* deliver(organization)
      assert.deepStrictEqual(yield* statesOf(organization, subscription), [
        "pending",
        "pending",
        "delivered",
        "delivered"
      ])
      assert.lengthOf(yield* bodiesAt(subscription.url), 3)
      yield* answers(subscription.url, accepted)
      yield* TestClock.adjust("6 seconds")
      yield* send
      assert.deepStrictEqual(new Set(yield* statesOf(organization, subscription)), new Set(["delivered"]))
    })
  )

  it.effect("are on their way five at a time at the most, and a slow receiver keeps no other waiting", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const [slow, quick] = [yield* subscribed(organization), yield* subscribed(organization)]
      const answered = yield* Deferred.make<void>()
      const script = yield* ReceiverScript
      let atOnce = 0
      let most = 0
      script.answer(slow.url, () =>
        Effect.gen(function* () {
          atOnce += 1
          most = Math.max(most, atOnce)
          yield* Deferred.await(answered)
          atOnce -= 1
          return accepted
        })
      )
      const quickDone = yield* Deferred.make<void>()
      let quickCount = 0
      script.answer(quick.url, () =>
        Effect.gen(function* () {
          quickCount += 1
          if (quickCount === 12) yield* Deferred.succeed(quickDone, undefined)
          return accepted
        })
      )
      yield* tell(organization, ...Array.from({ length: 12 }, (_, index) => `t${index}`))
      yield* settleReactions(organization)
      const sending = yield* Effect.forkChild(send)
      yield* Deferred.await(quickDone)
      yield* Deferred.succeed(answered, undefined)
      yield* Fiber.join(sending)
      assert.strictEqual(most, 5)
      assert.deepStrictEqual(new Set(yield* statesOf(organization, slow)), new Set(["delivered"]))
    })
  )

  it.effect("are redelivered on request, without a change after another failure", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const subscription = yield* subscribed(organization)
      yield* tell(organization, "one")
      yield* deliver(organization)
      const [delivery] = yield* deliveriesOf(organization, subscription)
      if (delivery === undefined) return assert.fail("There is no delivery.")
      yield* disableWebhookSubscription({ id: subscription.id, ifVersion: null }).pipe(asOperatorOf(organization))
      yield* answers(subscription.url, refused)
      yield* redeliverWebhook({ id: subscription.id, deliveryId: delivery.id }).pipe(asOperatorOf(organization))
      yield* send
      const [after] = yield* deliveriesOf(organization, subscription)
      assert.deepStrictEqual([after?.state, after?.attempts, after?.nextAttemptAt], ["delivered", 2, null])
      const [one, two] = yield* bodiesAt(subscription.url)
      assert.deepStrictEqual(one, two)
    })
  )

  it.effect("are signed with every live secret, and carry the headers that were said", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const subscription = yield* subscribed(organization, { headers: { "X-Team": "orders" } })
      const { secret } = yield* rotateWebhookSecret({ id: subscription.id, overlapSeconds: 60 }).pipe(
        asOperatorOf(organization)
      )
      const script = yield* ReceiverScript
      yield* tell(organization, "one")
      yield* deliver(organization)
      yield* TestClock.adjust("61 seconds")
      yield* tell(organization, "two")
      yield* deliver(organization)
      const [one, two] = script.posted(subscription.url)
      const [newest, former] = [Redacted.value(secret), Redacted.value(subscription.secret)]
      assert.deepStrictEqual(one?.secrets.map(Redacted.value), [newest, former])
      assert.deepStrictEqual(two?.secrets.map(Redacted.value), [newest])
      assert.match(newest, /^whsec_[A-Za-z0-9+/]{43}=$/u)
      assert.deepStrictEqual(
        Object.entries(one?.headers ?? {}).map(([name, value]) => [name, Redacted.value(value)]),
        [["x-team", "orders"]]
      )
    })
  )

  it.effect("omit headers at another scheme, host or port unless the change specifies them again", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const subscription = yield* subscribed(organization, { headers: { "X-Team": "orders", "x-key": "s3cret" } })
      const { host } = new URL(subscription.url)
      const update = (patch: Omit<Parameters<typeof updateWebhookSubscription>[0], "id" | "ifVersion">) =>
        updateWebhookSubscription({ id: subscription.id, ...patch, ifVersion: null }).pipe(asOperatorOf(organization))
      const script = yield* ReceiverScript
      for (const url of [`https://evil.example/hook`, `https://${host}:8443/hook`, `https://x.${host}/hook`]) {
        for (const [patch, missing] of [
          [{ url }, ["/headers/x-team", "/headers/x-key"]],
          [{ url, headers: { "x-team": null, "x-key": null } }, ["/headers/x-team", "/headers/x-key"]],
          [{ url, headers: { "X-Key": "an0ther", "x-team": null } }, ["/headers/x-team"]]
        ] as const) {
          const error = yield* Effect.flip(update(patch))
          assert.deepStrictEqual(
            error._tag === "ValidationFailed" ? error.errors.map(({ pointer }) => pointer) : [error._tag],
            [...missing]
          )
        }
      }
      const samePlace = yield* update({ url: `https://${host.toUpperCase()}:443/other` })
      yield* tell(organization, "one")
      yield* deliver(organization)
      const moved = yield* update({ url: "https://moved.example/hook", headers: { "x-key": "n3w" } })
      assert.deepStrictEqual(moved.headers, { "x-key": null })
      yield* tell(organization, "two")
      yield* deliver(organization)
      const headersAt = (url: string) =>
        script
          .posted(url)
          .map(({ headers }) => Object.entries(headers).map(([name, value]) => [name, Redacted.value(value)]))
      assert.deepStrictEqual(headersAt(samePlace.url), [
        [
          ["x-team", "orders"],
          ["x-key", "s3cret"]
        ]
      ])
      assert.deepStrictEqual(headersAt(moved.url), [[["x-key", "n3w"]]])
      assert.strictEqual(
        (yield* update({ url: "https://again.example/hook", headers: {} })).headers["x-key"],
        undefined
      )
    })
  )

  it.effect("keeps nothing back because what one event is about cannot be read", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const subscription = yield* subscribed(organization, { payload: "full" })
      yield* tell(organization, "a tag that is read in vain", "another one")
      yield* settleReactions(organization)
      const broken = EventResources.of({ read: () => Effect.die(new Error("broken")) })
      yield* Effect.provideService(runDueLanes(webhookLaneWorker), EventResources, broken)
      assert.deepStrictEqual(yield* statesOf(organization, subscription), ["delivered", "delivered"])
      assert.deepStrictEqual(
        (yield* bodiesAt(subscription.url)).map(({ resource }) => resource),
        [null, null]
      )
    })
  )

  it.effect("have the current resource, and none of an erased contact", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const subscription = yield* subscribed(organization, { events: ["contact.created"], payload: "full" })
      const [kept, erased] = [yield* givenContact(organization), yield* givenContact(organization)]
      yield* settleReactions(organization)
      yield* eraseContact({ id: erased.id, ifVersion: null }).pipe(asOperatorOf(organization))
      yield* send
      const bodies = yield* bodiesByPosition(subscription.url)
      assert.deepStrictEqual(
        bodies.map(({ resource }) => (resource as { name: string } | null)?.name ?? null),
        [(yield* getContact({ id: kept.id }).pipe(asOperatorOf(organization))).name, null]
      )
    })
  )

  it.effect("have automations, their runs and their settings, workflows, schedules and plugins as well", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const acting = asOwnerOf(organization)
      const areas = ["automation.*", "automations.*", "workflow.*", "schedule.*", "plugin.*", "broadcast_settings.*"]
      const { url } = yield* subscribed(organization, { events: areas, payload: "full" })
      const automation = yield* acting(createAutomation({ name: "Greet" }))
      yield* acting(updateAutomationSettings({ paused: true, ifVersion: null }))
      const workflow = yield* acting(createWorkflow({ name: "Lead" }))
      const schedule = yield* acting(createSchedule({ name: "Desk", weekly: {} }))
      yield* acting(updateBroadcastSettings({ attributionHours: 48, ifVersion: null }))
      const plugin = yield* putPlugin(organization)
      const failed = yield* givenAutomationRun(organization, automation.id)
      yield* Effect.flatMap(Outbox, ({ append }) =>
        Effect.andThen(
          append({ type: "plugin.updated", pluginId: plugin.id, fields: [] }),
          append({ type: "automation.run_failed", automationId: automation.id, runId: failed.id })
        )
      ).pipe(transact, asOperatorOf(organization))
      yield* deliver(organization)
      const resources = (yield* bodiesByPosition(url)).map(({ resource, type }) => [type, resource])
      const idOf = (resource: unknown) => Reflect.get(Object(resource), "id") as unknown
      assert.deepStrictEqual(
        resources.map(([type, resource]) => [type, idOf(resource) ?? null]),
        [
          ["automation.created", automation.id],
          ["automations.paused", null],
          ["workflow.created", workflow.id],
          ["schedule.created", schedule.id],
          ["broadcast_settings.updated", null],
          ["plugin.updated", plugin.id],
          ["automation.run_failed", failed.id]
        ]
      )
      assert.deepInclude(resources[1]?.[1], { paused: true })
      assert.deepInclude(resources[4]?.[1], { attributionHours: 48 })
    })
  )

  it.effect("contain only contact data that the author of the subscription can see", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const bounded = (...permissions: ReadonlyArray<Permission>) =>
        Effect.provideService(CurrentActor, {
          kind: "delegate",
          for: { kind: "token", id: "t" },
          permissions: new Set<Permission>(["webhook_subscriptions.manage", ...permissions])
        })
      const subscribe = (name: string, permissions: ReadonlyArray<Permission>) =>
        createWebhookSubscription({
          name,
          url: `https://${name}.example/hook`,
          events: ["message.received", "conversation.opened", "automation.run_failed"],
          payload: "full"
        }).pipe(bounded(...permissions), asOrganization(organization))
      const narrow = yield* subscribe("narrow", ["conversations.read", "automations.read"])
      const wide = yield* subscribe("wide", [
        "conversations.read",
        "automations.read",
        "contacts.read",
        "commerce.read"
      ])
      const contact = yield* givenContact(organization, { name: "Grace Hopper", phone: "+491701230001" })
      const recipient = { kind: "phone", value: "+491701230001" } as const
      const conversation = yield* givenConversation(organization, { contactId: contact.id, recipient })
      yield* givenReceived(organization, conversation, { recipient, raw: { from: recipient.value } })
      const automation = yield* asOwnerOf(organization)(createAutomation({ name: "Greet" }))
      const run = yield* givenAutomationRun(organization, automation.id, {
        conditions: { field: "phone", op: "is", value: "+1", saw: recipient.value, held: false }
      })
      yield* Effect.flatMap(Outbox, ({ append }) =>
        append({ type: "automation.run_failed", automationId: automation.id, runId: run.id })
      ).pipe(transact, asOperatorOf(organization))
      yield* deliver(organization)
      const [shown, hidden] = [yield* bodiesByPosition(wide.url), yield* bodiesByPosition(narrow.url)]
      assert.deepStrictEqual(
        hidden.map(({ type }) => type),
        shown.map(({ type }) => type)
      )
      assert.isNotEmpty(hidden)
      for (const { resource, type } of shown) assert.include(JSON.stringify(resource), recipient.value, String(type))
      for (const { resource } of hidden) {
        assert.isNotNull(resource)
        assert.notInclude(JSON.stringify(resource), recipient.value)
        assert.notInclude(JSON.stringify(resource), "Grace Hopper")
      }
    })
  )

  it.effect("are limited to the data that the author of the subscription can see", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const bounded = (...permissions: ReadonlyArray<Permission>) =>
        Effect.provideService(CurrentActor, {
          kind: "delegate",
          for: { kind: "token", id: "t" },
          permissions: new Set<Permission>(["webhook_subscriptions.manage", ...permissions])
        })
      const input = { name: "All", url: "https://bounded.example/hook", events: ["*"] }
      const create = (events: ReadonlyArray<string>) => createWebhookSubscription({ ...input, events })
      const denied = yield* Effect.flip(create(["tag.created"]).pipe(bounded(), asOrganization(organization)))
      assert.strictEqual(denied._tag, "PermissionDenied")
      const { id, permissions } = yield* create(["*"]).pipe(bounded("broadcasts.read"), asOrganization(organization))
      assert.deepStrictEqual(permissions, ["broadcasts.read"])
      yield* tell(organization, "one")
      yield* deliver(organization)
      assert.isEmpty(yield* bodiesAt(input.url))
      // A new URL requires the caller's own permissions: a token cannot redirect the data of the owner.
      const owners = yield* createWebhookSubscription({ ...input, events: ["tag.*"] }).pipe(asOwnerOf(organization))
      const moved = updateWebhookSubscription({ id: owners.id, url: "https://elsewhere.example/x", ifVersion: null })
      assert.strictEqual(
        (yield* Effect.flip(moved.pipe(bounded(), asOrganization(organization))))._tag,
        "PermissionDenied"
      )
      const renamed = yield* updateWebhookSubscription({ id, name: "Mine", ifVersion: null }).pipe(
        bounded(),
        asOrganization(organization)
      )
      assert.deepStrictEqual(renamed.permissions, ["broadcasts.read"])
    })
  )

  it.effect("in the queue end, and are not redelivered, after a new author with fewer permissions", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const owners = yield* subscribed(organization)
      yield* tell(organization, "one")
      yield* deliver(organization)
      const [one] = yield* deliveriesOf(organization, owners)
      if (one === undefined) return assert.fail("There is no delivery.")
      yield* tell(organization, "two")
      yield* settleReactions(organization)
      yield* redeliverWebhook({ id: owners.id, deliveryId: one.id }).pipe(asOperatorOf(organization))
      const url = `https://${owners.id}.example/mine`
      yield* updateWebhookSubscription({ id: owners.id, url, events: ["*"], ifVersion: null }).pipe(
        Effect.provideService(CurrentActor, {
          kind: "delegate",
          for: { kind: "token", id: "t" },
          permissions: new Set<Permission>(["webhook_subscriptions.manage", "broadcasts.read"])
        }),
        asOrganization(organization)
      )
      yield* deliver(organization)
      assert.isEmpty(yield* bodiesAt(url))
      assert.lengthOf(yield* bodiesAt(owners.url), 1)
      assert.deepStrictEqual(yield* statesOf(organization, owners), ["delivered", "discarded"])
      const denied = yield* Effect.flip(
        redeliverWebhook({ id: owners.id, deliveryId: one.id }).pipe(asOperatorOf(organization))
      )
      assert.deepInclude(denied, { _tag: "PermissionDenied", permission: "contacts.read" })
    })
  )

  it.effect("start with the next event, after any time without notifications", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const cursorNow = Effect.flatMap(EventCursors, (port) => port.list([deliveryFanOut])).pipe(
        asOperatorOf(organization),
        Effect.map(([cursor]) => ({ position: cursor?.position, waits: cursor?.next !== null }))
      )
      const change = <A, E, R>(effect: Effect.Effect<A, E, R>) => asOperatorOf(organization)(effect)
      yield* tell(organization, "first")
      yield* settleReactions(organization)
      const resting = yield* cursorNow
      yield* tell(organization, "unheard", "unheard too")
      yield* settleReactions(organization)
      assert.deepStrictEqual(yield* cursorNow, { ...resting, waits: false })
      const subscription = yield* subscribed(organization)
      const startedAt = (yield* listEvents({ page: { limit: 100, cursor: null } }).pipe(change)).data.length
      yield* tell(organization, "one")
      yield* deliver(organization)
      const heard = Effect.map(bodiesByPosition(subscription.url), (bodies) => bodies.map(({ data }) => data))
      assert.deepStrictEqual(yield* heard, [{ tagId: "one" }])
      const disabled = yield* change(disableWebhookSubscription({ id: subscription.id, ifVersion: null }))
      assert.isAtLeast(disabled.disabledAtPosition ?? 0, startedAt)
      yield* tell(organization, "missed")
      yield* deliver(organization)
      yield* tell(organization, "missed too")
      yield* deliver(organization)
      yield* change(enableWebhookSubscription({ id: subscription.id, ifVersion: null }))
      yield* tell(organization, "two")
      yield* deliver(organization)
      assert.deepStrictEqual(yield* heard, [{ tagId: "one" }, { tagId: "two" }])
      yield* change(updateWebhookSubscription({ id: subscription.id, events: [], ifVersion: null }))
      yield* tell(organization, "nobody's")
      yield* deliver(organization)
      yield* change(updateWebhookSubscription({ id: subscription.id, events: ["tag.*"], ifVersion: null }))
      yield* tell(organization, "three")
      yield* deliver(organization)
      assert.deepStrictEqual((yield* heard).at(-1), { tagId: "three" })
      yield* change(disableWebhookSubscription({ id: subscription.id, ifVersion: null }))
    })
  )

  it.effect("of a subscription that is disabled before anything happened are missed from where it began", () =>
    Effect.gen(function* () {
      const organization = yield* started
      yield* tell(organization, "first")
      yield* settleReactions(organization)
      yield* tell(organization, "before", "before too")
      const subscription = yield* subscribed(organization)
      const { data } = yield* listEvents({ page: { limit: 100, cursor: null } }).pipe(asOperatorOf(organization))
      const { disabledAtPosition } = yield* disableWebhookSubscription({ id: subscription.id, ifVersion: null }).pipe(
        asOperatorOf(organization)
      )
      // The last event but one is about a tag. The last one is about the subscription itself.
      assert.strictEqual(disabledAtPosition, data.length - 1)
    })
  )

  it.effect("cause a notification after a day of failures and end after five days", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const owner = yield* givenMember(organization, "owner")
      const subscription = yield* subscribed(organization)
      yield* answers(subscription.url, refused)
      for (let hours = 0; hours < 126; hours += 6) {
        yield* tell(organization, `h${hours}`)
        yield* deliver(organization)
        yield* TestClock.adjust("6 hours")
        yield* send
        yield* sendDueEmails
      }
      const types = yield* eventsOf(organization, "webhook_subscription.")
      assert.deepStrictEqual(types, [
        "webhook_subscription.created",
        "webhook_subscription.failing",
        "webhook_subscription.disabled"
      ])
      assert.strictEqual((yield* read(organization, subscription)).disabledReason, "failing")
      assert.deepStrictEqual(yield* mailsTo(owner.user.email), [
        "Your webhook ERP has been failing for a day",
        "Your webhook ERP is disabled"
      ])
    })
  )

  it.effect("are forgotten after thirty days, with their attempts, and no sooner", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const subscription = yield* subscribed(organization)
      yield* tell(organization, "old")
      yield* deliver(organization)
      const [old = assert.fail("nothing was delivered")] = yield* deliveriesOf(organization, subscription)
      yield* TestClock.adjust("2 days")
      yield* tell(organization, "young")
      yield* deliver(organization)
      yield* TestClock.adjust("27 days")
      yield* sweepWebhooks
      assert.lengthOf(yield* deliveriesOf(organization, subscription), 2)
      yield* TestClock.adjust("25 hours")
      yield* sweepWebhooks
      const [young, ...others] = yield* deliveriesOf(organization, subscription)
      assert.deepStrictEqual([young?.position, others], [(old.position ?? 0) + 1, []])
      const gone = yield* Effect.flip(
        getWebhookDelivery({ id: subscription.id, deliveryId: old.id }).pipe(asOperatorOf(organization))
      )
      assert.strictEqual(gone._tag, "NotFound")
    })
  )
})
