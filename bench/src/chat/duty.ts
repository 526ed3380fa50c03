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
import { otherFlag, parley } from "../servers/contenders.ts"
import type { Caller } from "../tenants/Population.ts"
import { drain, sameStates } from "./applied.ts"
import { applying } from "./applying.ts"
import { clearDeliveries, deliveryStates, holdDeliveries, letDeliveries } from "./lanes.ts"
import { connectLines, type Line, ownLine, type Provider, startProvider } from "./provider.ts"
import { contactIdAt, phoneAt, seedOutbound } from "./seedOutbound.ts"
import { signedRequest, templateOf } from "./signed.ts"
import { requireSignedOnly } from "./signedOnly.ts"
import { type Audience, goingRound, makeTraffic, messagesFor } from "./traffic.ts"

/** Load on the service. */
interface Duty extends Audience {
  readonly webhooksPerSecond: number
  readonly readsPerSecond: number
}

const readsOf = (callers: ReadonlyArray<Caller>, { contacts, lines }: Duty) => {
  const visitors = lines.map(({ organizationId }) =>
    callers.filter((caller) => caller.organizationId === organizationId)
  )
  return () => {
    const number = Math.floor(Math.random() * contacts)
    const ofOrganization = goingRound(visitors, number)
    const { accessToken, organizationId } = goingRound(
      ofOrganization,
      Math.floor(Math.random() * ofOrganization.length)
    )
    return `GET /api/v1/contacts/${contactIdAt(number)} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${accessToken}\r\nX-Organization-Id: ${organizationId}\r\n\r\n`
  }
}

/** Fails if any request was refused. Late answers count against the achieved rate. */
const requireUnrefused = (what: string, { statuses }: ConstantRate) =>
  Object.keys(statuses).every((status) => status === "200")
    ? Effect.void
    : new ToolFailed({ tool: what, output: `They were answered so: ${JSON.stringify(statuses)}` })

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
  yield* requireSignedOnly(
    server,
    templateOf(goingRound(own, 0), { phone: phoneAt(0), name: "Person" }, 1_749_416_383),
    1
  )
  yield* clearDeliveries
  yield* letDeliveries

  const { url } = server
  const traffic = makeTraffic(duty)
  const deliver = (forSeconds: number) =>
    constantRate({
      url,
      perSecond: webhooksPerSecond,
      seconds: forSeconds,
      connections,
      request: () => {
        const { body, line } = traffic.next()
        return signedRequest(line, body)
      }
    })
  const request = readsOf(population.callers, duty)
  const read = (forSeconds: number) =>
    constantRate({ url, perSecond: readsPerSecond, seconds: forSeconds, connections, request })

  yield* Console.log(`Warming up for ${warmUpSeconds} s.`)
  const [, warmedUp] = yield* Effect.all([read(warmUpSeconds), deliver(warmUpSeconds)], { concurrency: 2 })
  const drainedBefore = yield* drain
  // An unanswered delivery may be stored or not.
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
      `\nProcessed concurrently: ${figure(applied / loaded.seconds)}/s` +
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

/** Webhook half of P6: the provider's reports about a thousand messages a second, with concurrent reads. */
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
      Flag.withDescription("Number of organizations that share the webhooks, one number each"),
      Flag.withDefault(1)
    ),
    of: Flag.Literals("of", ["duty", "applying"]).pipe(
      Flag.withDescription(
        "What is measured: all of it, or only how fast what is stored already is applied, in rounds"
      ),
      Flag.withDefault("duty")
    ),
    ...otherFlag
  },
  Effect.fnUntraced(function* ({ of, organizations, other: beside, readsPerSecond, webhooksPerSecond, ...given }) {
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
      const measured =
        of === "duty"
          ? run(provider, own, rates)
          : applying(provider, own, { beside, deliveries: quick ? 500 : 30_000 })
      yield* measured.pipe(
        Effect.scoped,
        Effect.provide(Arena.layer(options, { chat: provider.chat, isUnlimited: true }))
      )
    }).pipe(Effect.scoped)
  })
).pipe(Command.withDescription("3,300 webhooks per second with their processing, and concurrent reads of contacts"))
