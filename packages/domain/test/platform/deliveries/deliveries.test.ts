import { assert, describe, it } from "@effect/vitest"
import { nextId, transact, UnitOfWork, Vault } from "@parley/domain/kernel"
import {
  inboundDeliveryWorker,
  InboundDeliveryId,
  InboundDeliveryQueue,
  type DeliverySource,
  DeliverySources,
  LaneQueue,
  listInboundDeliveries,
  sharedLane,
  type Organization,
  parkInboundDelivery,
  replayInboundDelivery,
  runLanes,
  Shards,
  getInboundDelivery,
  sweepInboundDeliveries,
  runDueLanes
} from "@parley/domain/platform"
import {
  type ChatAccount,
  ChatAccounts,
  ChatSettings,
  type InboundEvent,
  receiveChatDelivery,
  removeChatAccount,
  type Message,
  Messages,
  verifyChatWebhook
} from "@parley/domain/messaging"
import { layerDeliverySources, processDueDeliveries } from "@parley/domain/composition"
import { asOperatorOf, givenContact, givenOrganization, MemoryChat } from "@parley/testkit"
import { DateTime, Deferred, type Duration, Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { crashAt, runOut, runUntil } from "../../messaging/inbox/crashing.ts"
import {
  alone,
  appSecret,
  givenChatAccount,
  givenConversation,
  givenQueued,
  signed,
  test
} from "../../messaging/inbox/given.ts"
import { chance, eventsOf, moments, retold, seeds, storyEnd } from "../../messaging/inbox/story.ts"
import { comparable, givenStage, readStage } from "../../messaging/inbox/telling.ts"
import { tagOf } from "../../tagOf.ts"

const list = (organization: Organization) =>
  Effect.map(
    listInboundDeliveries({ page: { limit: 100, cursor: null } }).pipe(asOperatorOf(organization), Effect.orDie),
    ({ data }) => data
  )

const statesOf = (organization: Organization) =>
  Effect.map(list(organization), (rows) => rows.map(({ state }) => state).toSorted())

const input = (phoneId: string, id: string, text = "Hello"): InboundEvent => ({
  kind: "message",
  phoneId,
  id,
  at: storyEnd,
  from: { phone: "+491701234561", chatUser: null, name: "Ada" },
  content: { kind: "text", text },
  replyTo: null,
  fromAdvertisement: false
})

const bytesOf = (events: ReadonlyArray<InboundEvent>) =>
  Effect.map(MemoryChat.ChatScript, ({ deliver }) => deliver(events, appSecret).body)

/** Delivers to the organization's own app. */
const deliver = Effect.fnUntraced(function* (
  organization: Pick<Organization, "id">,
  events: ReadonlyArray<InboundEvent>
) {
  const body = yield* bytesOf(events)
  yield* receiveChatDelivery({
    organizationId: organization.id,
    body: body,
    headers: { "x-hub-signature-256": signed(body) }
  })
})

/** A message sent over this number. */
const readyToBeRead = Effect.fnUntraced(function* (organization: Organization, account: ChatAccount) {
  const contact = yield* givenContact(organization)
  const conversation = yield* givenConversation(organization, contact, account)
  return yield* givenQueued(organization, conversation, { status: "sent", providerMessageId: "wamid.out" })
})

const readReceipt = (phoneId: string, { id }: Message): InboundEvent => ({
  kind: "receipt",
  phoneId,
  id: "wamid.out",
  at: storyEnd,
  status: "read",
  to: { phone: null, chatUser: null },
  reference: id,
  error: null
})

const given = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(storyEnd))
  const organization = yield* givenOrganization({ plan: "scale" })
  return { organization, account: yield* givenChatAccount(organization) }
})

const platformApp = {
  provider: "whatsapp",
  appId: "1",
  signupConfigurationId: null,
  appSecrets: [Redacted.make("platform-new"), Redacted.make("platform-old")],
  verifyToken: Redacted.make("platform-verify")
}

const onPlatform = Effect.provideService(ChatSettings, { publicUrl: "https://parley.test", platformApp })

describe("the handshake", () => {
  const shake = (token: string, mode = "subscribe") => ({
    "hub.mode": mode,
    "hub.verify_token": token,
    "hub.challenge": "4711"
  })

  test("is answered with the challenge for the verify token of this organization", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const other = yield* givenOrganization()
      const mine = shake(`verify ${account.id}`)
      assert.strictEqual(yield* verifyChatWebhook({ organizationId: organization.id, query: mine }), "4711")
      const forbidden = "WebhookForbidden"
      assert.strictEqual(yield* tagOf(verifyChatWebhook({ organizationId: other.id, query: mine })), forbidden)
      assert.strictEqual(
        yield* tagOf(verifyChatWebhook({ organizationId: organization.id, query: shake("wrong") })),
        forbidden
      )
      assert.strictEqual(
        yield* tagOf(verifyChatWebhook({ organizationId: organization.id, query: shake("") })),
        forbidden
      )
      assert.strictEqual(
        yield* tagOf(
          verifyChatWebhook({ organizationId: organization.id, query: { ...mine, "hub.mode": "unsubscribe" } })
        ),
        forbidden
      )
      assert.strictEqual(
        yield* tagOf(
          verifyChatWebhook({ organizationId: organization.id, query: { ...mine, "hub.verify_token": undefined } })
        ),
        forbidden
      )
      assert.strictEqual(yield* tagOf(onPlatform(verifyChatWebhook({ organizationId: null, query: mine }))), forbidden)
    }).pipe(onPlatform))

  test("is answered for the platform app, where there is one", () =>
    Effect.gen(function* () {
      const platform = shake("platform-verify")
      assert.strictEqual(yield* onPlatform(verifyChatWebhook({ organizationId: null, query: platform })), "4711")
      const without = Effect.provideService(ChatSettings, { publicUrl: "https://parley.test", platformApp: null })
      assert.strictEqual(
        yield* tagOf(without(verifyChatWebhook({ organizationId: null, query: platform }))),
        "WebhookForbidden"
      )
      assert.strictEqual(
        yield* tagOf(without(verifyChatWebhook({ organizationId: null, query: shake("") }))),
        "WebhookForbidden"
      )
    }))
})

describe("a delivery", () => {
  test("is stored before it is answered, and once however often it comes", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const events = [input(account.externalPhoneId, "wamid.1")]
      for (let time = 0; time < 3; time += 1) yield* deliver(organization, events)
      const [delivery, ...others] = yield* list(organization)
      assert.isEmpty(others)
      assert.deepStrictEqual(
        [delivery?.state, delivery?.attempts, delivery?.receivedAt, delivery?.events],
        ["waiting", 0, storyEnd, null]
      )
    }).pipe(onPlatform))

  test("with a bad signature stores nothing, and says the same as for an organization that there is not", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const other = yield* givenOrganization()
      const body = yield* bytesOf([input(account.externalPhoneId, "wamid.1")])
      const good = signed(body)
      const flipped = Uint8Array.from(body, (byte, at) => (at === 5 ? byte ^ 1 : byte))
      for (const [id, bytes, signature] of [
        [organization.id, body, undefined],
        [organization.id, body, ""],
        [organization.id, body, signed(body, Redacted.make("other"))],
        [organization.id, body, good.slice(0, -1)],
        [organization.id, flipped, good],
        [other.id, body, good],
        [null, body, good]
      ] as const) {
        assert.strictEqual(
          yield* tagOf(
            receiveChatDelivery({ organizationId: id, body: bytes, headers: { "x-hub-signature-256": signature } })
          ),
          "WebhookSignatureInvalid"
        )
      }
      assert.isEmpty(yield* list(organization))
      assert.isEmpty(yield* list(other))
    }).pipe(onPlatform))

  test("may be signed with the former secret for as long as that is good", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const former = Redacted.make("former-secret")
      const sealed = yield* (yield* Vault).seal(`chat_account/${organization.id}/${account.id}/app_secret`, former)
      const until = DateTime.add(storyEnd, { days: 1 })
      const accounts = yield* ChatAccounts
      const rotate = Effect.gen(function* () {
        const [secrets] = yield* accounts.secrets([account.id])
        if (secrets === undefined) return yield* Effect.die(new Error("There are no secrets."))
        yield* accounts.save(account, { ...secrets, formerAppSecret: { sealed, until } }, null)
      })
      yield* transact(rotate).pipe(asOperatorOf(organization))
      const [first, second] = [
        yield* bytesOf([input(account.externalPhoneId, "wamid.1")]),
        yield* bytesOf([input(account.externalPhoneId, "wamid.2")])
      ]
      yield* receiveChatDelivery({
        organizationId: organization.id,
        body: first,
        headers: { "x-hub-signature-256": signed(first, former) }
      })
      yield* TestClock.adjust("1 day")
      assert.strictEqual(
        yield* tagOf(
          receiveChatDelivery({
            organizationId: organization.id,
            body: second,
            headers: { "x-hub-signature-256": signed(second, former) }
          })
        ),
        "WebhookSignatureInvalid"
      )
      yield* receiveChatDelivery({
        organizationId: organization.id,
        body: second,
        headers: { "x-hub-signature-256": signed(second) }
      })
      assert.lengthOf(yield* list(organization), 2)
    }).pipe(onPlatform))

  test("through the platform app is split by the owners of its numbers", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(storyEnd))
      const [one, other, third] = [yield* givenOrganization(), yield* givenOrganization(), yield* givenOrganization()]
      const mode = "platform_app"
      yield* givenChatAccount(one, { mode, externalPhoneId: "p-1", externalAccountId: "b-1" })
      yield* givenChatAccount(other, { mode, externalPhoneId: "p-2", externalAccountId: "b-2" })
      // The same number under its own app is no number of the platform app.
      yield* givenChatAccount(third, { externalPhoneId: "p-1", externalAccountId: "b-1" })
      const partOf = (number: string) =>
        Effect.map(bytesOf([input(`p-${number}`, `wamid.${number}`)]), (body) => ({
          businessId: `b-${number}`,
          phoneId: `p-${number}`,
          body
        }))
      const parts = [yield* partOf("1"), yield* partOf("2"), yield* partOf("3")]
      const body = new TextEncoder().encode("all of it")
      const channel = yield* MemoryChat.whole
      for (const secret of platformApp.appSecrets) {
        yield* receiveChatDelivery({
          organizationId: null,
          body: body,
          headers: { "x-hub-signature-256": signed(body, secret) }
        }).pipe(MemoryChat.through({ deliveries: { ...channel.deliveries, parts: () => parts } }))
      }
      const [first, ...more] = yield* list(one)
      assert.isEmpty(more)
      if (first === undefined) return assert.fail("Nothing was stored.")
      const { body: stored } = yield* getInboundDelivery({ id: first.id }).pipe(asOperatorOf(one))
      assert.deepStrictEqual([...stored], [...(parts[0]?.body ?? [])])
      assert.lengthOf(yield* list(other), 1)
      assert.isEmpty(yield* list(third))
    }).pipe(onPlatform))
})

describe("a delivery that crosses organizations", () => {
  test("changes nothing of the named numbers at the webhook of another organization", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const { account: theirs, organization: other } = yield* given
      const message = yield* readyToBeRead(other, theirs)
      yield* deliver(organization, [
        input(theirs.externalPhoneId, "wamid.theirs"),
        readReceipt(theirs.externalPhoneId, message),
        readReceipt(account.externalPhoneId, message),
        input(account.externalPhoneId, "wamid.mine")
      ])
      yield* processDueDeliveries
      assert.deepStrictEqual(
        (yield* readStage(organization)).messages.map(({ providerMessageId }) => providerMessageId),
        ["wamid.mine"]
      )
      const { messages } = yield* readStage(other)
      assert.deepStrictEqual(
        messages.map(({ providerMessageId, status }) => [providerMessageId, status]),
        [["wamid.out", "sent"]]
      )
      assert.deepStrictEqual(yield* statesOf(other), [])
    }).pipe(onPlatform))

  test("reaches a number that cannot send or has several business accounts, and none that was removed", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(storyEnd))
      const mode = "platform_app"
      const [silent, former, crossed] = [
        yield* givenOrganization(),
        yield* givenOrganization(),
        yield* givenOrganization()
      ]
      yield* givenChatAccount(silent, {
        mode,
        externalPhoneId: "p-1",
        externalAccountId: "b-1",
        status: "disconnected"
      })
      const removed = yield* givenChatAccount(former, { mode, externalPhoneId: "p-2", externalAccountId: "b-2" })
      yield* givenChatAccount(crossed, { mode, externalPhoneId: "p-3", externalAccountId: "b-3" })
      yield* removeChatAccount({ id: removed.id, ifVersion: null }).pipe(asOperatorOf(former))
      const partOf = (phone: string, business: string) =>
        Effect.map(bytesOf([input(`p-${phone}`, `wamid.${phone}`)]), (body) => ({
          businessId: `b-${business}`,
          phoneId: `p-${phone}`,
          body
        }))
      const parts = [yield* partOf("1", "1"), yield* partOf("2", "2"), yield* partOf("3", "1")]
      const channel = yield* MemoryChat.whole
      const body = new TextEncoder().encode("all of it")
      yield* receiveChatDelivery({
        organizationId: null,
        body: body,
        headers: { "x-hub-signature-256": signed(body, platformApp.appSecrets[0]) }
      }).pipe(MemoryChat.through({ deliveries: { ...channel.deliveries, parts: () => parts } }))
      yield* processDueDeliveries
      const found = yield* Effect.forEach([silent, former, crossed], (organization) =>
        Effect.map(readStage(organization), ({ messages }) => messages.map((each) => each.providerMessageId))
      )
      assert.deepStrictEqual(found, [["wamid.1"], [], ["wamid.3"]])
    }).pipe(onPlatform))
})

/** A channel that chokes on deliveries that have these words in them. */
const choking = (channel: MemoryChat.WholeChannel, words: string): Pick<MemoryChat.WholeChannel, "deliveries"> => ({
  deliveries: {
    ...channel.deliveries,
    read: (body) => {
      if (new TextDecoder().decode(body).includes(words)) throw new Error("It is poisonous.")
      return channel.deliveries.read(body)
    }
  }
})

const workFor = Effect.fnUntraced(function* (seconds: number) {
  for (let second = 0; second < seconds; second += 1) {
    yield* processDueDeliveries
    yield* TestClock.adjust("1 second")
  }
})

/** A worker that runs for this time and takes over from dead ones. */
const workingFor = (duration: Duration.Input) =>
  runLanes([inboundDeliveryWorker], { name: "test", lookMillis: 1_000 }).pipe(
    Effect.andThen(Effect.sleep(duration)),
    Effect.scoped,
    Effect.provide(layerDeliverySources)
  )

describe("working through deliveries", () => {
  test("applies its reports and counts unknown ones", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const { externalPhoneId: phoneId } = account
      const unknown: InboundEvent = { kind: "unknown", businessId: "", phoneId, field: "hologram" }
      yield* deliver(organization, [input(account.externalPhoneId, "wamid.1"), unknown, unknown])
      yield* processDueDeliveries
      const [delivery] = yield* list(organization)
      assert.deepStrictEqual(
        [delivery?.state, delivery?.appliedAt, delivery?.events, delivery?.unknown, delivery?.reason],
        ["applied", storyEnd, 3, 2, null]
      )
      const { contacts, conversations, messages } = yield* readStage(organization)
      assert.deepStrictEqual([contacts.length, conversations.length, messages.length], [1, 1, 1])
      assert.strictEqual(contacts[0]?.name, "Ada")
    }).pipe(onPlatform))

  test("lists what was written within a second as it arrived, also where an earlier delivery is applied later", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const channel = yield* MemoryChat.whole
      const say = (text: string) => input(account.externalPhoneId, `wamid.${text}`, text)
      yield* deliver(organization, [say("one"), say("poison")])
      yield* deliver(organization, [say("three"), say("four")])
      yield* processDueDeliveries.pipe(MemoryChat.through(choking(channel, "poison")))
      assert.deepStrictEqual(yield* statesOf(organization), ["applied", "waiting"])
      yield* TestClock.adjust("1 minute")
      yield* processDueDeliveries
      assert.deepStrictEqual(yield* statesOf(organization), ["applied", "applied"])
      const { conversations, messages } = yield* readStage(organization)
      assert.deepStrictEqual(
        messages.map(({ text }) => text),
        ["four", "three", "poison", "one"]
      )
      assert.deepStrictEqual(
        conversations.map(({ lastMessage }) => lastMessage?.text),
        ["four"]
      )
    }).pipe(onPlatform))

  test("goes on with the others where one fails, tries that one again, and parks it with its reason", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const channel = yield* MemoryChat.whole
      for (const text of ["one", "poison", "two"]) {
        yield* deliver(organization, [input(account.externalPhoneId, `wamid.${text}`, text)])
      }
      const choke = MemoryChat.through(choking(channel, "poison"))
      yield* choke(processDueDeliveries)
      assert.deepStrictEqual(yield* statesOf(organization), ["applied", "applied", "waiting"])
      yield* choke(workFor(5))
      const waiting = (yield* list(organization)).find(({ state }) => state === "waiting")
      assert.isAtLeast(waiting?.attempts ?? 0, 2)
      yield* choke(workFor(300))
      const parked = (yield* list(organization)).find(({ state }) => state === "parked")
      assert.deepStrictEqual([parked?.attempts, parked?.reason], [8, "It is poisonous."])
      if (parked === undefined) return
      // Mended, it can be replayed.
      yield* replayInboundDelivery({ id: parked.id }).pipe(asOperatorOf(organization))
      yield* processDueDeliveries
      assert.deepStrictEqual(yield* statesOf(organization), ["applied", "applied", "applied"])
      assert.lengthOf((yield* readStage(organization)).messages, 3)
    }).pipe(onPlatform))

  test("lets more gather while much comes all the time, and waits for nothing else", () =>
    Effect.gen(function* () {
      const { organization } = yield* given
      const store = Effect.fnUntraced(function* (count: number) {
        const receivedAt = yield* DateTime.now
        const ids = yield* Effect.replicateEffect(nextId(InboundDeliveryId), count)
        const each = { organizationId: organization.id, lane: sharedLane, source: "test", provider: "test", receivedAt }
        yield* (yield* InboundDeliveryQueue).store(
          ids.map((id) => ({ ...each, id, digest: id, body: new Uint8Array() }))
        )
      })
      const sizes: Array<number> = []
      const goOn = yield* Deferred.make<void>()
      const apply: DeliverySource["apply"] = (_, batch) =>
        Effect.gen(function* () {
          sizes.push(batch.length)
          yield* Deferred.await(goOn)
          return batch.map(() => ({ events: 1, unknown: 0 }))
        })
      const sources = new Map([["test", { name: "test", apply, steps: () => Effect.succeed([]) }]])
      yield* store(25)
      const working = yield* Effect.forkChild(
        Effect.provideService(runDueLanes(inboundDeliveryWorker), DeliverySources, sources),
        {
          startImmediately: true
        }
      )
      yield* TestClock.adjust("1 millis")
      yield* store(30)
      yield* Deferred.succeed(goOn, undefined)
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(sizes, [25, 30])
      yield* store(5)
      yield* TestClock.adjust("98 millis")
      yield* store(5)
      assert.deepStrictEqual(sizes, [25, 30])
      // So few arrive together then that no batch waits for more.
      yield* TestClock.adjust("2 millis")
      yield* Fiber.join(working)
      assert.deepStrictEqual(sizes, [25, 30, 10])
    }))

  test("goes on with what else a delivery tells where one thing of it fails", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const { externalPhoneId: phoneId } = account
      const bob = { phone: "+491701234562", chatUser: null, name: "Bob" }
      const events = [
        input(phoneId, "wamid.1", "one"),
        input(phoneId, "wamid.2", "poison"),
        { ...input(phoneId, "wamid.3", "two"), from: bob },
        input(phoneId, "wamid.4", "three")
      ]
      yield* deliver(organization, events)
      const messages = yield* Messages
      const poisoned: Messages["Service"] = {
        ...messages,
        insert: (account, written, answered) =>
          written.some(({ text }) => text === "poison")
            ? Effect.die(new Error("It is poisonous."))
            : messages.insert(account, written, answered)
      }
      const texts = Effect.map(readStage(organization), ({ messages }) => messages.map(({ text }) => text).toSorted())
      const choke = Effect.provideService(Messages, poisoned)
      yield* choke(processDueDeliveries)
      assert.deepStrictEqual(yield* texts, ["one", "three", "two"])
      assert.deepStrictEqual(yield* statesOf(organization), ["waiting"])
      yield* choke(workFor(300))
      const [parked] = yield* list(organization)
      if (parked === undefined) return assert.fail("Nothing was stored.")
      assert.deepStrictEqual([parked.state, parked.reason], ["parked", "It is poisonous."])
      yield* replayInboundDelivery({ id: parked.id }).pipe(asOperatorOf(organization))
      yield* processDueDeliveries
      assert.deepStrictEqual(yield* texts, ["one", "poison", "three", "two"])
      const { conversations } = yield* readStage(organization)
      assert.deepStrictEqual(conversations.map(({ inboundCount }) => inboundCount).toSorted(), [1, 3])
    }).pipe(onPlatform))

  test("parks invalid payloads directly and leaves deferred ones", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const body = new TextEncoder().encode("<html>")
      yield* receiveChatDelivery({
        organizationId: organization.id,
        body: body,
        headers: { "x-hub-signature-256": signed(body) }
      })
      yield* deliver(organization, [input(account.externalPhoneId, "wamid.1")])
      const [aside] = yield* list(organization)
      if (aside === undefined) return assert.fail("Nothing was stored.")
      yield* parkInboundDelivery({ id: aside.id, reason: "Later" }).pipe(asOperatorOf(organization))
      yield* processDueDeliveries
      assert.deepStrictEqual(yield* statesOf(organization), ["parked", "parked"])
      assert.deepStrictEqual(
        (yield* list(organization)).map(({ attempts, reason }) => [attempts, reason]),
        [
          [0, "Later"],
          [1, "This is not a delivery of the provider whatsapp."]
        ]
      )
    }).pipe(onPlatform))

  test("changes nothing when a delivery is replayed", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      yield* deliver(organization, [input(account.externalPhoneId, "wamid.1")])
      yield* processDueDeliveries
      const before = comparable(yield* readStage(organization))
      const [delivery] = yield* list(organization)
      if (delivery === undefined) return assert.fail("Nothing was stored.")
      yield* replayInboundDelivery({ id: delivery.id }).pipe(asOperatorOf(organization))
      yield* processDueDeliveries
      assert.deepStrictEqual(comparable(yield* readStage(organization)), before)
      assert.deepStrictEqual(yield* statesOf(organization), ["applied"])
    }).pipe(onPlatform))

  test("forgets after two weeks what was applied, and nothing else", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      yield* deliver(organization, [input(account.externalPhoneId, "wamid.1")])
      yield* processDueDeliveries
      yield* deliver(organization, [input(account.externalPhoneId, "wamid.2")])
      yield* TestClock.adjust("14 days")
      yield* sweepInboundDeliveries.pipe(asOperatorOf(organization))
      assert.deepStrictEqual(yield* statesOf(organization), ["applied", "waiting"])
      yield* TestClock.adjust("1 second")
      yield* sweepInboundDeliveries.pipe(asOperatorOf(organization))
      assert.deepStrictEqual(yield* statesOf(organization), ["waiting"])
    }).pipe(onPlatform))

  test("deletes parked deliveries after thirty days", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      yield* deliver(organization, [input(account.externalPhoneId, "wamid.1")])
      const [delivery] = yield* list(organization)
      if (delivery === undefined) return assert.fail("Nothing was stored.")
      yield* parkInboundDelivery({ id: delivery.id, reason: "Later" }).pipe(asOperatorOf(organization))
      yield* TestClock.adjust("30 days")
      yield* sweepInboundDeliveries.pipe(asOperatorOf(organization))
      assert.deepStrictEqual(yield* statesOf(organization), ["parked"])
      yield* TestClock.adjust("1 second")
      yield* sweepInboundDeliveries.pipe(asOperatorOf(organization))
      assert.deepStrictEqual(yield* statesOf(organization), [])
    }).pipe(onPlatform))

  it.effect.prop(
    "equals ordered single deliveries, also with worker crashes",
    { story: moments, seed: seeds },
    ({ seed, story }) =>
      alone(
        Effect.gen(function* () {
          yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.add(storyEnd, { hours: 1 })))
          const [oracle, shaken] = [yield* givenStage, yield* givenStage]
          yield* deliver(oracle.organization, eventsOf(story, oracle.idOf))
          yield* processDueDeliveries

          const draw = chance(seed)
          for (const batch of retold(eventsOf(story, shaken.idOf), seed)) {
            if (batch.length > 0) yield* deliver(shaken.organization, batch)
            if (draw(2) === 0) continue
            const crash = crashAt(draw(120))
            const dying = workingFor("20 seconds").pipe(
              Effect.provideService(InboundDeliveryQueue, crash.through(yield* InboundDeliveryQueue)),
              Effect.provideService(LaneQueue, crash.through(yield* LaneQueue)),
              Effect.provideService(Messages, crash.through(yield* Messages)),
              Effect.provideService(Shards, crash.through(yield* Shards)),
              Effect.provideService(UnitOfWork, crash.through(yield* UnitOfWork))
            )
            yield* runOut(dying, 9)
          }
          const isDone = Effect.map(statesOf(shaken.organization), (states) => !states.includes("waiting"))
          yield* runUntil(workingFor("1 hour"), isDone)
          assert.notInclude(yield* statesOf(shaken.organization), "parked")
          assert.deepStrictEqual(
            comparable(yield* readStage(shaken.organization)),
            comparable(yield* readStage(oracle.organization))
          )
        }).pipe(onPlatform)
      ),
    { arbitrary: { runs: 40, seed: "dying workers" } }
  )
})
