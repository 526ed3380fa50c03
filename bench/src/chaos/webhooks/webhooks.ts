import { Console, DateTime, Effect, Scope } from "effect"
import { Command } from "effect/cli"
import { HttpClient, HttpClientRequest } from "effect/http"
import { SqlClient } from "effect/sql"
import { ownLine, platformLine, startProvider } from "../../chat/provider.ts"
import type { Caller } from "../../tenants/Population.ts"
import { cutOffConnections } from "../cutOff.ts"
import { type Drawing, drawing } from "../drawing.ts"
import { checkFeeds } from "../feed.ts"
import { freePort, layerPreparing, layerWatching, logFile, makeGrounds } from "../grounds.ts"
import { makeMortal, type Mortal } from "../mortal.ts"
import { commonFlags, commonOptions, count } from "../options.ts"
import { check, type Check, conclude, same } from "../verdict.ts"
import { makeBatches, type Written, writeBatch } from "./batches.ts"
import { deliverAll, noProgress, type Progress } from "./deliver.ts"
import { expectedOf, type Outcome } from "./expected.ts"
import { readFound } from "./found.ts"
import { makePeople } from "./people.ts"
import { prepare } from "./prepare.ts"
import { drawTold } from "./told.ts"

/** Share of receipts among all reports, and the number of receipts of a message. */
const [shareOfReceipts, receiptsEach] = [0.33, 2]

/** Numbers of the organization at this place: of an own app, of the platform app, or of both. */
const linesOf = (place: number) => [
  ...(place % 3 === 1 ? [] : [ownLine(place)]),
  ...(place % 3 === 0 ? [] : [platformLine(place)])
]

const killAndRestart = Effect.fnUntraced(function* (draws: Drawing, server: Mortal) {
  yield* Effect.sleep(draws.between(0, 60))
  yield* server.kill
  yield* Effect.sleep(draws.between(0, 300))
  yield* server.restart
})

/** Kills the server at drawn moments: while it is delivered to, and, of every three times once, when that is over. */
const killAgain = Effect.fnUntraced(function* (
  draws: Drawing,
  kills: number,
  deliveries: number,
  progress: Progress,
  server: Mortal
) {
  const later = Math.floor(kills / 3)
  const moments = Array.from({ length: kills - later }, () => draws.between(0, deliveries)).toSorted((a, b) => a - b)
  for (const moment of moments) {
    while (progress.acknowledged < moment) yield* Effect.sleep("5 millis")
    yield* killAndRestart(draws, server)
  }
  while (progress.acknowledged < deliveries) yield* Effect.sleep("5 millis")
  for (let kill = 0; kill < later; kill++) yield* killAndRestart(draws, server)
})

const states = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly state: string; readonly count: number; readonly events: number }>`
    SELECT state, count(*)::integer AS count, coalesce(sum(event_count), 0)::integer AS events FROM inbound_deliveries GROUP BY state`
  const of = (state: string) => {
    const { count = 0, events = 0 } = rows.find((row) => row.state === state) ?? {}
    return { count, events }
  }
  return { waiting: of("waiting").count, parked: of("parked").count, applied: of("applied") }
})

const untilApplied = Effect.repeat(Effect.delay(states, "100 millis"), { until: ({ waiting }) => waiting === 0 })

/** Compares the actual state with the expected state. */
const compare = (
  invariant: string,
  expected: ReadonlyMap<string, unknown>,
  found: Iterable<readonly [string, unknown]>
): Check => {
  const seen = new Set<string>()
  const faults: Array<string> = []
  for (const [key, value] of found) {
    if (seen.has(key)) faults.push(`${key} is there twice`)
    seen.add(key)
    const [is, ought] = [JSON.stringify(value), JSON.stringify(expected.get(key))]
    if (ought === undefined) faults.push(`${key} must not be there: ${is}`)
    else if (is !== ought) faults.push(`${key} is ${is}, not ${ought}`)
  }
  for (const key of expected.keys()) if (!seen.has(key)) faults.push(`${key} is missing`)
  return { invariant, looked: expected.size, faults }
}

/** Whether the counts of the API equal the stored data. */
const checkCounts = Effect.fnUntraced(function* (url: string, callers: ReadonlyArray<Caller>, expected: Outcome) {
  const client = yield* HttpClient.HttpClient
  return yield* Effect.forEach(callers, ({ accessToken, organizationId }) =>
    HttpClientRequest.get(`${url}/api/v1/conversations/counts`).pipe(
      HttpClientRequest.bearerToken(accessToken),
      HttpClientRequest.setHeader("x-organization-id", organizationId),
      client.execute,
      Effect.flatMap((response) => response.json),
      Effect.map((body) => {
        const ought = expected.counts.get(organizationId) as { open: number; resolved: number; unread: number }
        const { open, resolved, unread } = ought
        return same(
          `counts over the API, ${organizationId.slice(-6)}`,
          Object.entries(body as object).toSorted(),
          Object.entries({ open, pending: 0, snoozed: 0, resolved, mine: 0, unassigned: open, unread }).toSorted()
        )
      })
    )
  )
})

const run = Effect.fnUntraced(function* (
  options: Effect.Success<ReturnType<typeof commonOptions>> & {
    readonly events: number
    readonly organizations: number
    readonly people: number
  }
) {
  const { cutEvery, databaseUrl, deadlineMillis, events, kills, organizations, people: crowd, seed } = options
  yield* Console.log(`The seed is ${seed}: ${events} events, ${organizations} organizations, ${kills} kills.`)
  const draws = drawing(seed)
  const own = Array.from({ length: organizations }, (_, place) => linesOf(place)).flat()
  const provider = yield* startProvider(own)
  const grounds = yield* makeGrounds(databaseUrl, { chat: provider.chat })
  const now = yield* DateTime.now
  const begin = Math.floor(DateTime.toEpochMillis(now) / 1_000) - 12 * 3_600
  const sentAt = begin - 3_600
  const people = makePeople(crowd)
  const messages = Math.floor((events * shareOfReceipts) / receiptsEach)
  const { callers, lines, outbound } = yield* prepare(
    provider,
    organizations,
    own,
    people,
    messages,
    DateTime.makeUnsafe(sentAt * 1_000)
  ).pipe(Effect.provide(layerPreparing(grounds)))

  const reports = drawTold(draws, lines, people, outbound, events, begin)
  const expected = expectedOf({ lines, people, outbound, sentAt }, reports)
  const batches = makeBatches(draws, lines, reports)
  const copies = batches.reduce((sum, batch) => sum + batch.told.length, 0)
  yield* Console.log(
    `${reports.length} events, told ${copies} times in ${batches.length} deliveries over ${lines.length} numbers.`
  )
  const written = function* (): Generator<Written> {
    for (const batch of batches) yield writeBatch(drawing(batch.seed), lines, people, reports, batch)
  }

  const log = yield* logFile("webhooks", seed)
  const port = yield* freePort
  const url = `http://127.0.0.1:${port}`
  const server = yield* makeMortal(grounds, { port, log })
  const progress = noProgress()
  let cutOff = 0

  const checks = yield* Effect.gen(function* () {
    const trouble = yield* Scope.fork(yield* Effect.scope)
    const cutting = cutOffConnections(drawing(seed + 1), cutEvery, () => {
      cutOff += 1
    })
    yield* Effect.forkIn(cutting, trouble)
    const begun = performance.now()
    const since = () => ((performance.now() - begun) / 1_000).toFixed(1)
    yield* Effect.all(
      [
        Effect.andThen(
          deliverAll(url, written(), progress),
          Effect.suspend(() => Console.log(`${since()} s  everything is acknowledged`))
        ),
        killAgain(drawing(seed + 2), kills, batches.length, progress, server)
      ],
      { concurrency: 2, discard: true }
    )
    const rest = yield* Effect.timeoutOption(untilApplied, deadlineMillis)
    yield* Scope.close(trouble, yield* Effect.exit(Effect.void))
    const end = rest._tag === "Some" ? rest.value : yield* states
    yield* Console.log(
      `${since()} s  ${end.applied.count} deliveries are applied; ${kills} kills, ${cutOff} connections cut off, ${progress.again} deliveries sent again`
    )
    const parts = [...progress.parts.values()]
    const found = yield* readFound(lines)
    const statusOf = (value: unknown) => (value as { readonly status: string }).status
    const quiet = new Set(
      Array.from(expected.conversations).flatMap(([key, value]) => (statusOf(value) === "resolved" ? [key] : []))
    )
    const heard = Array.from(expected.inbound.values()).filter((value) => !quiet.has((value as { talk: string }).talk))
    return [
      check("answers acknowledge, or ask for patience", progress.odd, (answer) => answer),
      same("nothing waits at the end", end.waiting, 0),
      same("nothing is parked", end.parked, 0),
      same("all that was acknowledged is stored, each part once", end.applied, {
        count: parts.length,
        events: parts.reduce((sum, part) => sum + part.events, 0)
      }),
      compare("contacts", expected.contacts, found.contacts),
      compare("conversations, with their counts", expected.conversations, found.conversations),
      compare("messages that came in", expected.inbound, found.inbound),
      compare("messages that went out, with their statuses", expected.outbound, found.outbound),
      compare("receipts of nobody's messages", expected.strays, found.strays),
      check("contacts are counted", found.contactCounts, ([organization, is]) => {
        const { contacts } = expected.counts.get(organization) as { readonly contacts: number }
        return is === contacts ? null : `${organization}: ${is}, not ${contacts}`
      }),
      ...(yield* checkCounts(url, callers, expected)),
      ...(yield* checkFeeds(expected.counts.keys(), {
        received: heard.length,
        opened: expected.conversations.size,
        contacts: expected.contacts.size,
        outbound: new Map(
          outbound.map(({ id, status }) => [id, { before: status, after: statusOf(expected.outbound.get(id)) }])
        )
      }))
    ]
  }).pipe(Effect.provide(layerWatching(grounds)))
  yield* conclude(seed, log, checks)
})

/** R7: deliveries that come several times and in any order, to a server that is killed and cut off. */
export const webhooks = Command.make(
  "webhooks",
  {
    ...commonFlags,
    events: count("events", 20_000, 10_000_000, "How many messages and receipts there are to tell"),
    organizations: count("organizations", 6, 60, "Number of organizations"),
    people: count("people", 90, 100_000, "How many people write to each of them")
  },
  Effect.fnUntraced(function* ({ events, organizations, people, ...given }) {
    yield* run({ ...(yield* commonOptions(given)), events, organizations, people }).pipe(Effect.scoped)
  })
).pipe(
  Command.withDescription(
    "Delivers messages and receipts several times, shuffled, to a server that is killed again and again, and compares what comes of it with what must"
  )
)
