import { layerWorkers } from "@parley/domain"
import { generateMasterKey } from "@parley/provider-adapters/security"
import { Console, Effect, Layer } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { quantile } from "../load/quantile.ts"
import * as BenchDatabase from "../database/BenchDatabase.ts"
import { databaseServer, flags } from "../Options.ts"
import { figure } from "../report/table.ts"
import { layerPorts } from "../tenants/ports.ts"
import { givenOrganization, subscribe, tell } from "./given.ts"
import { receivers, taking } from "./receivers.ts"

const slowMillis = 5_000

/** This port has no listener. */
const dead = "http://127.0.0.1:9/"

const each = (count: number) => Array.from({ length: count }, (_, place) => place)

/** 1 for equal shares, and close to 0 if one has everything. */
const fairness = (counts: ReadonlyArray<number>) => {
  const sum = counts.reduce((total, count) => total + count, 0)
  return sum ** 2 / (counts.length * counts.reduce((total, count) => total + count ** 2, 0))
}

const spread = (millis: ReadonlyArray<number>) => {
  const sorted = Float64Array.from(millis).toSorted()
  return `p50 ${figure(quantile(sorted, 0.5), 1)} ms, p99 ${figure(quantile(sorted, 0.99), 1)} ms`
}

/** A hundred receivers of two organizations. One takes five seconds per answer, and another is down. */
const manyReceivers = Effect.fnUntraced(function* (events: number) {
  const counts = new Map<string, number>()
  const done = { total: 0 }
  let half: ReadonlyArray<number> = []
  // While all compete: from the first delivery to every receiver until one receiver has all of its deliveries.
  let from: ReadonlyMap<string, number> | null = null
  let to: ReadonlyMap<string, number> | null = null
  const healthy = 98
  const url = yield* receivers(
    ({ receiver }) =>
      receiver === "slow" ? (response) => void setTimeout(() => taking(response), slowMillis) : taking,
    ({ receiver }) => {
      if (receiver === "slow") return
      counts.set(receiver, (counts.get(receiver) ?? 0) + 1)
      done.total += 1
      if (done.total === Math.floor((healthy * events) / 2)) half = Array.from(counts.values())
      if (from === null && counts.size === healthy) from = new Map(counts)
      if (to === null && counts.get(receiver) === events) to = new Map(counts)
    }
  )
  const organizations = [yield* givenOrganization("one"), yield* givenOrganization("two")]
  for (const [place, organization] of organizations.entries()) {
    for (const number of each(49)) yield* subscribe(organization, `${url}/${place}-${number}`)
    yield* subscribe(organization, place === 0 ? `${url}/slow` : dead)
  }
  const begun = performance.now()
  const tagIds = each(events).map((number) => `tag-${number}`)
  yield* Effect.forEach(organizations, (organization) => tell(organization, tagIds), { concurrency: 2, discard: true })
  while (done.total < healthy * events) yield* Effect.sleep("20 millis")
  const seconds = (performance.now() - begun) / 1_000
  const competed = Array.from(to ?? counts, ([receiver, count]) => count - ((from ?? new Map()).get(receiver) ?? 0))
  const byOrganization = [0, 1].map((place) =>
    Array.from(to ?? counts)
      .filter(([receiver]) => receiver.startsWith(`${place}-`))
      .reduce((sum, [, count]) => sum + count, 0)
  )
  yield* Console.log(
    `While all of them compete, ${figure(competed.reduce((sum, count) => sum + count, 0))} deliveries: fairness ${fairness(competed).toFixed(4)}, from ${Math.min(...competed)} to ${Math.max(...competed)} each; ${byOrganization.join(" and ")} of the two organizations.`
  )
  yield* Console.log(
    `${figure(done.total)} deliveries to 98 receivers beside one that takes ${slowMillis / 1_000} s and one that is not there: ${figure(done.total / seconds)}/s; fairness (Jain) ${fairness(half).toFixed(4)} when half was done, over ${half.length} receivers.`
  )
})

/** This number of events a second in ten organizations, with a receiver each. */
const latency = Effect.fnUntraced(function* (perSecond: number, seconds: number) {
  const millis: Array<number> = []
  const url = yield* receivers(
    () => taking,
    ({ at, body }) => {
      const tagId = /"tagId":"(\d+)-/u.exec(body)?.[1]
      if (tagId !== undefined) millis.push(at - Number(tagId))
    }
  )
  const organizations = yield* Effect.forEach(each(10), (place) => givenOrganization(`ten-${place}`))
  for (const organization of organizations) yield* subscribe(organization, `${url}/${organization}`)
  yield* Effect.sleep("1 second")
  const gap = 1_000 / perSecond
  const begun = performance.now()
  const count = perSecond * seconds
  yield* Effect.forEach(
    each(count),
    (number) =>
      Effect.gen(function* () {
        const wait = begun + number * gap - performance.now()
        if (wait > 1) yield* Effect.sleep(wait)
        yield* tell(organizations[number % 10] ?? "", [`${Date.now()}-${number}`])
      }),
    { concurrency: 64, discard: true }
  )
  const offered = count / ((performance.now() - begun) / 1_000)
  const deadline = performance.now() + 60_000
  while (millis.length < count && performance.now() < deadline) yield* Effect.sleep("20 millis")
  yield* Console.log(
    `${figure(offered)} events/s in ten organizations for ${seconds} s, a receiver each: ${millis.length} of ${count} delivered, from before the commit to the receiver ${spread(millis)}.`
  )
})

/** Work of the database so far. It reports with a delay of a second. */
const databaseTally = Effect.gen(function* () {
  yield* Effect.sleep("2 seconds")
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly commits: number; readonly written: number }>`
    SELECT xact_commit::integer AS commits, (tup_inserted + tup_updated)::integer AS written
    FROM pg_stat_database WHERE datname = current_database()`
  return row ?? { commits: 0, written: 0 }
})

/** A number of events per second in ten organizations without subscriptions: the work for each. */
const nobodyListens = Effect.fnUntraced(function* (perSecond: number, seconds: number) {
  const organizations = yield* Effect.forEach(each(10), (place) => givenOrganization(`silent-${place}`))
  for (const organization of organizations) yield* tell(organization, ["first"])
  const count = perSecond * seconds
  const before = yield* databaseTally
  const cpuBefore = process.cpuUsage()
  const begun = performance.now()
  yield* Effect.forEach(
    each(count),
    (number) =>
      Effect.gen(function* () {
        const wait = begun + (number * 1_000) / perSecond - performance.now()
        if (wait > 1) yield* Effect.sleep(wait)
        yield* tell(organizations[number % 10] ?? "", [`tag-${number}`])
      }),
    { concurrency: 64, discard: true }
  )
  const took = (performance.now() - begun) / 1_000
  const { system, user } = process.cpuUsage(cpuBefore)
  const after = yield* databaseTally
  const commits = (after.commits - before.commits) / count
  const written = (after.written - before.written) / count
  yield* Console.log(
    `${figure(count / took)} events/s in ten organizations without a subscription for ${figure(took, 1)} s: for each of them ${figure(commits, 2)} commits, ${figure(written, 2)} rows written, ${figure((system + user) / count)} µs of this process.`
  )
})

const megabytes = () => {
  global.gc?.()
  return process.memoryUsage().heapUsed / 2 ** 20
}

/** Maximum number of rows per statement before it takes too long. */
const queuedAtOnce = 20_000

/** A receiver with a long queue, partly delivered. */
const longQueue = Effect.fnUntraced(function* (queued: number, seconds: number) {
  const sql = yield* SqlClient.SqlClient
  let count = 0
  const url = yield* receivers(
    () => taking,
    () => {
      count += 1
    }
  )
  const organization = yield* givenOrganization("queue")
  const { id } = yield* subscribe(organization, `${url}/queue`)
  const before = megabytes()
  const fill = (rows: number) => sql`
    INSERT INTO webhook_deliveries (organization_id, id, subscription_id, type, event_position, subject, state,
      scheduled_attempts, attempts, at, next_attempt_at, requested)
    SELECT ${organization}::uuid, gen_random_uuid(), ${id}::uuid, 'webhook_subscription.created', 1, 'one', 'pending', 0, 0,
      now(), now(), false FROM generate_series(1, ${rows}::integer)`
  for (let rows = 0; rows < queued; rows += queuedAtOnce) yield* fill(Math.min(queuedAtOnce, queued - rows))
  yield* sql`ANALYZE webhook_deliveries`
  yield* tell(organization, ["tag-1"])
  const heaps: Array<number> = []
  for (let second = 0; second < seconds; second += 1) {
    yield* Effect.sleep("1 second")
    heaps.push(megabytes())
  }
  yield* Console.log(
    `${figure(queued)} deliveries wait for one receiver: ${figure(count / seconds)}/s go to it (100 is the law), the heap is ${before.toFixed(0)} MB before and ${Math.min(...heaps).toFixed(0)} to ${Math.max(...heaps).toFixed(0)} MB meanwhile.`
  )
})

const amount = (name: string, usual: number, about: string) =>
  Flag.Int(name).pipe(Flag.withDescription(`${about} (${usual})`), Flag.withDefault(usual))

/** How fast events are posted to receivers, and how fairly. */
export const webhooksOut = Command.make(
  "webhooks-out",
  {
    databaseUrl: flags.databaseUrl,
    of: Flag.Literals("of", ["all", "idle", "latency", "receivers", "queue"]).pipe(
      Flag.withDescription(
        "Measurement: events without a subscription, latency, a hundred receivers, or a long queue (all)"
      ),
      Flag.withDefault("all")
    ),
    events: amount("events", 200, "How many events each of two organizations logs for its fifty receivers"),
    perSecond: amount("per-second", 500, "How many events a second are logged to see how long a delivery takes"),
    seconds: amount("seconds", 10, "For how long"),
    queued: amount("queued", 1_000_000, "How many deliveries wait for the receiver with the long queue")
  },
  Effect.fnUntraced(function* ({ databaseUrl: server, events, of, perSecond, queued, seconds }) {
    const databaseUrl = yield* BenchDatabase.make(yield* databaseServer(server))
    const masterKeys = yield* generateMasterKey("bench")
    const ports = layerPorts({ databaseUrl, masterKeys, poolSize: 10 })
    yield* Effect.gen(function* () {
      const isAsked = (part: typeof of) => of === "all" || of === part
      if (isAsked("idle")) yield* nobodyListens(perSecond, seconds)
      if (isAsked("latency")) yield* latency(perSecond, seconds)
      if (isAsked("receivers")) yield* manyReceivers(events)
      if (isAsked("queue")) yield* longQueue(queued, seconds)
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(layerWorkers(), ports)))
  }, Effect.scoped)
).pipe(
  Command.withDescription("Measures throughput, fairness and latency of webhooks, with a slow and a dead receiver")
)
