import { assert, describe } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { AuditLog, Lanes, type Organization, runLanes } from "@parley/domain/platform"
import { updateContact } from "@parley/domain/crm"
import {
  type ChatAccount,
  ChatAccounts,
  findTemplateVariables,
  type Remedy,
  sendTask,
  sendTaskName
} from "@parley/domain/messaging"
import {
  type Broadcast,
  type BroadcastId,
  cancelBroadcast,
  layerBulkSender,
  emptyBroadcastStats,
  pauseBroadcast,
  readBroadcastReport,
  RecipientReservations,
  resumeBroadcast,
  sendBroadcast,
  updateBroadcastSettings
} from "@parley/domain/campaigns"
import { asOperatorOf, MemoryChat } from "@parley/testkit"
import { DateTime, Effect, Fiber, Predicate } from "effect"
import { eventsIn, givenQueued, givenTalk, readMessage, test } from "../messaging/inbox/given.ts"
import { givenCampaign, givenFrozen, givenReader, givenTemplate, listedAs, pass, readBroadcast } from "./given.ts"

const script = MemoryChat.ChatScript

/** A process that sends until the scope ends. */
const senders = (name: string) => Effect.provide(runLanes([sendTask], { name, lookMillis: 1_000 }), layerBulkSender)

/** While a process sends. */
const whileSending = <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.scoped(Effect.andThen(senders("one"), body))

const send = (organization: Organization, id: BroadcastId) =>
  sendBroadcast({ id, ifVersion: null }).pipe(asOperatorOf(organization))

const sentTo = Effect.map(
  Effect.flatMap(script, ({ sent }) => sent),
  (sent) => sent.map(({ message }) => message.to.value)
)

const refuse = (remedy: Remedy, code = 1, to?: string) =>
  Effect.flatMap(script, ({ next }) => next({ kind: "refused", code, remedy }, to))

const statsOf = (organization: Organization, id: BroadcastId) =>
  Effect.map(readBroadcast(organization, id), ({ stats }) => ({ ...stats }))

const statusesOf = (organization: Organization, id: BroadcastId) =>
  Effect.map(eventsIn(organization), (events) =>
    events.flatMap((event) =>
      event.type === "broadcast.status_changed" && event.broadcastId === id
        ? [`${event.from} ${event.to} ${event.reason}`]
        : []
    )
  )

describe("a broadcast that is sent", () => {
  test("gives each recipient its message once, with its values, and is completed", () =>
    whileSending(
      Effect.gen(function* () {
        const { contacts, id, organization } = yield* givenCampaign(30)
        const started = yield* send(organization, id)
        assert.strictEqual(started.status, "sending")
        yield* pass(3)
        assert.sameMembers(
          [...(yield* sentTo)],
          contacts.map(({ phone }) => phone ?? "")
        )
        const [first] = yield* (yield* script).sent
        const content = first?.message.content
        assert.deepStrictEqual(content?.kind === "template" ? content.template.body : null, {
          "1": contacts[0]?.name ?? ""
        })
        assert.strictEqual(first?.message.reference, `${id.slice(0, -8)}00000001`)
        const { endedAt, recipientsKeptUntil, stats, status } = yield* readBroadcast(organization, id)
        assert.deepStrictEqual([status, { ...stats }], ["completed", { ...emptyBroadcastStats, matched: 30, sent: 30 }])
        assert.deepStrictEqual(recipientsKeptUntil, DateTime.add(endedAt ?? DateTime.makeUnsafe(0), { days: 180 }))
        assert.deepStrictEqual(yield* statusesOf(organization, id), ["draft sending null", "sending completed null"])
      })
    ))

  test("keeps to the pace of the account, and lets messages of persons overtake", () =>
    whileSending(
      Effect.gen(function* () {
        const { account, id, organization } = yield* givenCampaign(60, {}, { throughputPerSecond: 10 })
        const { conversation } = yield* givenTalk(organization, account)
        yield* send(organization, id)
        yield* pass(2)
        const before = (yield* sentTo).length
        assert.isAtLeast(before, 10)
        assert.isAtMost(before, 20)
        const message = yield* givenQueued(organization, conversation)
        yield* pass(0.5)
        assert.strictEqual((yield* readMessage(organization, message)).status, "sent")
        yield* pass(6)
        assert.strictEqual((yield* readBroadcast(organization, id)).status, "completed")
      })
    ))

  test("uses the whole pace of an account, however slow it is", () =>
    whileSending(
      Effect.gen(function* () {
        const slow = yield* Effect.forEach([1, 2, 5], (perSecond) =>
          givenCampaign(5 * perSecond, {}, { throughputPerSecond: perSecond })
        )
        yield* Effect.forEach(slow, ({ id, organization }) => send(organization, id))
        // Messages of a former owner count for a second, and the last answer must be stored.
        yield* pass(7)
        for (const { id, organization } of slow) {
          assert.strictEqual((yield* readBroadcast(organization, id)).status, "completed")
        }
      })
    ))

  test("takes turns with the others of its account", () =>
    whileSending(
      Effect.gen(function* () {
        const { account, id, organization, template } = yield* givenCampaign(100, {}, { throughputPerSecond: 10 })
        yield* send(organization, id)
        yield* pass(1)
        const readers = yield* Effect.forEach(Array.from({ length: 10 }), () => givenReader(organization))
        const small = yield* givenFrozen(
          organization,
          account,
          template,
          readers.map((each) => listedAs(each))
        )
        yield* send(organization, small.id)
        yield* pass(4)
        assert.strictEqual((yield* readBroadcast(organization, small.id)).status, "completed")
        assert.strictEqual((yield* readBroadcast(organization, id)).status, "sending")
      })
    ))

  test("reads consent, blocks and values right before the call", () =>
    whileSending(
      Effect.gen(function* () {
        const { contacts, id, organization } = yield* givenCampaign(4)
        const [unsubscribed, blocked, moved] = contacts
        const change = (
          contact: (typeof contacts)[number] | undefined,
          patch: Omit<Parameters<typeof updateContact>[0], "id" | "ifVersion">
        ) =>
          updateContact({ id: contact?.id ?? assert.fail(), ...patch, ifVersion: null }).pipe(
            asOperatorOf(organization)
          )
        yield* change(unsubscribed, { marketing: { state: "unsubscribed", source: "form" } })
        yield* change(blocked, { blocked: true })
        yield* change(moved, { phone: "+491739999999" })
        yield* send(organization, id)
        yield* pass(2)
        assert.deepStrictEqual(yield* sentTo, [contacts[3]?.phone ?? ""])
        assert.deepStrictEqual(yield* statsOf(organization, id), {
          ...emptyBroadcastStats,
          matched: 4,
          excluded: 3,
          sent: 1
        })
      })
    ))

  test("starts for the first of two concurrent calls and refuses the second", () =>
    Effect.gen(function* () {
      const { id, organization } = yield* givenCampaign(1)
      const results = yield* Effect.all(
        [Effect.result(send(organization, id)), Effect.result(send(organization, id))],
        {
          concurrency: 2
        }
      )
      assert.deepStrictEqual(results.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
      const refused = results.find((each) => each._tag === "Failure")
      assert.strictEqual(refused?._tag === "Failure" ? refused.failure._tag : null, "BroadcastTransitionInvalid")
    }))

  test("builds its list during the sending and reserves the needed plan limit", () =>
    whileSending(
      Effect.gen(function* () {
        const { account, organization, template } = yield* givenCampaign(0)
        const readers = yield* Effect.forEach(Array.from({ length: 25 }), () => givenReader(organization))
        const { id } = yield* givenFrozen(organization, account, template, [], { frozenAt: null })
        yield* send(organization, id)
        yield* pass(5)
        assert.sameMembers(
          [...(yield* sentTo)],
          readers.map(({ phone }) => phone ?? "")
        )
        const { frozenAt, stats, status } = yield* readBroadcast(organization, id)
        assert.isNotNull(frozenAt)
        assert.deepStrictEqual([status, { ...stats }], ["completed", { ...emptyBroadcastStats, matched: 25, sent: 25 }])
        const taken = Effect.flatMap(RecipientReservations, (reservations) => reservations.takenBy(id))
        assert.strictEqual(yield* taken.pipe(asOperatorOf(organization)), 25)
        const nobody = yield* givenFrozen(organization, account, template, [], {
          frozenAt: null,
          audience: { field: "name", op: "contains", value: "nobody at all" }
        })
        assert.strictEqual((yield* Effect.flip(send(organization, nobody.id)))._tag, "AudienceEmpty")
      })
    ))

  test("leaves out who has had enough of other broadcasts by then", () =>
    whileSending(
      Effect.gen(function* () {
        const { account, contacts, id, organization, template } = yield* givenCampaign(3)
        const frequencyCaps = [{ category: "marketing", max: 1, days: 7 }] as const
        yield* updateBroadcastSettings({ frequencyCaps, ifVersion: null }).pipe(asOperatorOf(organization))
        yield* send(organization, id)
        yield* pass(3)
        const newcomer = yield* givenReader(organization)
        const recipients = [...contacts, newcomer].map((contact) => listedAs(contact))
        const next = yield* givenFrozen(organization, account, template, recipients)
        const free = yield* givenFrozen(organization, account, template, recipients, { ignoreFrequencyCaps: true })
        yield* send(organization, next.id)
        yield* pass(3)
        assert.deepStrictEqual(yield* statsOf(organization, next.id), {
          ...emptyBroadcastStats,
          matched: 4,
          excluded: 3,
          sent: 1
        })
        yield* send(organization, free.id)
        yield* pass(3)
        assert.deepStrictEqual(yield* statsOf(organization, free.id), { ...emptyBroadcastStats, matched: 4, sent: 4 })
      })
    ))

  test("continues directly after quiet hours are lifted, and follows the current quiet hours", () =>
    whileSending(
      Effect.gen(function* () {
        const { id, organization } = yield* givenCampaign(3)
        const now = yield* DateTime.now
        // Their clocks are an hour ahead.
        const clock = (hours: number) => DateTime.formatIso(DateTime.add(now, { hours: 1 + hours })).slice(11, 16)
        const keepQuiet = (to: number | null) =>
          updateBroadcastSettings({
            quietHours: to === null ? null : { from: clock(-1), to: clock(to) },
            ifVersion: null
          }).pipe(asOperatorOf(organization))
        yield* keepQuiet(4)
        yield* send(organization, id)
        yield* pass(2)
        const first = yield* readBroadcast(organization, id)
        assert.deepStrictEqual([first.waiting?.reason, first.stats.pending], ["quiet_hours", 3])
        yield* keepQuiet(3)
        yield* pass(2)
        const second = yield* readBroadcast(organization, id)
        const wait = (of: typeof first) => DateTime.toEpochMillis(of.waiting?.until ?? assert.fail())
        assert.deepStrictEqual([second.stats.pending, wait(first) - wait(second)], [3, 3_600_000])
        yield* keepQuiet(null)
        yield* pass(2)
        const third = yield* readBroadcast(organization, id)
        assert.deepStrictEqual([third.waiting, third.stats.pending, third.stats.sent], [null, 0, 3])
      })
    ))

  test("waits for the end of the night of each contact and reports it", () =>
    whileSending(
      Effect.gen(function* () {
        const { id, organization } = yield* givenCampaign(2)
        const now = yield* DateTime.now
        const berlin = DateTime.setZoneNamedUnsafe(now, "Europe/Berlin")
        const clock = (time: DateTime.Zoned) =>
          [time.pipe(DateTime.getPart("hour")), time.pipe(DateTime.getPart("minute"))]
            .map((part) => String(part).padStart(2, "0"))
            .join(":")
        const quietHours = {
          from: clock(DateTime.subtract(berlin, { hours: 1 })),
          to: clock(DateTime.add(berlin, { minutes: 3 }))
        }
        yield* updateBroadcastSettings({ quietHours, ifVersion: null }).pipe(asOperatorOf(organization))
        yield* send(organization, id)
        yield* pass(10)
        assert.isEmpty(yield* sentTo)
        const { stats, waiting } = yield* readBroadcast(organization, id)
        assert.deepStrictEqual([waiting?.reason, stats.pending], ["quiet_hours", 2])
        yield* pass(200)
        assert.strictEqual((yield* readBroadcast(organization, id)).status, "completed")
      })
    ))

  test("waits for its throttle and reports it", () =>
    whileSending(
      Effect.gen(function* () {
        const { id, organization } = yield* givenCampaign(3, { throttle: { perMinute: 1 } })
        yield* send(organization, id)
        yield* pass(5)
        assert.lengthOf(yield* sentTo, 1)
        assert.strictEqual((yield* readBroadcast(organization, id)).waiting?.reason, "throttle")
        yield* pass(60)
        assert.lengthOf(yield* sentTo, 2)
        yield* pass(65)
        assert.lengthOf(yield* sentTo, 3)
        assert.strictEqual((yield* readBroadcast(organization, id)).status, "completed")
      })
    ))

  test("starts when it is due, and not after its latest start", () =>
    whileSending(
      Effect.gen(function* () {
        const now = yield* DateTime.now
        const at = DateTime.add(now, { seconds: 20 })
        const { account, id, organization, template } = yield* givenCampaign(1, {
          schedule: { at },
          status: "scheduled"
        })
        const late = { at: DateTime.subtract(now, { minutes: 2 }), notAfter: DateTime.subtract(now, { minutes: 1 }) }
        const expired = yield* givenFrozen(organization, account, template, [], { schedule: late, status: "scheduled" })
        const unfit = yield* givenFrozen(organization, account, { ...template }, [], {
          schedule: { at },
          status: "scheduled",
          templateId: null
        })
        yield* wake(organization, account)
        yield* pass(10)
        assert.isEmpty(yield* sentTo)
        const { endReason, status } = yield* readBroadcast(organization, expired.id)
        assert.deepStrictEqual([status, endReason], ["cancelled", "not_after"])
        yield* pass(15)
        assert.strictEqual((yield* readBroadcast(organization, id)).status, "completed")
        const failed = yield* readBroadcast(organization, unfit.id)
        assert.deepStrictEqual(
          [failed.status, failed.failure],
          ["failed", { code: "validation_failed", detail: "/templateId: Expected a message template." }]
        )
      })
    ))

  test("sends nothing after its end", () =>
    whileSending(
      Effect.gen(function* () {
        const endBy = DateTime.add(yield* DateTime.now, { seconds: 30 })
        const throttle = { perMinute: 6 }
        const { id, organization } = yield* givenCampaign(10, { schedule: { endBy }, throttle })
        yield* send(organization, id)
        yield* pass(60)
        const { endReason, stats, status } = yield* readBroadcast(organization, id)
        assert.deepStrictEqual([status, endReason], ["completed", "end_by"])
        assert.deepStrictEqual(yield* statusesOf(organization, id), ["draft sending null", "sending completed end_by"])
        assert.isAbove(stats.sent, 0)
        assert.strictEqual(stats.sent + stats.neverSent, 10)
        assert.isAbove(stats.neverSent, 4)
      })
    ))
})

/** Makes the sender of the account reconcile. */
const wake = (organization: Organization, { id }: ChatAccount) =>
  Effect.gen(function* () {
    const dueAt = yield* DateTime.now
    yield* transact(
      Effect.flatMap(Lanes, (lanes) => lanes.open({ task: sendTaskName, key: id, priority: "bulk", dueAt }))
    )
  }).pipe(asOperatorOf(organization))

describe("what the provider answers", () => {
  const after = Effect.fnUntraced(function* (remedy: Remedy, seconds: number, times = 1) {
    const { account, contacts, id, organization } = yield* givenCampaign(3)
    const to = contacts[1]?.phone ?? ""
    for (let time = 0; time < times; time += 1) yield* refuse(remedy, 7, to)
    yield* send(organization, id)
    yield* pass(seconds)
    const broadcast = yield* readBroadcast(organization, id)
    const calls = (yield* sentTo).length
    return { account, organization, id, to, calls, broadcast, stats: { ...broadcast.stats } }
  })

  for (const remedy of ["retry", "delay_recipient", "slow_down"] as const) {
    test(`tries again what was certainly not sent: ${remedy}`, () =>
      whileSending(
        Effect.gen(function* () {
          const { stats } = yield* after(remedy, 15)
          assert.deepStrictEqual(stats, { ...emptyBroadcastStats, matched: 3, sent: 3 })
        })
      ))
  }

  for (const remedy of [
    "skip_recipient",
    "skip_for_now",
    "needs_template",
    "fix_values",
    "give_up",
    "opt_out"
  ] as const) {
    test(`fails for one recipient where another try is of no use: ${remedy}`, () =>
      whileSending(
        Effect.gen(function* () {
          const { broadcast, stats } = yield* after(remedy, 5)
          assert.deepStrictEqual(stats, { ...emptyBroadcastStats, matched: 3, sent: 2, failed: 1 })
          assert.strictEqual(broadcast.status, "completed")
        })
      ))
  }

  test("pauses for an invalid value that all recipients get: fix_values", () =>
    whileSending(
      Effect.gen(function* () {
        const variables = { "body.1": { kind: "constant", value: "Ada" } } as const
        const { contacts, id, organization } = yield* givenCampaign(3, { variables })
        yield* refuse("fix_values", 132_018, contacts[0]?.phone ?? assert.fail())
        yield* send(organization, id)
        yield* pass(5)
        const { pause, stats, status } = yield* readBroadcast(organization, id)
        assert.deepStrictEqual([status, pause?.reason, pause?.refusal?.code], ["paused", "template", 132_018])
        assert.deepStrictEqual([stats.failed, stats.pending + stats.sent], [0, 3])
      })
    ))

  test("excludes contacts whose offer has ended, and does not start with an ended offer for all", () =>
    whileSending(
      Effect.gen(function* () {
        const { account, contacts, organization } = yield* givenCampaign(2)
        const components = {
          body: { text: "Hello {{1}}!", examples: { "1": "Ada" } },
          limitedTimeOffer: { text: "Today only", hasExpiration: true }
        }
        const template = yield* givenTemplate(organization, account, {
          name: "offer",
          components,
          variables: findTemplateVariables(components)
        })
        const now = yield* DateTime.now
        const [early, late] = [-1, 1].map((hours) => DateTime.formatIso(DateTime.add(now, { hours })))
        const source = `{% if name == "${contacts[0]?.name}" %}${early}{% else %}${late}{% endif %}`
        const recipients = contacts.map((contact) => listedAs(contact))
        const givenOffer = (expiry: Broadcast["variables"][string]) =>
          givenFrozen(organization, account, template, recipients, {
            variables: { "body.1": { kind: "constant", value: "Ada" }, "offer.expiresAt": expiry }
          })
        const { id: ended } = yield* givenOffer({ kind: "constant", value: early ?? "" })
        const refused = yield* Effect.flip(send(organization, ended))
        assert.deepInclude(refused, { _tag: "ValidationFailed" })
        const { id } = yield* givenOffer({ kind: "liquid", source })
        yield* send(organization, id)
        yield* pass(3)
        assert.deepStrictEqual(yield* statsOf(organization, id), {
          ...emptyBroadcastStats,
          matched: 2,
          sent: 1,
          excluded: 1
        })
      })
    ))

  test("counts as opted out whom the provider refuses for that, and tells it", () =>
    whileSending(
      Effect.gen(function* () {
        const { contacts, id, organization } = yield* givenCampaign(2)
        const [gone] = contacts
        yield* refuse("opt_out", 131_050, gone?.phone ?? assert.fail())
        yield* send(organization, id)
        yield* pass(2)
        const { funnel } = yield* Effect.orDie(readBroadcastReport({ id }).pipe(asOperatorOf(organization)))
        assert.deepStrictEqual([funnel.failed, funnel.optedOut], [1, 1])
        const result = (yield* eventsIn(organization)).filter(({ type }) => type === "broadcast.opted_out")
        assert.lengthOf(result, 1)
      })
    ))

  test("gives up after five tries", () =>
    whileSending(
      Effect.gen(function* () {
        const { stats } = yield* after("retry", 90, 9)
        assert.deepStrictEqual(stats, { ...emptyBroadcastStats, matched: 3, sent: 2, failed: 1 })
      })
    ))

  for (const [remedy, reason, standing] of [
    ["refresh_template", "template", "connected"],
    ["stop_account", "account", "degraded"],
    ["reauthorize", "account", "disconnected"]
  ] as const) {
    test(`pauses where a person has to look: ${remedy}`, () =>
      whileSending(
        Effect.gen(function* () {
          const { account, broadcast, organization, stats } = yield* after(remedy, 5)
          const refusal = { code: 7, reason: broadcast.pause?.refusal?.reason ?? assert.fail("no refusal") }
          assert.deepStrictEqual(
            [broadcast.status, broadcast.pause?.reason, broadcast.pause?.refusal],
            ["paused", reason, refusal]
          )
          const events = yield* eventsIn(organization)
          assert.deepInclude(
            events.find((event) => event.type === "broadcast.status_changed" && event.to === "paused"),
            { reason, refusal }
          )
          const audited = yield* Effect.flatMap(AuditLog, (log) =>
            log.list(
              { actorId: null, targetKind: null, targetId: null, action: "broadcast.paused", from: null, to: null },
              { limit: 10, after: null }
            )
          ).pipe(asOperatorOf(organization))
          assert.deepStrictEqual(
            audited.map(({ after }) => Predicate.hasProperty(after?.["pause"], "refusal") && after["pause"].refusal),
            [refusal]
          )
          assert.strictEqual(stats.failed, 0)
          assert.isAbove(stats.pending, 0)
          const { status } = yield* (yield* ChatAccounts).get(account.id).pipe(asOperatorOf(organization))
          assert.strictEqual(status, standing)
        })
      ))
  }

  test("never sends again what is in doubt, and is over after a quarter of an hour", () =>
    whileSending(
      Effect.gen(function* () {
        const { contacts, id, organization } = yield* givenCampaign(3)
        yield* (yield* script).next({ kind: "in_doubt", taken: false }, contacts[1]?.phone ?? "")
        yield* send(organization, id)
        yield* pass(60)
        assert.deepStrictEqual(yield* statsOf(organization, id), {
          ...emptyBroadcastStats,
          matched: 3,
          sent: 2,
          inDoubt: 1
        })
        assert.strictEqual((yield* readBroadcast(organization, id)).status, "sending")
        yield* pass(15 * 60)
        assert.lengthOf(yield* sentTo, 2)
        assert.strictEqual((yield* readBroadcast(organization, id)).status, "completed")
      })
    ))

  test("pauses when a hundred of the last two hundred have failed", () =>
    whileSending(
      Effect.gen(function* () {
        const { id, organization } = yield* givenCampaign(150)
        for (let time = 0; time < 140; time += 1) yield* refuse("skip_recipient")
        yield* send(organization, id)
        yield* pass(6)
        const { pause, stats, status } = yield* readBroadcast(organization, id)
        assert.deepStrictEqual([status, pause?.reason], ["paused", "failures"])
        assert.isAtLeast(stats.failed, 100)
        assert.isAtMost(stats.failed, 140)
      })
    ))
})

describe("a broadcast that is stopped", () => {
  /** A provider with this latency. */
  const slowly = <A, E, R>(seconds: number, effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(MemoryChat.whole, (channel) =>
      effect.pipe(
        MemoryChat.through({
          sending: {
            ...channel.sending,
            send: (line, message) => Effect.delay(channel.sending.send(line, message), `${seconds} seconds`)
          }
        })
      )
    )

  const toRun = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(effect)
      while (fiber.pollUnsafe() === undefined) yield* pass(0.1)
      return yield* Fiber.join(fiber)
    })

  const sumOf = ({ stats }: Broadcast) =>
    Object.entries(stats).reduce((sum, [name, count]) => (name === "matched" ? sum : sum + count), 0)

  test("starts no call after the answer of a pause, and resumes without repeats or gaps", () =>
    slowly(
      2,
      whileSending(
        Effect.gen(function* () {
          const { contacts, id, organization } = yield* givenCampaign(40, {}, { throughputPerSecond: 10 })
          yield* send(organization, id)
          yield* pass(1.5)
          const paused = yield* toRun(pauseBroadcast({ id }).pipe(asOperatorOf(organization)))
          assert.deepStrictEqual([paused.status, paused.pause?.reason], ["paused", "user"])
          const { inFlight, sent } = yield* statsOf(organization, id)
          yield* pass(10)
          // Running calls have ended, and no other call has started.
          assert.deepStrictEqual((yield* sentTo).length, sent + inFlight)
          assert.strictEqual((yield* statsOf(organization, id)).pending, 40 - sent - inFlight)
          yield* resumeBroadcast({ id }).pipe(asOperatorOf(organization))
          yield* pass(15)
          assert.sameMembers(
            [...(yield* sentTo)],
            contacts.map(({ phone }) => phone ?? "")
          )
          assert.strictEqual((yield* readBroadcast(organization, id)).status, "completed")
        })
      )
    ))

  test("sends nothing after the cancellation, with exact counts", () =>
    slowly(
      2,
      whileSending(
        Effect.gen(function* () {
          const { id, organization } = yield* givenCampaign(40, {}, { throughputPerSecond: 10 })
          yield* send(organization, id)
          yield* pass(3)
          const cancelled = yield* toRun(cancelBroadcast({ id }).pipe(asOperatorOf(organization)))
          assert.strictEqual(cancelled.status, "cancelled")
          assert.strictEqual(cancelled.stats.pending, 0)
          assert.strictEqual(sumOf(cancelled), 40)
          const { inFlight, neverSent, sent } = yield* statsOf(organization, id)
          yield* pass(10)
          const last = yield* statsOf(organization, id)
          assert.deepStrictEqual(last, { ...emptyBroadcastStats, matched: 40, sent: sent + inFlight, neverSent })
          assert.lengthOf(yield* sentTo, last.sent)
        })
      )
    ))

  test("is paused and cancelled directly without messages in flight", () =>
    Effect.gen(function* () {
      const { id, organization } = yield* givenCampaign(3)
      yield* send(organization, id)
      yield* pauseBroadcast({ id }).pipe(asOperatorOf(organization))
      const { endReason, stats } = yield* cancelBroadcast({ id }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual([endReason, { ...stats }], ["user", { ...emptyBroadcastStats, matched: 3, neverSent: 3 }])
      const again = yield* Effect.flip(cancelBroadcast({ id }).pipe(asOperatorOf(organization)))
      assert.strictEqual(again._tag, "BroadcastTransitionInvalid")
    }))

  test("is cancelled after thirty days of a pause", () =>
    whileSending(
      Effect.gen(function* () {
        const now = yield* DateTime.now
        const pause = { reason: "user", at: DateTime.subtract(now, { days: 31 }), by: null } as const
        const schedule = { endBy: DateTime.add(now, { days: 31 }) }
        const { account, id, organization } = yield* givenCampaign(3, {
          status: "paused",
          pause,
          schedule,
          startedAt: now
        })
        yield* wake(organization, account)
        yield* pass(3)
        const { endReason, stats, status } = yield* readBroadcast(organization, id)
        assert.deepStrictEqual([status, endReason, stats.neverSent], ["cancelled", "paused_too_long", 3])
      })
    ))
})
