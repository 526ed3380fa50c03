import { Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import * as Arena from "../Arena.ts"
import { checkpoint } from "../database/checkpoint.ts"
import { closedLoop } from "../load/closedLoop.ts"
import { constantRate } from "../load/constantRate.ts"
import { quantile } from "../load/quantile.ts"
import { ToolFailed } from "../load/ToolFailed.ts"
import { backends } from "../machine/backends.ts"
import { machineFacts } from "../machine/facts.ts"
import { waitUntilIdle } from "../machine/idle.ts"
import { cpuSecondsBetween, usesOf } from "../machine/ProcessUse.ts"
import { flags, optionsOf } from "../Options.ts"
import { median } from "../report/median.ts"
import { printFacts } from "../report/print.ts"
import { figure, table } from "../report/table.ts"
import { writeReport } from "../report/write.ts"
import { parley } from "../servers/contenders.ts"
import type { RunningServer } from "../servers/launch.ts"
import type { Caller } from "../tenants/Population.ts"
import { connectLines, type Line, ownLine, type Provider, startProvider } from "./provider.ts"
import { phoneAt } from "./seedOutbound.ts"

/** An open conversation, and who may write in it. */
interface Talk {
  readonly conversationId: string
  readonly phoneId: string
  /** In digits only, as the provider has it. */
  readonly phone: string
  readonly callers: ReadonlyArray<Caller>
}

const longestWaitMillis = 300_000

const waitUntil = Effect.fnUntraced(function* <E, R>(what: string, isSo: Effect.Effect<boolean, E, R>) {
  const begun = performance.now()
  while (!(yield* isSo)) {
    if (performance.now() - begun > longestWaitMillis) {
      return yield* new ToolFailed({ tool: "parley", output: `After five minutes it is not so that ${what}.` })
    }
    yield* Effect.sleep("20 millis")
  }
})

/** Has customers write to every number, and waits until that is in the inbox: from now on the team may write to them. */
const openTalks = Effect.fnUntraced(function* (
  { simulator }: Provider,
  server: RunningServer,
  own: ReadonlyArray<Line>,
  customersEach: number
) {
  const { population } = yield* Arena.Arena
  const sql = yield* SqlClient.SqlClient
  for (const [place, { appSecret, businessId, path, phoneId }] of own.entries()) {
    simulator.setWebhook({ url: `${server.url}${path}`, appSecret }, businessId)
    for (let customer = 0; customer < customersEach; customer++) {
      simulator.write(phoneId, phoneAt(place * customersEach + customer), { type: "text", text: "Is it still there?" })
    }
  }
  const opened = sql<Omit<Talk, "callers"> & { readonly organizationId: string }>`
    SELECT c.organization_id AS "organizationId", c.id AS "conversationId", a.external_phone_id AS "phoneId",
      substr(p.phone, 2) AS phone
    FROM conversations AS c JOIN contacts AS p ON p.organization_id = c.organization_id AND p.id = c.contact_id
    JOIN chat_accounts AS a ON a.organization_id = c.organization_id AND a.id = c.chat_account_id`
  const all = own.length * customersEach
  yield* waitUntil(
    "all who have written are in the inbox",
    Effect.map(opened, ({ length }) => length === all)
  )
  // What goes out from now on has no receipts: only the way to the provider is measured.
  for (const { businessId } of own) simulator.setWebhook(null, businessId)
  yield* sql`VACUUM ANALYZE`
  return (yield* opened).map(({ organizationId, ...talk }): Talk => ({
    ...talk,
    callers: population.callers.filter((caller) => caller.organizationId === organizationId)
  }))
})

const pick = <A>(items: ReadonlyArray<A>, index: number): A => {
  const item = items[index % items.length]
  if (item === undefined) throw new Error("There is nothing to pick from.")
  return item
}

const Sent = Schema.Struct({ text: Schema.Struct({ body: Schema.String }) })
const isSent = Schema.is(Sent)

/** Messages that are written, each with a number, and what has become of each. */
const makeLetters = ({ simulator }: Provider, talks: ReadonlyArray<Talk>) => {
  const written: Array<{ readonly at: number; readonly talk: Talk }> = []
  return {
    written: () => written.length,
    request: () => {
      const number = written.length
      const talk = pick(talks, number)
      const { accessToken, organizationId } = pick(talk.callers, number)
      const body = JSON.stringify({ kind: "text", text: `Letter ${number}` })
      written.push({ at: Date.now(), talk })
      return `POST /api/v1/conversations/${talk.conversationId}/messages HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${accessToken}\r\nX-Organization-Id: ${organizationId}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    },
    /** What the provider has taken since it had taken so many: each once, to its addressee, in the order of its conversation. */
    taken: Effect.fnUntraced(function* (from: number) {
      const differ = (output: string) => new ToolFailed({ tool: "parley", output })
      if (simulator.refused().length > 0) return yield* differ("The provider has refused a message.")
      const accepted = simulator.accepted().slice(from)
      const seen = new Set<number>()
      const latest = new Map<string, number>()
      const latencies: Array<number> = []
      for (const { at, payload, phoneId, to } of accepted) {
        const number = isSent(payload) ? Number(payload.text.body.replace("Letter ", "")) : Number.NaN
        const letter = written[number]
        if (letter === undefined) return yield* differ("The provider was given a message that nobody has written.")
        const { talk } = letter
        if (seen.has(number)) return yield* differ(`Letter ${number} was sent twice.`)
        if (talk.phone !== to || talk.phoneId !== phoneId)
          return yield* differ(`Letter ${number} went to another person.`)
        if ((latest.get(talk.conversationId) ?? -1) > number) return yield* differ(`Letter ${number} was overtaken.`)
        seen.add(number)
        latest.set(talk.conversationId, number)
        latencies.push(at - letter.at)
      }
      return { lastAt: accepted.at(-1)?.at ?? Number.NaN, latencies: Float64Array.from(latencies).toSorted() }
    })
  }
}

type Letters = ReturnType<typeof makeLetters>

/** Makes sure that all that has reached the provider is kept as sent, and nothing else. */
const requireKept = Effect.fnUntraced(function* ({ simulator }: Provider) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly sent: number }>`
    SELECT count(*)::integer AS sent FROM messages WHERE direction = 'outbound' AND status = 'sent'`
  const accepted = simulator.accepted().length
  if (row?.sent === accepted) return
  const output = `${accepted} messages have reached the provider, and ${row?.sent} are kept as sent.`
  return yield* new ToolFailed({ tool: "parley", output })
})

const isQueueEmpty = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`SELECT 1 FROM sends LIMIT 1`).length === 0
})

const steadily = Effect.fnUntraced(function* (
  provider: Provider,
  { url }: RunningServer,
  letters: Letters,
  perSecond: number,
  seconds: number
) {
  const { connections } = (yield* Arena.Arena).options
  const before = provider.simulator.accepted().length
  const written = letters.written()
  const posts = yield* constantRate({ url, perSecond, seconds, connections, request: letters.request })
  if (posts.statuses[202] !== posts.sent) {
    const output = `Of ${posts.sent} messages, ${posts.unanswered} got no answer; the others: ${JSON.stringify(posts.statuses)}`
    return yield* new ToolFailed({ tool: "parley", output })
  }
  yield* waitUntil("nothing waits to be sent", isQueueEmpty)
  const { latencies } = yield* letters.taken(before)
  yield* requireKept(provider)
  if (latencies.length !== letters.written() - written) {
    const output = `${letters.written() - written} messages were written, and ${latencies.length} reached the provider.`
    return yield* new ToolFailed({ tool: "parley", output })
  }
  return { perSecond, posts, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
})

const atFullSpeed = Effect.fnUntraced(function* (
  provider: Provider,
  { pid, url }: RunningServer,
  letters: Letters,
  seconds: number
) {
  const { connections } = (yield* Arena.Arena).options
  const before = provider.simulator.accepted().length
  const serving = usesOf([pid])
  const asked = Effect.flatMap(backends, usesOf)
  const [serverBefore, databaseBefore] = [yield* serving, yield* asked]
  const begun = Date.now()
  const posts = yield* closedLoop({ url, seconds, connections, request: letters.request })
  if (posts.refused + posts.broken > 0) {
    const output = `${posts.broken} messages got no answer; the others: ${JSON.stringify(posts.statuses)}`
    return yield* new ToolFailed({ tool: "parley", output })
  }
  const sentMeanwhile = provider.simulator.accepted().length - before
  // Those that were under way when the connections were closed may come in yet.
  yield* Effect.sleep("500 millis")
  yield* waitUntil("nothing waits to be sent", isQueueEmpty)
  const cpu = cpuSecondsBetween(serverBefore, yield* serving)
  const databaseCpu = cpuSecondsBetween(databaseBefore, yield* asked)
  const { lastAt, latencies } = yield* letters.taken(before)
  yield* requireKept(provider)
  const sent = latencies.length
  if (sent < posts.requests) {
    const output = `${posts.requests} messages were taken, and only ${sent} reached the provider.`
    return yield* new ToolFailed({ tool: "parley", output })
  }
  return {
    writtenPerSecond: posts.perSecond,
    sentMeanwhilePerSecond: sentMeanwhile / posts.seconds,
    sentPerSecond: sent / ((lastAt - begun) / 1_000),
    p50: posts.p50,
    p99: posts.p99,
    wireP50: quantile(latencies, 0.5),
    wireP99: quantile(latencies, 0.99),
    serverMicros: (cpu * 1e6) / sent,
    databaseMicros: (databaseCpu * 1e6) / sent
  }
})

const quietly = Effect.fnUntraced(function* () {
  const { options } = yield* Arena.Arena
  yield* checkpoint
  return yield* waitUntilIdle(options.idleMillis)
})

const run = Effect.fnUntraced(function* (provider: Provider, own: ReadonlyArray<Line>, perSecond: number) {
  const { grounds, options } = yield* Arena.Arena
  yield* connectLines(provider, own)
  const server = yield* parley(grounds)
  const talks = yield* openTalks(provider, server, own, options.quick ? 5 : 50)
  yield* Console.log(`${talks.length} conversations over ${own.length} numbers are open. Warming up.`)
  const letters = makeLetters(provider, talks)
  yield* steadily(provider, server, letters, perSecond, options.warmUpSeconds)
  yield* atFullSpeed(provider, server, letters, options.warmUpSeconds)

  const numbers = Array.from({ length: options.rounds }, (_, index) => index + 1)
  const rounds = yield* Effect.forEach(
    numbers,
    Effect.fnUntraced(function* (round) {
      const idleBefore = yield* quietly()
      const steady = yield* steadily(provider, server, letters, perSecond, options.seconds)
      yield* quietly()
      const full = yield* atFullSpeed(provider, server, letters, options.seconds)
      yield* Console.log(
        `round ${round}  to the provider ${figure(steady.p50)} ms, p99 ${figure(steady.p99)} ms; at full speed ${figure(full.sentPerSecond)}/s   idle before ${figure(100 * idleBefore)} %`
      )
      return { round, idleBefore, steady, full }
    })
  )
  const middle = (value: (entry: (typeof rounds)[number]) => number) => median(rounds.map(value))
  const facts = yield* machineFacts
  yield* printFacts(facts)
  yield* Console.log(
    table(
      [`${perSecond} messages/s (medians)`, "p50 ms", "p99 ms"],
      [
        [
          "until the provider has it",
          figure(middle(({ steady }) => steady.p50)),
          figure(middle(({ steady }) => steady.p99))
        ],
        [
          "until it is answered with 202",
          figure(middle(({ steady }) => steady.posts.p50)),
          figure(middle(({ steady }) => steady.posts.p99))
        ]
      ]
    )
  )
  yield* Console.log("")
  yield* Console.log(
    table(
      ["full speed (medians)", ""],
      [
        ["written, per s", figure(middle(({ full }) => full.writtenPerSecond))],
        ["sent while others were written, per s", figure(middle(({ full }) => full.sentMeanwhilePerSecond))],
        ["sent until none was left, per s", figure(middle(({ full }) => full.sentPerSecond))],
        [
          "written: p50 ms",
          figure(
            middle(({ full }) => full.p50),
            1
          )
        ],
        [
          "written: p99 ms",
          figure(
            middle(({ full }) => full.p99),
            1
          )
        ],
        ["until the provider has it: p50 ms", figure(middle(({ full }) => full.wireP50))],
        ["until the provider has it: p99 ms", figure(middle(({ full }) => full.wireP99))],
        ["CPU of the server for each, us", figure(middle(({ full }) => full.serverMicros))],
        ["CPU of PostgreSQL for each, us", figure(middle(({ full }) => full.databaseMicros))]
      ]
    )
  )
  yield* Console.log("\nEvery message was sent once, to its addressee, in the order of its conversation.")
  if (options.quick) return
  const { databaseUrl: _, ...settings } = options
  yield* writeReport("sends", { facts, settings: { ...settings, perSecond, numbers: own.length }, rounds })
})

const positive = (name: string, maximum: number) =>
  Flag.Int(name).pipe(Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))), Flag.optional)

/** How long a message takes from the team to the provider, and how many get there. */
export const sends = Command.make(
  "sends",
  {
    ...flags,
    perSecond: positive("per-second", 10_000).pipe(
      Flag.withDescription("How many messages are written a second where it is measured how long they take (20)")
    ),
    numbers: positive("numbers", 64).pipe(
      Flag.withDescription("How many numbers are written from, each of an organization of its own (8)")
    )
  },
  Effect.fnUntraced(function* ({ numbers, perSecond, ...given }) {
    const places = Option.getOrElse(numbers, () => (given.quick ? 2 : 8))
    const options = { ...(yield* optionsOf(given)), rows: 640, organizations: places }
    const own = Array.from({ length: places }, (_, place) => ownLine(place))
    yield* Effect.gen(function* () {
      const provider = yield* startProvider(own)
      yield* run(
        provider,
        own,
        Option.getOrElse(perSecond, () => 20)
      ).pipe(Effect.scoped, Effect.provide(Arena.layer(options, { chat: provider.chat, isUnlimited: true })))
    }).pipe(Effect.scoped)
  })
).pipe(Command.withDescription("How long a message takes to the provider, and how many are sent a second"))
