import { cancelBroadcast } from "@parley/domain"
import { defaultApp } from "@parley/simulators/chat"
import { Array as List, Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import * as Arena from "../../Arena.ts"
import { ownLine } from "../../chat/provider.ts"
import { checkpoint } from "../../database/checkpoint.ts"
import { machineFacts } from "../../machine/facts.ts"
import { waitUntilIdle } from "../../machine/idle.ts"
import { flags, optionsOf } from "../../Options.ts"
import { median } from "../../report/median.ts"
import { printFacts } from "../../report/print.ts"
import { figure } from "../../report/table.ts"
import { writeReport } from "../../report/write.ts"
import { parley } from "../../servers/contenders.ts"
import { givenReaders, givenSender, type Sender, within } from "../given.ts"
import { type Mock, startMock } from "../provider/control.ts"
import { clearBroadcasts, sendListed } from "../send/broadcasts.ts"

interface Size {
  readonly recipients: number
  readonly accounts: number
  readonly small: number
}

/** The large broadcast has the whole pace of a large number, the small one the usual pace of a number. */
const largePace = 1_000
const smallPace = 80

/** Together more than the capacity of the machine: one broadcast must wait. */
const crowdedPace = 1_000

const mostDelay = 1.2
const leastJain = 0.98

/** 1 for equal shares, 1/n if one has everything. */
const jainOf = (shares: ReadonlyArray<number>) => {
  const sum = shares.reduce((total, share) => total + share, 0)
  return sum ** 2 / (shares.length * shares.reduce((total, share) => total + share ** 2, 0))
}

const behaveAtOnce = (mock: Mock) => mock.behave({ latencyMillis: 0, tells: null })

const linesOf = (mock: Mock) => Effect.map(mock.seen, ({ lines }) => new Map(lines.map((line) => [line.phoneId, line])))

const quietly = Effect.gen(function* () {
  const { options } = yield* Arena.Arena
  yield* checkpoint
  return yield* waitUntilIdle(options.idleMillis)
})

/** How long the small broadcast takes from its start to its last message. */
const timeSmall = Effect.fnUntraced(function* (mock: Mock, sender: Sender, place: number, small: number) {
  const begun = Date.now()
  yield* sendListed(sender, place, small)
  const line = Effect.map(linesOf(mock), (lines) => lines.get(sender.line.phoneId))
  const seen = yield* Effect.repeat(Effect.delay(line, "10 millis"), {
    until: (line) => (line?.messages ?? 0) >= small
  })
  return (seen?.lastAt ?? Number.NaN) - begun
})

const pace = Effect.fnUntraced(function* ({ accountId, line }: Sender, perSecond: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE chat_accounts SET throughput_per_second = ${perSecond}
    WHERE organization_id = ${line.organizationId} AND id = ${accountId}`
})

const run = Effect.fnUntraced(function* (mock: Mock, { accounts, recipients, small }: Size) {
  const { grounds, options } = yield* Arena.Arena
  yield* Console.log(`Preparing ${recipients} people for one number, and fewer for ${accounts - 1} others.`)
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE organizations SET plan = 'scale'`
  const few = Math.max(small, Math.ceil(crowdedPace * options.seconds))
  const senders = yield* Effect.forEach(
    List.makeBy(accounts, (place) => place),
    Effect.fnUntraced(function* (place) {
      const line = ownLine(place)
      yield* givenReaders(place, line, place === 0 ? recipients : few)
      return yield* givenSender(line, smallPace)
    })
  )
  yield* sql`VACUUM ANALYZE`
  const [large, other] = [List.getUnsafe(senders, 0), List.getUnsafe(senders, 1)]
  yield* parley(grounds)
  yield* pace(large, largePace)

  const times: Array<{ readonly lone: number; readonly beside: number }> = []
  for (let round = 0; round <= options.rounds; round += 1) {
    yield* behaveAtOnce(mock)
    const idleBefore = yield* quietly
    const lone = yield* timeSmall(mock, other, 1, small)
    yield* clearBroadcasts
    yield* behaveAtOnce(mock)
    const id = yield* sendListed(large, 0, recipients)
    yield* Effect.sleep("3 seconds")
    const beside = yield* timeSmall(mock, other, 1, small)
    const { lines } = yield* mock.seen
    const ofLarge = lines.find(({ phoneId }) => phoneId === large.line.phoneId)
    yield* within(large.line.organizationId)(cancelBroadcast({ id }))
    yield* clearBroadcasts
    if (round > 0) times.push({ lone, beside })
    yield* Console.log(
      `round ${round}  alone ${lone} ms, beside the large one ${beside} ms (of which ${ofLarge?.messages ?? 0} went out)   idle before ${figure(100 * idleBefore)} %`
    )
  }

  yield* Effect.forEach(senders, (sender) => pace(sender, crowdedPace), { discard: true })
  yield* behaveAtOnce(mock)
  yield* quietly
  const ids = yield* Effect.forEach(senders, (sender, place) =>
    sendListed(sender, place, place === 0 ? recipients : few)
  )
  yield* Effect.sleep("3 seconds")
  const before = yield* linesOf(mock)
  yield* Effect.sleep(`${options.seconds} seconds`)
  const after = yield* linesOf(mock)
  const shares = senders.map(
    ({ line: { phoneId } }) => (after.get(phoneId)?.messages ?? 0) - (before.get(phoneId)?.messages ?? 0)
  )
  yield* Effect.forEach(
    ids,
    (id, place) => within(List.getUnsafe(senders, place).line.organizationId)(cancelBroadcast({ id })),
    { concurrency: 8, discard: true }
  )
  const facts = yield* machineFacts
  yield* printFacts(facts)
  const [lone, beside] = [median(times.map(({ lone }) => lone)), median(times.map(({ beside }) => beside))]
  const delay = median(times.map(({ beside, lone }) => beside / lone))
  const jain = jainOf(shares)
  const verdict = (isReached: boolean) => (isReached ? "reached" : "missed")
  const sum = shares.reduce((total, share) => total + share, 0)
  yield* Console.log(
    `${small} messages: ${figure(lone)} ms alone, ${figure(beside)} ms beside ${recipients} of another number (medians)` +
      `\nTimes as long: ${figure(delay, 2)}, at most ${mostDelay}: ${verdict(delay <= mostDelay)}` +
      `\n${accounts} numbers that want more than there is: ${figure(sum / options.seconds)} messages a second, ${Math.min(...shares)} to ${Math.max(...shares)} of each in ${options.seconds} s` +
      `\nJain's index: ${figure(jain, 4)}, at least ${leastJain}: ${verdict(jain >= leastJain)}`
  )
  if (options.quick) return
  const { databaseUrl: _, ...settings } = options
  yield* writeReport("broadcast-fairness", {
    facts,
    settings: { ...settings, recipients, accounts, small },
    times,
    shares
  })
})

const positive = (name: string, maximum: number) =>
  Flag.Int(name).pipe(Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 2, maximum }))), Flag.optional)

/** P12: a small broadcast next to a large one, and many broadcasts above the capacity. */
export const broadcastFairness = Command.make(
  "broadcast-fairness",
  {
    ...flags,
    recipients: positive("recipients", 10_000_000).pipe(
      Flag.withDescription("To how many the large broadcast goes (1000000)")
    ),
    accounts: positive("accounts", 200).pipe(
      Flag.withDescription("Number of concurrent senders, one organization each (50)")
    ),
    small: positive("small", 100_000).pipe(Flag.withDescription("To how many the small broadcast goes (100)"))
  },
  Effect.fnUntraced(function* ({ accounts, recipients, small, ...given }) {
    const { quick } = given
    const size: Size = {
      recipients: Option.getOrElse(recipients, () => (quick ? 10_000 : 1_000_000)),
      accounts: Option.getOrElse(accounts, () => (quick ? 5 : 50)),
      small: Option.getOrElse(small, () => 100)
    }
    const common = yield* optionsOf(given)
    const options = { ...common, rows: 640, organizations: size.accounts, sessionsEach: 1 }
    yield* Effect.gen(function* () {
      const mock = yield* startMock
      const chat = { url: mock.url, ...defaultApp }
      yield* run(mock, size).pipe(Effect.scoped, Effect.provide(Arena.layer(options, { chat, isUnlimited: true })))
    }).pipe(Effect.scoped)
  })
).pipe(Command.withDescription("Measures a small broadcast during a large one, and the fairness between many"))
