import { assert, describe } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Lanes, type Organization, runLanes } from "@parley/domain/platform"
import { BulkSender, type ChatAccountId, sendTask, sendTaskName } from "@parley/domain/messaging"
import { asOperatorOf, givenOrganization } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { givenChatAccount, test } from "./given.ts"

/** Equality of the shares: 1 if all are equal, 1/n if one has everything. */
const jain = (parts: ReadonlyArray<number>) => {
  const sum = parts.reduce((total, part) => total + part, 0)
  return sum ** 2 / (parts.length * parts.reduce((total, part) => total + part ** 2, 0))
}

/** Always has something to send over every account, and counts it. */
const makeBusy = () => {
  const sent = new Map<ChatAccountId, number>()
  const sender: typeof BulkSender.Service = {
    name: "busy",
    run: (lane, { pace }) => {
      const id = lane.key as ChatAccountId
      const one = Effect.tap(pace.take("bulk"), () => Effect.sync(() => sent.set(id, (sent.get(id) ?? 0) + 1)))
      return Effect.andThen(pace.allow(1), Effect.forever(one))
    },
    nextDue: () => DateTime.now
  }
  return { sent, sender }
}

const open = (organization: Organization, key: ChatAccountId) =>
  Effect.gen(function* () {
    const lane = { task: sendTaskName, key, priority: "bulk", dueAt: yield* DateTime.now } as const
    yield* transact((yield* Lanes).open(lane))
  }).pipe(asOperatorOf(organization))

/** Equality of the shares of this number of accounts after this time, in one organization and process. */
const shareAmong = Effect.fnUntraced(function* (accounts: number, seconds: number) {
  const { sender, sent } = makeBusy()
  const organization = yield* givenOrganization({ plan: "scale" })
  for (let place = 0; place < accounts; place += 1) {
    const { id } = yield* givenChatAccount(organization)
    sent.set(id, 0)
    yield* open(organization, id)
  }
  yield* Effect.provideService(runLanes([sendTask], { name: "one", lookMillis: 1_000 }), BulkSender, sender)
  for (let second = 0; second < seconds; second += 1) yield* TestClock.adjust("1 second")
  return Array.from(sent.values())
}, Effect.scoped)

describe("accounts that have something to send at all times", () => {
  test("have equal parts of a process that has a place for each", () =>
    Effect.gen(function* () {
      assert.isAtLeast(jain(yield* shareAmong(50, 30)), 0.98)
    }))

  // A full round takes about 45 seconds. Over fewer rounds, an additional turn distorts the shares.
  test("have equal parts of a process that has not", () =>
    Effect.gen(function* () {
      const parts = yield* shareAmong(300, 200)
      assert.isAtLeast(jain(parts), 0.98)
      assert.isAtLeast(Math.min(...parts), 100)
    }))
})
