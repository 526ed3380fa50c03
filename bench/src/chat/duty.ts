import { Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import * as Arena from "../Arena.ts"
import { checkpoint } from "../database/checkpoint.ts"
import { type ConstantRate, constantRate } from "../load/constantRate.ts"
import { ToolFailed } from "../load/ToolFailed.ts"
import { machineFacts } from "../machine/facts.ts"
import { waitUntilIdle } from "../machine/idle.ts"
import { withShares } from "../machine/shares.ts"
import { flags, optionsOf } from "../Options.ts"
import { printFacts } from "../report/print.ts"
import { figure, table } from "../report/table.ts"
import { writeReport } from "../report/write.ts"
import { parley } from "../servers/contenders.ts"
import type { Caller } from "../tenants/Population.ts"
import { clearDeliveries, deliveryStates, holdDeliveries, letDeliveries } from "./lanes.ts"
import { type ConnectedLine, connectLines, type Line, ownLine, type Provider, startProvider } from "./provider.ts"
import { contactIdAt, messageIdAt, phoneAt, providerIdAt, seedOutbound } from "./seedOutbound.ts"
import { deliveryOf, idOf, receiptOf, signedRequest, templateOf, textIn } from "./signed.ts"
import { requireSignedOnly } from "./signedOnly.ts"

/** What is asked of the service. */
interface Duty {
  readonly webhooksPerSecond: number
  readonly readsPerSecond: number
  readonly lines: ReadonlyArray<ConnectedLine>
  readonly contacts: number
}

/** Of eleven deliveries ten are receipts: a thousand messages a second have three each, and every tenth is answered. */
const round = 11
const receiptsInRound = 10

/** How many messages later a message is delivered, and how many later it is read. */
const lag = 500

/** Every third of those who write has never written before. */
const newOneOf = 3

const at = <A>(items: ReadonlyArray<A>, index: number): A => {
  const item = items[index % items.length]
  if (item === undefined) throw new Error("There is nothing to take.")
  return item
}

const states = ["sent", "delivered", "read"] as const

/** How many messages have to be there for so many deliveries. */
const messagesFor = (deliveries: number) => 2 * lag + Math.ceil(deliveries / 3)

/** The deliveries of a provider through which a thousand messages a second go out, one after the other, and what they come to. */
const makeTraffic = ({ contacts, lines }: Duty) => {
  let count = 0
  let receipts = 0
  let inbound = 0
  const sums = { receipts: { sent: 0, delivered: 0, read: 0 }, inbound: 0, people: 0 }

  const receipt = (seconds: number) => {
    const state = receipts % 3
    const number = Math.floor(receipts / 3) + (2 - state) * lag
    receipts += 1
    const status = states[state] ?? "sent"
    sums.receipts[status] += 1
    const value = receiptOf(phoneAt(number % contacts), providerIdAt(number), messageIdAt(number), status, seconds)
    return { line: at(lines, number), value }
  }

  const message = (seconds: number) => {
    const isNew = inbound % newOneOf === 0
    const number = isNew ? contacts + inbound : inbound % contacts
    inbound += 1
    sums.inbound += 1
    if (isNew) sums.people += 1
    const person = { phone: phoneAt(number), name: `Person ${number}` }
    const value = textIn(person, `wamid.inbound.${idOf(inbound)}`, "Does it come in another color?", seconds)
    return { line: at(lines, number), value }
  }

  return {
    sums,
    request: () => {
      const seconds = Math.floor(Date.now() / 1_000)
      const { line, value } = count % round < receiptsInRound ? receipt(seconds) : message(seconds)
      count += 1
      return signedRequest(line, deliveryOf(line, value))
    }
  }
}

type Traffic = ReturnType<typeof makeTraffic>

const readsOf = (callers: ReadonlyArray<Caller>, { contacts, lines }: Duty) => {
  const visitors = lines.map(({ organizationId }) =>
    callers.filter((caller) => caller.organizationId === organizationId)
  )
  return () => {
    const number = Math.floor(Math.random() * contacts)
    const ofOrganization = at(visitors, number)
    const { accessToken, organizationId } = at(ofOrganization, Math.floor(Math.random() * ofOrganization.length))
    return `GET /api/v1/contacts/${contactIdAt(number)} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${accessToken}\r\nX-Organization-Id: ${organizationId}\r\n\r\n`
  }
}

/** Makes sure that nothing was refused. What was not answered in time counts against the rate that was achieved. */
const requireUnrefused = (what: string, { statuses }: ConstantRate) =>
  Object.keys(statuses).every((status) => status === "200")
    ? Effect.void
    : new ToolFailed({ tool: what, output: `They were answered so: ${JSON.stringify(statuses)}` })

const sameStates = Effect.fnUntraced(function* ({ sums }: Traffic, duty: Duty) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Record<"delivered" | "read" | "inbound" | "people" | "unread" | "early", number>>`
    SELECT (SELECT count(*)::integer FROM messages WHERE direction = 'outbound' AND delivered_at IS NOT NULL) AS delivered,
      (SELECT count(*)::integer FROM messages WHERE direction = 'outbound' AND status = 'read') AS read,
      (SELECT count(*)::integer FROM messages WHERE direction = 'inbound') AS inbound,
      (SELECT count(*)::integer - ${duty.contacts}::integer FROM contacts) AS people,
      (SELECT sum(inbound_count - read_count)::integer FROM conversations) AS unread,
      (SELECT count(*)::integer FROM early_receipts) AS early`
  // The first ones are told to be read, and never to be delivered.
  const { read } = sums.receipts
  const expected = {
    delivered: sums.receipts.delivered + Math.min(read, lag),
    read,
    inbound: sums.inbound,
    people: sums.people,
    unread: sums.inbound,
    early: 0
  }
  const odd = Object.entries(expected).filter(([what, count]) => row?.[what as keyof typeof expected] !== count)
  if (odd.length === 0) return
  const output = `Expected ${JSON.stringify(expected)}, but there is ${JSON.stringify(row)}.`
  return yield* new ToolFailed({ tool: "parley", output })
})

const longestDrainMillis = 600_000

/** Waits until everything is worked through, for ten minutes at most; says how long that took, and what still waits. */
const drain = Effect.gen(function* () {
  const begun = performance.now()
  let { waiting } = yield* deliveryStates
  while (waiting > 0 && performance.now() - begun < longestDrainMillis) {
    yield* Effect.sleep("100 millis")
    waiting = (yield* deliveryStates).waiting
  }
  return { seconds: (performance.now() - begun) / 1_000, waiting }
})

const rateRow = (
  what: string,
  { achievedPerSecond, p50, p99, p999, sent, unanswered }: ConstantRate,
  seconds: number
) => [
  what,
  figure(achievedPerSecond),
  figure(sent / seconds),
  figure(unanswered),
  figure(p50, 2),
  figure(p99, 2),
  figure(p999, 2)
]

const leastAchieved = 0.99
const mostShare = 0.6

const run = Effect.fnUntraced(function* (
  provider: Provider,
  own: ReadonlyArray<Line>,
  rates: Pick<Duty, "webhooksPerSecond" | "readsPerSecond">
) {
  const { grounds, options, population } = yield* Arena.Arena
  const { connections, seconds, warmUpSeconds } = options
  const duty: Duty = {
    ...rates,
    lines: yield* connectLines(provider, own),
    contacts: options.quick ? 500 : 20_000
  }
  const { readsPerSecond, webhooksPerSecond } = duty
  const messages = messagesFor(webhooksPerSecond * (seconds + warmUpSeconds))
  yield* Console.log(
    `Preparing ${duty.contacts} contacts of ${own.length} organizations, and ${messages} messages to them.`
  )
  yield* seedOutbound(duty.lines, { contacts: duty.contacts, messages })
  yield* holdDeliveries
  const server = yield* parley(grounds)
  yield* requireSignedOnly(server, templateOf(at(own, 0), { phone: phoneAt(0), name: "Person" }, 1_749_416_383), 1)
  yield* clearDeliveries
  yield* letDeliveries

  const { url } = server
  const traffic = makeTraffic(duty)
  const deliver = (forSeconds: number) =>
    constantRate({ url, perSecond: webhooksPerSecond, seconds: forSeconds, connections, request: traffic.request })
  const request = readsOf(population.callers, duty)
  const read = (forSeconds: number) =>
    constantRate({ url, perSecond: readsPerSecond, seconds: forSeconds, connections, request })

  yield* Console.log(`Warming up for ${warmUpSeconds} s.`)
  const [, warmedUp] = yield* Effect.all([read(warmUpSeconds), deliver(warmUpSeconds)], { concurrency: 2 })
  const drainedBefore = yield* drain
  // Of a delivery that was not answered nobody knows whether it was stored.
  const isKnown = warmedUp.unanswered === 0 && drainedBefore.waiting === 0
  if (isKnown) yield* sameStates(traffic, duty)
  yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`VACUUM ANALYZE`)

  const { applied: appliedBefore } = yield* deliveryStates
  const facts = yield* machineFacts
  const parts = { server: server.pid, generator: process.pid }
  const calmSeconds = Math.min(seconds, 30)
  yield* checkpoint
  yield* waitUntilIdle(options.idleMillis)
  const calm = yield* withShares(parts, facts.cores, read(calmSeconds))
  yield* checkpoint
  const idleBefore = yield* waitUntilIdle(options.idleMillis)
  const loaded = yield* withShares(
    parts,
    facts.cores,
    Effect.all([read(seconds), deliver(seconds)], { concurrency: 2 })
  )
  const [reads, delivered] = loaded.value
  const { applied: appliedInAll, parked, waiting } = yield* deliveryStates
  const applied = appliedInAll - appliedBefore
  const drained = yield* drain
  yield* requireUnrefused("reads", calm.value)
  yield* requireUnrefused("reads", reads)
  yield* requireUnrefused("webhooks", delivered)
  if (parked > 0) return yield* new ToolFailed({ tool: "parley", output: `${parked} deliveries were parked.` })
  const isComparable = isKnown && delivered.unanswered === 0 && drained.waiting === 0
  if (isComparable) yield* sameStates(traffic, duty)

  yield* printFacts(facts)
  yield* Console.log(
    table(
      ["constant rate", "answered per s", "asked per s", "lost", "p50 ms", "p99 ms", "p99.9 ms"],
      [
        rateRow("reads by themselves", calm.value, calmSeconds),
        rateRow("reads beside webhooks", reads, seconds),
        rateRow("webhooks", delivered, seconds)
      ]
    )
  )
  yield* Console.log("")
  yield* Console.log(
    table(
      [`% of ${facts.cores} cores`, "reads", "reads and webhooks"],
      Object.entries(loaded.shares).map(([what, share]) => [
        what,
        figure(100 * (calm.shares[what as keyof typeof calm.shares] ?? Number.NaN), 1),
        figure(100 * share, 1)
      ])
    )
  )
  const achieved = delivered.achievedPerSecond / webhooksPerSecond
  const { shares } = loaded
  const share = shares.server + shares["PostgreSQL for the server"] + shares["PostgreSQL in the background"]
  const verdict = (isReached: boolean) => (isReached ? "reached" : "missed")
  yield* Console.log(
    `\nRate achieved: ${figure(delivered.achievedPerSecond)}/s, ${figure(100 * achieved, 1)} %, at least ${100 * leastAchieved} %: ${verdict(achieved >= leastAchieved)}` +
      `\nCPU of the server and PostgreSQL: ${figure(100 * share, 1)} %, at most ${100 * mostShare} %: ${verdict(share <= mostShare)}` +
      `\nWorked through meanwhile: ${figure(applied / loaded.seconds)}/s` +
      `\nAt the end ${waiting} of ${waiting + applied} deliveries waited, ${figure(waiting / webhooksPerSecond, 1)} s of them; ${figure(drained.seconds, 1)} s later ${drained.waiting} waited` +
      (isComparable
        ? "\nEvery receipt was applied to its message, and every message that came in is there once."
        : "\nNot everything was answered or worked through, so what was applied is not compared.") +
      `\nThe generator was late by ${figure(delivered.lateP99, 2)} ms at its p99; idle before: ${figure(100 * idleBefore)} %`
  )
  if (options.quick) return
  const { databaseUrl: _, ...settings } = options
  yield* writeReport("webhooks-duty", {
    facts,
    settings: { ...settings, ...rates, organizations: own.length },
    calm,
    loaded,
    waiting,
    applied,
    isComparable,
    drained,
    sums: traffic.sums
  })
})

const positive = (name: string, maximum: number) =>
  Flag.Int(name).pipe(Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))))

/** The webhooks' half of P6: what the provider tells of a thousand messages a second, beside reads. */
export const webhooksDuty = Command.make(
  "webhooks-duty",
  {
    ...flags,
    webhooksPerSecond: positive("webhooks-per-second", 100_000).pipe(
      Flag.withDescription("How many webhooks come in a second (3300)"),
      Flag.optional
    ),
    readsPerSecond: positive("reads-per-second", 100_000).pipe(
      Flag.withDescription("How many contacts are read a second (500)"),
      Flag.optional
    ),
    organizations: positive("organizations", 64).pipe(
      Flag.withDescription("How many organizations, each with a number of its own, share the webhooks"),
      Flag.withDefault(1)
    )
  },
  Effect.fnUntraced(function* ({ organizations, readsPerSecond, webhooksPerSecond, ...given }) {
    const usual = yield* optionsOf(given)
    const { quick } = given
    const options = {
      ...usual,
      rows: 640,
      seconds: Option.getOrElse(given.seconds, () => (quick ? 3 : 30)),
      warmUpSeconds: quick ? 2 : 10,
      organizations: Math.max(2, organizations)
    }
    const rates = {
      webhooksPerSecond: Option.getOrElse(webhooksPerSecond, () => (quick ? 110 : 3_300)),
      readsPerSecond: Option.getOrElse(readsPerSecond, () => (quick ? 50 : 500))
    }
    const own = Array.from({ length: organizations }, (_, place) => ownLine(place))
    yield* Effect.gen(function* () {
      const provider = yield* startProvider(own)
      yield* run(provider, own, rates).pipe(
        Effect.scoped,
        Effect.provide(Arena.layer(options, { chat: provider.chat, isUnlimited: true }))
      )
    }).pipe(Effect.scoped)
  })
).pipe(Command.withDescription("3,300 webhooks a second and what is done with them, beside reads of contacts"))
