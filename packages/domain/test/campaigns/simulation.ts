import { type CurrentActor, type CurrentOrganization, UnitOfWork } from "@parley/domain/kernel"
import { LaneQueue, type Organization, runLanes, Shards } from "@parley/domain/platform"
import {
  ChannelInDoubt,
  ChannelRefused,
  ChannelUnreachable,
  type MessageSender,
  OpenedSecretCache,
  sendTask
} from "@parley/domain/messaging"
import {
  type Broadcast,
  type BroadcastId,
  type BroadcastStats,
  cancelBroadcast,
  hasEnded,
  layerBulkSender,
  pauseBroadcast,
  type PlacedRecipient,
  RecipientLedger,
  RecipientList,
  resumeBroadcast,
  sendBroadcast
} from "@parley/domain/campaigns"
import type { Ports } from "@parley/domain/composition"
import { asOperatorOf, MemoryChat } from "@parley/testkit"
import { DateTime, Effect, Exit, Redacted, Scope } from "effect"
import { TestClock } from "effect/testing"
import { crashAt } from "../messaging/inbox/crashing.ts"
import { alone } from "../messaging/inbox/given.ts"
import { type Draw, drawsOf } from "./draws.ts"
import { givenCampaign, readBroadcast } from "./given.ts"

/** A bug in every process of a schedule: the change to its services. */
export interface PlantedBug {
  readonly ledger?: (
    ledger: RecipientLedger["Service"],
    process: { readonly life: Scope.Scope; readonly transact: UnitOfWork["Service"]["transact"] }
  ) => RecipientLedger["Service"]
  readonly lanes?: (lanes: LaneQueue["Service"]) => LaneQueue["Service"]
}

const refused = (remedy: "retry" | "slow_down" | "delay_recipient" | "skip_recipient" | "stop_account") =>
  new ChannelRefused({ remedy, code: 7, reason: "This was drawn.", retryAfterMillis: null })

/** A provider with drawn, late answers and a log of accepted messages. */
const makeProvider = (draw: Draw) => {
  const accepted: Array<string> = []
  const late: Array<string> = []
  const calledAt: Array<number> = []
  let under = 0
  let doubtful = 0
  let isStopped = false
  const inDoubt = (reason: ChannelInDoubt["reason"]) => {
    doubtful += 1
    return Effect.fail(new ChannelInDoubt({ reason }))
  }
  const answer = (reference: string) => {
    const kind = draw(20)
    if (kind === 0) return inDoubt("timeout")
    if (kind === 1) return Effect.fail(new ChannelUnreachable())
    if (kind === 2) return Effect.fail(refused("retry"))
    if (kind === 3) return Effect.fail(refused("slow_down"))
    if (kind === 4) return Effect.fail(refused("delay_recipient"))
    if (kind === 5) return Effect.fail(refused("skip_recipient"))
    // Pauses all broadcasts of the account that have recipients left.
    if (kind === 7 && draw(4) === 0) return Effect.fail(refused("stop_account"))
    accepted.push(reference)
    if (kind === 6) return inDoubt("connection_lost")
    return Effect.succeed({ providerMessageId: `wamid.${accepted.length}`, held: false })
  }
  const send: MessageSender["send"] = (_line, { reference }) =>
    Effect.gen(function* () {
      under += 1
      calledAt.push(DateTime.toEpochMillis(yield* DateTime.now))
      if (isStopped) late.push(reference)
      yield* Effect.sleep(draw(4) === 0 ? draw(3_000) : draw(200))
      return yield* answer(reference)
    }).pipe(Effect.ensuring(Effect.sync(() => (under -= 1))))
  return {
    accepted,
    late,
    calledAt,
    send,
    isIdle: () => under === 0,
    /** Number of answers without the result of a call. */
    doubtful: () => doubtful,
    /** Blocks or allows new calls from now on. */
    setStopped: (is: boolean) => void (isStopped = is)
  }
}

const breath = Effect.promise(() => new Promise((resolve) => void setImmediate(resolve)))

const step = (millis: number) => Effect.andThen(TestClock.adjust(millis), breath)

/** Secrets open immediately, because all work must use the clock. */
const atOnce = Effect.provideService(OpenedSecretCache, {
  open: () => Effect.succeed(Redacted.make("token"))
})

const readers = 16

const everybody = { contactId: null, reason: null, replied: null, status: null, variant: null }

const sumOf = ({ matched, ...counters }: BroadcastStats) =>
  Object.values({ matched, ...counters }).reduce((sum, count) => sum + count, -matched)

/** A process with heartbeats that can be lost without its knowledge: it continues as the owner. */
const cutting = (shards: Shards["Service"]) => {
  let isCut = false
  let last: Effect.Success<ReturnType<typeof shards.renew>> = null
  const renew: typeof shards.renew = (id, now) =>
    Effect.suspend(() =>
      isCut
        ? Effect.succeed(last)
        : Effect.tap(shards.renew(id, now), (view) =>
            Effect.sync(() => {
              last = view
            })
          )
    )
  return { shards: { ...shards, renew }, cut: () => void (isCut = true) }
}

/** A sending process with its view of the outside. It ends with its scope. */
const startProcess = Effect.fnUntraced(function* (draw: Draw, mayCrash: boolean, bug: PlantedBug) {
  const life = yield* Scope.make()
  const crash = crashAt(mayCrash ? draw(400) : Number.POSITIVE_INFINITY)
  const [ledger, lanes, { transact }] = [yield* RecipientLedger, yield* LaneQueue, yield* UnitOfWork]
  const { cut, shards } = cutting(yield* Shards)
  yield* Effect.provide(runLanes([sendTask], { name: "process", lookMillis: 500 }), layerBulkSender).pipe(
    Effect.provideService(RecipientLedger, crash.through(bug.ledger?.(ledger, { life, transact }) ?? ledger)),
    Effect.provideService(LaneQueue, bug.lanes?.(lanes) ?? lanes),
    Effect.provideService(Shards, shards),
    Scope.provide(life)
  )
  return { crash, cut, end: Scope.close(life, Exit.void) }
})

type Process = Effect.Success<ReturnType<typeof startProcess>>

/** Runs the schedule with this number: a broadcast, processes that crash, end, and do not know that they are replaced, pauses, cancels. */
export const simulate = Effect.fnUntraced(function* (seed: number, bug: PlantedBug = {}) {
  const draw = drawsOf(seed)
  const provider = makeProvider(draw)
  const channel = yield* MemoryChat.whole
  return yield* Effect.gen(function* () {
    const throughputPerSecond = draw(3) === 0 ? 1 + draw(3) : 4 + draw(40)
    const { id, organization } = yield* givenCampaign(readers, {}, { throughputPerSecond })
    yield* sendBroadcast({ id, ifVersion: null }).pipe(asOperatorOf(organization))
    let live = yield* startProcess(draw, true, bug)
    let replaced: Process | null = null
    let isOrderly = true
    let pausedAt: number | null = null
    let resumes = 0
    // A pause or an end is answered after no call starts any more.
    const asked: Array<Effect.Effect<void>> = []
    const ask = (
      what: (input: {
        readonly id: BroadcastId
      }) => Effect.Effect<unknown, unknown, Ports | CurrentActor | CurrentOrganization>,
      stops: boolean
    ) =>
      Effect.gen(function* () {
        if (!stops) {
          resumes += 1
          provider.setStopped(false)
        }
        const before = resumes
        const answered = Effect.map(Effect.exit(inside(organization, what({ id }))), (exit) => {
          if (stops && before === resumes && Exit.isSuccess(exit)) provider.setStopped(true)
        })
        const fiber = yield* Effect.forkChild(answered)
        asked.push(Effect.suspend(() => (fiber.pollUnsafe() === undefined ? step(100) : Effect.void)))
      })
    const misadded: Array<string> = []
    for (let moment = 0; moment < 80; moment += 1) {
      yield* step(20 + draw(200))
      const { stats, status } = yield* readBroadcast(organization, id)
      if (stats.matched !== sumOf(stats)) misadded.push(JSON.stringify(stats))
      const what = draw(60)
      if (what < 3 || live.crash.hasCrashed()) {
        const former = live
        // Now and then the next process comes before the former one has ended.
        const isOverlapping = draw(2) === 0
        if (!isOverlapping) yield* endOf(former.end)
        live = yield* startProcess(draw, draw(3) > 0, bug)
        if (isOverlapping) yield* endOf(former.end)
        // It can also die during its shutdown.
        if (former.crash.hasCrashed()) isOrderly = false
      } else if (what === 3 && status === "sending") {
        pausedAt = moment
        yield* ask(pauseBroadcast, true)
      } else if (pausedAt !== null && moment > pausedAt + 8 && status === "paused") {
        pausedAt = null
        yield* ask(resumeBroadcast, false)
      } else if (what === 4 && draw(6) === 0) yield* ask(cancelBroadcast, true)
      else if (what === 5 && replaced === null) {
        isOrderly = false
        live.cut()
        replaced = live
        live = yield* startProcess(draw, false, bug)
      }
    }
    if (replaced !== null) {
      // By then others have found its heartbeats missing, and it still sends.
      for (let moment = 0; moment < 24; moment += 1) yield* step(500)
      yield* endOf(replaced.end)
    }
    yield* endOf(live.end)
    if (live.crash.hasCrashed()) isOrderly = false
    let last = yield* startProcess(draw, false, bug)
    /** Until no recipient is left to call: a minute is enough, unless the account backs off between calls. */
    const comeToRest = Effect.fnUntraced(function* () {
      for (let moment = 0; moment < 200; moment += 1) {
        yield* step(moment < 120 ? 500 : 15_000)
        const { stats, status } = yield* readBroadcast(organization, id)
        if (status === "paused" || (stats.pending === 0 && stats.inFlight === 0 && provider.isIdle())) return status
      }
      return (yield* readBroadcast(organization, id)).status
    })
    // A paused broadcast without remaining recipients must complete without a member.
    const needsResume = Effect.map(
      readBroadcast(organization, id),
      ({ stats, status }) => status === "paused" && stats.pending + stats.inFlight > 0
    )
    yield* comeToRest()
    for (let resumed = 0; resumed < readers && (yield* needsResume); resumed += 1) {
      yield* ask(resumeBroadcast, false)
      yield* comeToRest()
    }
    // Doubts last for a quarter of an hour. Nothing else happens, and time advances quickly.
    yield* endOf(last.end)
    yield* TestClock.adjust("16 minutes")
    last = yield* startProcess(draw, false, bug)
    for (let moment = 0; moment < 20; moment += 1) {
      yield* step(500)
      if (hasEnded((yield* readBroadcast(organization, id)).status)) break
    }
    for (const wait of asked) yield* wait
    yield* endOf(last.end)
    const { rows: recipients } = yield* Effect.flatMap(RecipientList, (list) =>
      list.list(id, everybody, { limit: readers, after: null })
    ).pipe(asOperatorOf(organization))
    const broadcast = yield* readBroadcast(organization, id)
    return faultOf({ seed, provider, misadded, isOrderly, broadcast, recipients, perSecond: throughputPerSecond })
  }).pipe(atOnce, MemoryChat.through({ sending: { ...channel.sending, send: provider.send } }))
}, alone)

interface Seen {
  readonly seed: number
  readonly provider: ReturnType<typeof makeProvider>
  readonly broadcast: Broadcast
  readonly recipients: ReadonlyArray<PlacedRecipient>
  readonly perSecond: number
  readonly misadded: ReadonlyArray<string>
  /** Whether every process has ended as it should. */
  readonly isOrderly: boolean
}

/** The first violated invariant at the end; `null` without one. */
const faultOf = ({
  broadcast: { stats, status },
  isOrderly,
  misadded,
  perSecond,
  provider,
  recipients,
  seed
}: Seen): string | null => {
  const { accepted, calledAt, late } = provider
  const isAccepted = new Set(accepted)
  const faults: Readonly<Record<string, boolean>> = {
    "the counts did not add up": misadded.length > 0 || sumOf(stats) !== readers,
    "a recipient received two messages": isAccepted.size !== accepted.length,
    "a call started after a stop": late.length > 0,
    "more were called in a second than may be": calledAt.some(
      (at, place) => at - (calledAt[place - perSecond] ?? -1_000) < 1_000
    ),
    "it has not ended": status !== "completed" && status !== "cancelled",
    "recipients are left": stats.pending > 0 || stats.inFlight > 0,
    // Every accepted recipient is recorded as accepted or in doubt, and no other one is.
    "a recipient counts as sent without a message": recipients.some(
      (one) => one.status === "sent" && !isAccepted.has(one.id)
    ),
    "a recipient was lost": recipients.some(
      (one) => isAccepted.has(one.id) && one.status !== "sent" && one.status !== "in_doubt"
    ),
    "a recipient was left out": status === "completed" && stats.neverSent > 0,
    // Without a killed process, no recipient with a known result is in doubt.
    "an answer was lost": isOrderly && stats.inDoubt > provider.doubtful()
  }
  const found = Object.keys(faults).filter((fault) => faults[fault])
  const shown = `schedule ${seed}: ${status} ${JSON.stringify(stats)}, ${accepted.length} accepted`
  return found.length === 0 ? null : `${found.join(", ")} in ${shown}`
}

const inside = (
  organization: Organization,
  what: Effect.Effect<unknown, unknown, Ports | CurrentActor | CurrentOrganization>
) => asOperatorOf(organization)(what)

/** Ends a process, which waits for its calls. */
const endOf = Effect.fnUntraced(function* (end: Effect.Effect<void>) {
  const fiber = yield* Effect.forkChild(end)
  while (fiber.pollUnsafe() === undefined) yield* step(100)
})
