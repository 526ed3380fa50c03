import { assert, describe, it } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Lanes, type Organization, runDueLanes } from "@parley/domain/platform"
import {
  BulkSender,
  AccountPaces,
  ChatAccountId,
  type PaceControl,
  sendTask,
  sendTaskName
} from "@parley/domain/messaging"
import { asOperatorOf, givenOrganization } from "@parley/testkit"
import { DateTime, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { givenChatAccount, givenQueued, givenTalk, readMessage, test } from "./given.ts"

const accountId = ChatAccountId.make("018f0000-0000-7000-8000-000000000001")

const nowMillis = Effect.map(DateTime.now, DateTime.toEpochMillis)

const onPace = <A, E>(body: (pace: PaceControl) => Effect.Effect<A, E>) =>
  Effect.flatMap(AccountPaces, (paces) => Effect.flatMap(paces.of(accountId, 1), body)).pipe(
    Effect.provide(AccountPaces.layer, { local: true })
  )

/** Takes this number of places concurrently. Returns their times. */
const takeMany = Effect.fnUntraced(function* (
  pace: PaceControl,
  taker: "person" | "bulk",
  count: number,
  into: Array<number>
) {
  yield* Effect.forEach(
    Array.from({ length: count }),
    () =>
      Effect.andThen(
        pace.take(taker),
        Effect.map(nowMillis, (now) => into.push(now))
      ),
    { concurrency: "unbounded", discard: true }
  )
})

const mostInASecond = (times: ReadonlyArray<number>) =>
  Math.max(0, ...times.map((begin) => times.filter((at) => at >= begin && at < begin + 1_000).length))

const pass = (seconds: number) =>
  Effect.forEach(Array.from({ length: seconds * 100 }), () => TestClock.adjust("10 millis"), { discard: true })

describe("the pace of an account", () => {
  it.effect("uses what the account may send in a second, and never more", () =>
    onPace(
      Effect.fnUntraced(function* (pace) {
        const times: Array<number> = []
        const begun = yield* nowMillis
        const fiber = yield* Effect.forkChild(takeMany(pace, "bulk", 80 * 20, times))
        yield* pass(12)
        yield* Fiber.interrupt(fiber)
        assert.isAtMost(mostInASecond(times), 80)
        const settled = times.filter((at) => at >= begun + 2_000)
        assert.isAtLeast(settled.length, 80 * 10 * 0.98)
      })
    )
  )

  it.effect("starts as if another process had sent the full rate until now", () =>
    onPace(
      Effect.fnUntraced(function* (pace) {
        const begun = yield* nowMillis
        const before = Array.from({ length: 80 }, (_, place) => begun - 1_000 + place * 12.5)
        const times: Array<number> = []
        const fiber = yield* Effect.forkChild(takeMany(pace, "bulk", 200, times))
        yield* pass(2)
        yield* Fiber.interrupt(fiber)
        assert.isAbove(times.length, 0)
        assert.isAtMost(mostInASecond([...before, ...times]), 81)
      })
    )
  )

  it.effect("starts so again after another process owned the account", () =>
    Effect.gen(function* () {
      const paces = yield* AccountPaces
      const before = yield* paces.of(accountId, 1)
      yield* before.allow(10)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* paces.of(accountId, 1), before)
      const after = yield* paces.of(accountId, 3)
      yield* after.allow(10)
      const times: Array<number> = []
      const fiber = yield* Effect.forkChild(takeMany(after, "bulk", 100, times))
      const begun = yield* nowMillis
      yield* pass(1)
      yield* Fiber.interrupt(fiber)
      const others = Array.from({ length: 10 }, (_, place) => begun - 1_000 + place * 100)
      assert.isAtMost(mostInASecond([...others, ...times]), 11)
    }).pipe(Effect.provide(AccountPaces.layer, { local: true }))
  )

  it.effect("lets persons go before much that was there first", () =>
    onPace(
      Effect.fnUntraced(function* (pace) {
        const bulk: Array<number> = []
        const fiber = yield* Effect.forkChild(takeMany(pace, "bulk", 10_000, bulk))
        yield* pass(5)
        const before = bulk.length
        const person: Array<number> = []
        const wanted = yield* nowMillis
        const people = yield* Effect.forkChild(takeMany(pace, "person", 20, person))
        yield* pass(1)
        yield* Fiber.join(people)
        // Earlier messages fill the second. Each free place goes to an interactive message.
        assert.isAtMost(Math.max(...person) - wanted, (20 / 80) * 1_000 + 50)
        assert.isAtMost(bulk.filter((at) => at > wanted && at <= Math.max(...person)).length, 1)
        assert.isAbove(bulk.length, before)
        assert.isAtMost(mostInASecond([...bulk, ...person]), 80)
        yield* Fiber.interrupt(fiber)
      })
    )
  )

  it.effect("halves when the provider says that it is too fast, and climbs back", () =>
    onPace(
      Effect.fnUntraced(function* (pace) {
        yield* pace.allow(100)
        // All concurrent calls report it together.
        yield* pace.slowDown
        yield* pace.slowDown
        assert.strictEqual(yield* pace.rate, 50)
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(yield* pace.rate, 75)
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(yield* pace.rate, 100)
      })
    )
  )

  it.effect("goes on at another rate as soon as the provider allows one", () =>
    onPace(
      Effect.fnUntraced(function* (pace) {
        yield* pace.allow(1)
        const times: Array<number> = []
        const fiber = yield* Effect.forkChild(takeMany(pace, "bulk", 1_000, times))
        yield* pass(3)
        assert.isAtMost(times.length, 3)
        yield* pace.allow(100)
        yield* pass(3)
        assert.isAtLeast(times.length, 200)
        yield* Fiber.interrupt(fiber)
      })
    )
  )

  it.effect("forgets callers that stopped waiting", () =>
    onPace(
      Effect.fnUntraced(function* (pace) {
        yield* pace.allow(1)
        const first = yield* Effect.forkChild(takeMany(pace, "bulk", 50, []))
        yield* pass(2)
        yield* Fiber.interrupt(first)
        const times: Array<number> = []
        const second = yield* Effect.forkChild(takeMany(pace, "bulk", 1, times))
        yield* pass(2)
        yield* Fiber.join(second)
        assert.lengthOf(times, 1)
      })
    )
  )
})

/** Sends without end what another area would send over the account. */
const endless = (times: Array<number>): typeof BulkSender.Service => ({
  name: "much",
  run: (_lane, { pace }) =>
    Effect.forever(
      Effect.andThen(
        pace.take("bulk"),
        Effect.map(nowMillis, (now) => times.push(now))
      )
    ),
  nextDue: () => DateTime.now
})

const openLane = (organization: Organization, key: string) =>
  Effect.flatMap(DateTime.now, (dueAt) =>
    transact(Effect.flatMap(Lanes, (lanes) => lanes.open({ task: sendTaskName, key, priority: "bulk", dueAt })))
  ).pipe(asOperatorOf(organization))

const sendWith = (sender: typeof BulkSender.Service) => Effect.provideService(runDueLanes(sendTask), BulkSender, sender)

const breath = Effect.promise(() => new Promise((resolve) => void setImmediate(resolve)))

const passSlowly = Effect.fnUntraced(function* (seconds: number) {
  for (let step = 0; step < seconds * 50; step += 1) yield* Effect.andThen(TestClock.adjust("20 millis"), breath)
})

/** Advances time until the condition holds. The amount depends on the order of the fibers. */
const passUntil = <R>(isSo: Effect.Effect<boolean, unknown, R>) =>
  Effect.repeat(Effect.andThen(passSlowly(0.1), isSo), { until: (so) => so })

const isSent = (...message: Parameters<typeof readMessage>) =>
  Effect.map(readMessage(...message), ({ status }) => status === "sent")

describe("bulk sending over an account", () => {
  test("lets messages of persons overtake", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const account = yield* givenChatAccount(organization, { throughputPerSecond: 10 })
      const { conversation } = yield* givenTalk(organization, account)
      const times: Array<number> = []
      yield* openLane(organization, account.id)
      const fiber = yield* Effect.forkChild(sendWith(endless(times)))
      yield* passUntil(Effect.sync(() => times.length > 20))
      const message = yield* givenQueued(organization, conversation)
      yield* passUntil(isSent(organization, message))
      const before = times.length
      yield* passUntil(Effect.sync(() => times.length > before))
      yield* Fiber.interrupt(fiber)
    }))

  test("delays no other message when it fails", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const account = yield* givenChatAccount(organization)
      const { conversation } = yield* givenTalk(organization, account)
      let tries = 0
      const broken: typeof BulkSender.Service = {
        name: "broken",
        run: () => Effect.suspend(() => Effect.die(new Error(`This fails: ${(tries += 1)}`))),
        nextDue: () => Effect.succeed(null)
      }
      yield* openLane(organization, account.id)
      const fiber = yield* Effect.forkChild(sendWith(broken))
      yield* passUntil(Effect.sync(() => tries > 0))
      const message = yield* givenQueued(organization, conversation)
      yield* passUntil(isSent(organization, message))
      yield* passUntil(Effect.sync(() => tries > 3))
      yield* Fiber.interrupt(fiber)
    }))
})
