import { assert, describe, it } from "@effect/vitest"
import {
  type BroadcastId,
  type BroadcastStats,
  cancelBroadcast,
  ChannelInDoubt,
  ChannelRefused,
  ChannelUnreachable,
  type CurrentActor,
  type CurrentOrganization,
  layerAccountSenders,
  type MessageSending,
  OpenedSecrets,
  type Organization,
  pauseBroadcast,
  type Ports,
  RecipientLedger,
  resumeBroadcast,
  runLanes,
  sendBroadcast,
  sends
} from "@parley/domain"
import { asOperatorOf, MemoryChat } from "@parley/testkit"
import { Config, Effect, Exit, Redacted, Scope } from "effect"
import { TestClock } from "effect/testing"
import { crashAt } from "../inbox/crashing.ts"
import { alone } from "../inbox/given.ts"
import { givenCampaign, readBroadcast } from "./given.ts"

/** How many schedules are tried, and from which on: each one can be tried again by its number. */
const settings = Config.all({
  schedules: Config.withDefault(Config.Int("PARLEY_TEST_SCHEDULES"), 30),
  first: Config.withDefault(Config.Int("PARLEY_TEST_FIRST_SCHEDULE"), 1)
})

/** Numbers that look random and are the same for the same seed. */
const drawsOf = (seed: number) => {
  let state = Math.imul(seed, 2_654_435_761) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return (below: number) => Math.floor(next() * below)
}

const refused = (remedy: "retry" | "slow_down" | "delay_recipient" | "skip_recipient") =>
  new ChannelRefused({ remedy, code: 7, reason: "This was drawn.", retryAfterMillis: null })

/** A provider that answers as it is drawn, late, and writes down what it has accepted. */
const makeProvider = (draw: (below: number) => number) => {
  const accepted: Array<string> = []
  const late: Array<string> = []
  let under = 0
  let isStopped = false
  const answer = (reference: string) => {
    const kind = draw(20)
    if (kind === 0) return Effect.fail(new ChannelInDoubt({ reason: "timeout" }))
    if (kind === 1) return Effect.fail(new ChannelUnreachable())
    if (kind === 2) return Effect.fail(refused("retry"))
    if (kind === 3) return Effect.fail(refused("slow_down"))
    if (kind === 4) return Effect.fail(refused("delay_recipient"))
    if (kind === 5) return Effect.fail(refused("skip_recipient"))
    accepted.push(reference)
    if (kind === 6) return Effect.fail(new ChannelInDoubt({ reason: "connection_lost" }))
    return Effect.succeed({ providerMessageId: `wamid.${accepted.length}`, held: false })
  }
  const send: MessageSending["send"] = (_line, { reference }) =>
    Effect.gen(function* () {
      under += 1
      if (isStopped) late.push(reference)
      yield* Effect.sleep(draw(4) === 0 ? draw(3_000) : draw(200))
      return yield* answer(reference)
    }).pipe(Effect.ensuring(Effect.sync(() => (under -= 1))))
  return {
    accepted,
    late,
    send,
    isIdle: () => under === 0,
    /** From now on no call may begin, or may again. */
    setStopped: (is: boolean) => void (isStopped = is)
  }
}

const breath = Effect.promise(() => new Promise((resolve) => void setImmediate(resolve)))

const step = (millis: number) => Effect.andThen(TestClock.adjust(millis), breath)

/** Secrets are opened at once, so that nothing happens beside the clock. */
const atOnce = Effect.provideService(OpenedSecrets, {
  open: () => Effect.succeed(Redacted.make("token"))
})

const readers = 16

const sumOf = ({ matched, ...counters }: BroadcastStats) =>
  Object.values({ matched, ...counters }).reduce((sum, count) => sum + count, -matched)

/** A process that sends, with what it knows of the outside; it ends with its scope. */
const startProcess = Effect.fnUntraced(function* (draw: (below: number) => number, mayCrash: boolean) {
  const life = yield* Scope.make()
  const crash = crashAt(mayCrash ? draw(400) : Number.POSITIVE_INFINITY)
  yield* Effect.provide(runLanes([sends], { name: "process", lookMillis: 500 }), layerAccountSenders).pipe(
    Effect.provideService(RecipientLedger, crash.through(yield* RecipientLedger)),
    Scope.provide(life)
  )
  return { crash, end: Scope.close(life, Exit.void) }
})

const simulate = Effect.fnUntraced(function* (seed: number) {
  const draw = drawsOf(seed)
  const provider = makeProvider(draw)
  const channel = yield* MemoryChat.whole
  return yield* Effect.gen(function* () {
    const { id, organization } = yield* givenCampaign(readers, {}, { throughputPerSecond: 4 + draw(40) })
    yield* sendBroadcast(id, {}, null).pipe(asOperatorOf(organization))
    let live = yield* startProcess(draw, true)
    let pausedAt: number | null = null
    let resumes = 0
    // Whoever pauses or ends a broadcast is answered when no call starts any more.
    const asked: Array<Effect.Effect<void>> = []
    const ask = (
      what: (id: BroadcastId) => Effect.Effect<unknown, unknown, Ports | CurrentActor | CurrentOrganization>,
      stops: boolean
    ) =>
      Effect.gen(function* () {
        if (!stops) {
          resumes += 1
          provider.setStopped(false)
        }
        const before = resumes
        const answered = Effect.map(Effect.exit(inside(organization, what(id))), (exit) => {
          if (stops && before === resumes && Exit.isSuccess(exit)) provider.setStopped(true)
        })
        const fiber = yield* Effect.forkChild(answered)
        asked.push(Effect.suspend(() => (fiber.pollUnsafe() === undefined ? step(100) : Effect.void)))
      })
    for (let moment = 0; moment < 80; moment += 1) {
      yield* step(20 + draw(200))
      const { stats, status } = yield* readBroadcast(organization, id)
      assert.strictEqual(stats.matched, sumOf(stats), `schedule ${seed}`)
      const what = draw(60)
      if (what < 3 || live.crash.hasCrashed()) {
        const former = live
        // Now and then the next process comes before the former one has ended.
        const isOverlapping = draw(2) === 0
        if (!isOverlapping) yield* endOf(former.end)
        live = yield* startProcess(draw, draw(3) > 0)
        if (isOverlapping) yield* endOf(former.end)
      } else if (what === 3 && status === "sending") {
        pausedAt = moment
        yield* ask(pauseBroadcast, true)
      } else if (pausedAt !== null && moment > pausedAt + 8 && status === "paused") {
        pausedAt = null
        yield* ask(resumeBroadcast, false)
      } else if (what === 4 && draw(6) === 0) yield* ask(cancelBroadcast, true)
    }
    yield* endOf(live.end)
    const last = yield* startProcess(draw, false)
    for (let moment = 0; moment < 30; moment += 1) yield* step(500)
    if ((yield* readBroadcast(organization, id)).status === "paused") {
      yield* ask(resumeBroadcast, false)
    }
    for (let moment = 0; moment < 150; moment += 1) {
      yield* step(moment < 60 ? 500 : 15_000)
      const { status } = yield* readBroadcast(organization, id)
      if (status === "completed") break
      if (status === "cancelled" && provider.isIdle() && moment > 60) break
    }
    for (const wait of asked) yield* wait
    yield* endOf(last.end)
    return { provider, broadcast: yield* readBroadcast(organization, id) }
  }).pipe(atOnce, MemoryChat.through({ sending: { ...channel.sending, send: provider.send } }))
}, alone)

const inside = (
  organization: Organization,
  what: Effect.Effect<unknown, unknown, Ports | CurrentActor | CurrentOrganization>
) => asOperatorOf(organization)(what)

/** Ends a process, which waits for its calls. */
const endOf = Effect.fnUntraced(function* (end: Effect.Effect<void>) {
  const fiber = yield* Effect.forkChild(end)
  while (fiber.pollUnsafe() === undefined) yield* step(100)
})

describe("broadcasts under random schedules of crashes, pauses, cancels and answers", () => {
  it.effect("send nothing twice, nothing after a pause or an end is answered, and lose nobody", () =>
    Effect.gen(function* () {
      const { first, schedules } = yield* settings
      for (let seed = first; seed < first + schedules; seed += 1) {
        const { broadcast, provider } = yield* simulate(seed)
        const { stats, status } = broadcast
        const shown = `schedule ${seed}: ${status} ${JSON.stringify(stats)}, ${provider.accepted.length} accepted`
        assert.strictEqual(new Set(provider.accepted).size, provider.accepted.length, `twice in ${shown}`)
        assert.deepStrictEqual(provider.late, [], `after a stop in ${shown}`)
        assert.strictEqual(sumOf(stats), readers, `counts in ${shown}`)
        assert.include(["completed", "cancelled"], status, `the end of ${shown}`)
        assert.deepStrictEqual([stats.pending, stats.inFlight], [0, 0], `left in ${shown}`)
        // Everybody who was accepted is known to be, or in doubt; nobody else is known to be.
        assert.isAtMost(stats.sent, provider.accepted.length, `too many in ${shown}`)
        assert.isAtLeast(stats.sent + stats.inDoubt, provider.accepted.length, `lost in ${shown}`)
        if (status === "completed") assert.strictEqual(stats.neverSent, 0, `left out in ${shown}`)
      }
    })
  )
})
