import { assert, describe, it } from "@effect/vitest"
import { hasEnded } from "@parley/domain/campaigns"
import { DateTime, Schema } from "effect"
import { refundThrottle } from "../../src/campaigns/sending/limits.ts"
import {
  type BroadcastSend,
  type SenderCommand,
  type SenderInput,
  type SenderState,
  sendsOf,
  type Step
} from "../../src/campaigns/sending/state.ts"
import { step } from "../../src/campaigns/sending/step.ts"
import type { ModelBroadcast } from "./modelLedger.ts"
import { ModelSender } from "./modelSender.ts"

/** The slowest run takes less. */
const maxTicks = 20_000

/** Number of rounds with pauses and cancels by members. */
const restlessTicks = 300

const minute = 60_000

/** A member pauses, resumes or cancels a broadcast, and the lane is notified. */
const intervene = (sender: ModelSender, isRestless: boolean) => {
  const { draw, ledger, now } = sender
  for (const model of ledger.broadcasts) {
    const { status } = model.broadcast
    const what = draw(isRestless ? 60 : 10)
    if (status === "paused" && what < 6) ledger.change(model, { status: "sending", pause: null })
    else if (!isRestless || status !== "sending" || what > 1) continue
    else if (what === 0 && draw(8) === 0) ledger.end(model, "cancelled")
    else ledger.change(model, { status: "paused", pause: { reason: "user", at: DateTime.makeUnsafe(now), by: null } })
    sender.isNotified = true
  }
}

const isThrottleExceeded = ({ broadcast, grantedAt }: ModelBroadcast) => {
  const { throttle } = broadcast
  return (
    throttle !== null &&
    grantedAt.some((at, place) => at - (grantedAt[place - throttle.perMinute] ?? Number.NEGATIVE_INFINITY) < minute)
  )
}

const sumOf = ({ inFlight, settled, ...model }: ModelBroadcast, pending: number) =>
  Object.values(settled).reduce((sum, count) => sum + count, pending + inFlight.size) - model.size

/** Runs a sender until all broadcasts have ended. Returns the violations. */
const faultsOf = (seed: number, stepOf: typeof step = step): ReadonlyArray<string> => {
  const sender = new ModelSender(seed, stepOf)
  const { faults, ledger } = sender
  for (let tick = 0; faults.size === 0; tick += 1) {
    if (tick > maxTicks) faults.add("the sender does not end")
    intervene(sender, tick < restlessTicks)
    const commands = sender.tick()
    for (const command of commands) sender.perform(command)
    if (commands.some(({ _tag }) => _tag === "End")) {
      if (ledger.broadcasts.some(({ inFlight }) => inFlight.size > 0)) faults.add("a claimed recipient has no result")
      if (ledger.broadcasts.every(({ broadcast }) => hasEnded(broadcast.status))) break
      // Only pauses and recipients in doubt are left.
      sender.restart(20 * minute)
    }
  }
  if (ledger.broadcasts.some(isThrottleExceeded)) faults.add("a throttle is exceeded")
  if (faults.size === 0 && ledger.broadcasts.some((model) => sumOf(model, ledger.pendingOf(model)) !== 0)) {
    faults.add("the counts do not add up")
  }
  return [...faults]
}

const mapSends = (state: SenderState, change: (send: BroadcastSend) => BroadcastSend): SenderState => ({
  ...state,
  broadcasts: new Map(sendsOf(state).map((send) => [send.id, change(send)]))
})

/** Changes the step, as a bug would do. */
const withBug =
  (change: (next: Step, input: SenderInput, before: SenderState) => Step): typeof step =>
  (state, input) =>
    change(step(state, input), input, state)

const stepsWithBugs: Readonly<Record<string, typeof step>> = {
  "calls after a stop": withBug((next, input) =>
    input._tag === "CallReady" ? { ...next, commands: [{ ...input, _tag: "Call" }] } : next
  ),
  "a stop is recorded while recipients wait for their calls": withBug(({ commands, state }) => ({
    state,
    commands: commands.flatMap((command): ReadonlyArray<SenderCommand> =>
      command._tag === "Stop" ? [{ _tag: "RecordStop", id: command.id }, command] : [command]
    )
  })),
  "results of failed calls are lost": withBug((next, input, before) =>
    input._tag === "CallFinished" && input.outcome.isFailure === true
      ? { ...next, state: { ...next.state, broadcasts: before.broadcasts } }
      : next
  ),
  "results are stored twice": withBug((next, input, before) =>
    input._tag === "Stored" && input.results.length > 0
      ? { ...next, state: { ...next.state, broadcasts: before.broadcasts } }
      : next
  ),
  "claims ignore the rate of the account": (state, input) =>
    step(state, input._tag === "Tick" ? { ...input, rate: input.rate + 100 } : input),
  "more messages return to the throttle than were unused": withBug(({ commands, state }, input) => ({
    commands,
    state:
      input._tag !== "Claimed"
        ? state
        : mapSends(state, (send) =>
            send.throttle === null ? send : { ...send, throttle: refundThrottle(send.throttle, 1) }
          )
  }))
}

const seeds = { seed: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 31 - 1 })) }

/** Senders of one message a second without a daily limit. */
const slowSeeds = [2, 10, 42, 94, 129, 151]

/** A bug is found among this many schedules. */
const mostSchedules = 300

describe("the sender of an account", () => {
  it.prop(
    "respects the limits, starts no call after a stop, and stores one result for each claimed recipient",
    seeds,
    ({ seed }) => assert.deepStrictEqual(faultsOf(seed), []),
    { arbitrary: { runs: 100, seed: "senders" } }
  )

  it("loads a slow account less than five times for each claim", () => {
    const counts = new Map<string, number>()
    for (const seed of slowSeeds) {
      const sender = new ModelSender(seed, step)
      assert.strictEqual(sender.rate, 1)
      for (let tick = 0; tick < restlessTicks; tick += 1) {
        for (const command of sender.tick()) {
          counts.set(command._tag, (counts.get(command._tag) ?? 0) + 1)
          sender.perform(command)
        }
      }
    }
    assert.isBelow(counts.get("Load") ?? 0, 5 * (counts.get("Claim") ?? 0))
  })

  it.each(Object.entries(stepsWithBugs))("does not with a bug: %s", (_, stepOf) => {
    const isFound = Array.from({ length: mostSchedules }, (_, place) => place + 1).some(
      (seed) => faultsOf(seed, stepOf).length > 0
    )
    assert.isTrue(isFound)
  })
})
