import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Backlog, type BacklogSize, InboundDeliveries } from "@parley/domain/platform"
import { QueuedSends } from "@parley/domain/messaging"
import { DateTime, Effect } from "effect"
import { givenAccount } from "../../messaging/chat/given.ts"
import { runContract, type StorageContract } from "../../contract.ts"
import { inNewOrganization } from "../../crm/given.ts"
import { givenDeliveries } from "../deliveries/given.ts"
import { after, givenOrganization, inside, outside } from "../../given.ts"
import { givenConversation, givenMessage } from "../../messaging/inbox/given.ts"
import { begin, freshKind, givenJob } from "../jobs/given.ts"

/** Long before all other waiting work, also of other contracts. */
const dawn = DateTime.makeUnsafe("1990-01-01T00:00:00.125Z")

const size = outside(Effect.flatMap(Backlog, (backlog) => backlog.size))

const more = (before: BacklogSize, now: BacklogSize) => ({
  waiting: now.deliveries.waiting - before.deliveries.waiting,
  parked: now.deliveries.parked - before.deliveries.parked,
  sends: now.sends.waiting - before.sends.waiting,
  queued: now.jobs.queued - before.jobs.queued,
  running: now.jobs.running - before.jobs.running,
  runs: now.automationRuns.queued - before.automationRuns.queued,
  runsWaiting: now.automationRuns.waiting - before.automationRuns.waiting,
  runsCalling: now.automationRuns.calling - before.automationRuns.calling
})

const nothing = {
  waiting: 0,
  parked: 0,
  sends: 0,
  queued: 0,
  running: 0,
  runs: 0,
  runsWaiting: 0,
  runsCalling: 0
}

export const backlog: StorageContract = {
  port: "Backlog",
  promises: (it) => {
    it.effect("counts waiting and parked deliveries of all organizations", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const before = yield* size
        const [first] = yield* givenDeliveries(one, 2, { receivedAt: dawn })
        yield* givenDeliveries(other, 1)
        const waiting = yield* size
        assert.deepStrictEqual(more(before, waiting), { ...nothing, waiting: 3 })
        assert.deepStrictEqual(waiting.deliveries.oldest, dawn)
        const deliveries = yield* InboundDeliveries
        yield* transact(deliveries.move(first?.id ?? assert.fail(), "parked", "By hand", dawn)).pipe(inside(one))
        assert.deepStrictEqual(more(before, yield* size), { ...nothing, waiting: 2, parked: 1 })
      })
    )

    it.effect("counts the messages that wait to be sent, and tells since when the first could be", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const before = yield* size
          const conversation = yield* givenConversation({ chatAccountId: (yield* givenAccount()).id })
          const { chatAccountId } = conversation
          const input = { direction: "outbound", status: "queued", providerMessageId: null } as const
          for (const now of [after(dawn, "1 hour"), dawn]) {
            const message = yield* givenMessage(conversation, input)
            const sends = yield* QueuedSends
            yield* transact(sends.enqueue({ chatAccountId, messages: [message], priority: "person", now }))
          }
          const now = yield* size
          assert.deepStrictEqual(more(before, now), { ...nothing, sends: 2 })
          assert.deepStrictEqual(now.sends.oldest, dawn)
        })
      )
    )

    it.effect("counts queued and running jobs", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const kind = freshKind()
        const before = yield* size
        const [, job] = yield* Effect.all([givenJob(kind, { createdAt: dawn }), givenJob(kind)]).pipe(
          inside(organization)
        )
        const queued = yield* size
        assert.deepStrictEqual(more(before, queued), { ...nothing, queued: 2 })
        assert.deepStrictEqual(queued.jobs.oldest, dawn)
        yield* begin(job).pipe(inside(organization))
        assert.deepStrictEqual(more(before, yield* size), { ...nothing, queued: 1, running: 1 })
      })
    )
  }
}

/** Runs the contract of `Backlog` against an adapter. */
export const backlogContract = runContract(backlog)
