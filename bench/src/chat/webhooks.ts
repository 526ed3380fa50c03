import { Console, Effect, FileSystem } from "effect"
import { Command } from "effect/cli"
import { SqlClient } from "effect/sql"
import * as Arena from "../Arena.ts"
import { byPgbench } from "../load/pgbench.ts"
import { requireAnswered } from "../load/readsByWrk.ts"
import { ToolFailed } from "../load/ToolFailed.ts"
import { signedDeliveries, threadsFor, wrk } from "../load/wrk.ts"
import { flags, optionsOf } from "../Options.ts"
import { conclude } from "../report/conclude.ts"
import { median } from "../report/median.ts"
import { figure } from "../report/table.ts"
import { ratioOf } from "../report/summary.ts"
import { interleave, type Round } from "../rounds.ts"
import { noWorkersFlag, parley, processesFlag } from "../servers/contenders.ts"
import type { RunningServer } from "../servers/launch.ts"
import { seededIds } from "../tenants/seededIds.ts"
import { clearDeliveries, deliveryStates, holdDeliveries, letDeliveries } from "./lanes.ts"
import { connectLines, type Line, ownLine, platformLine, type Provider, startProvider } from "./provider.ts"
import { requireSignedOnly } from "./signedOnly.ts"
import { signaturesFrom, type Template, templateOf } from "./signed.ts"

/** Four times Meta's requirement for a service that sends a thousand messages a second. */
const leastPerSecond = 13_200

const most = { p50: 15, p99: 100 }

const peopleEach = 20

/** More than the capacity of any server in a second. */
const signedPerSecond = 40_000

const templatesOf = (lines: ReadonlyArray<Line>): ReadonlyArray<Template> => {
  const seconds = Math.floor(Date.now() / 1_000)
  // One organization after the other: consecutive deliveries belong to different organizations.
  return Array.from({ length: peopleEach }, (_, person) => person).flatMap((person) =>
    lines.map((line) =>
      templateOf(line, { phone: `4915100000${String(person).padStart(2, "0")}`, name: `Person ${person}` }, seconds)
    )
  )
}

/** The stored row of a delivery: an id with the time, a separate digest, the same body. */
const scriptFor = (
  organizations: number,
  body: string
) => `\\set organization ${seededIds.firstOrganization} + random(0, ${organizations - 1})
\\set number random(0, 9000000000000000000)
INSERT INTO inbound_deliveries (organization_id, id, source, provider, state, digest, body, received_at, due_at)
  VALUES (('${seededIds.start}' || :organization)::uuid,
    (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
      || '7' || substr(md5(:number::text), 1, 3) || '8' || substr(md5(:number::text), 4, 15))::uuid,
    'chat', 'whatsapp', 'waiting', left(md5(:number::text) || md5(:number::text || 'b'), 43),
    '\\x${Buffer.from(body).toString("hex")}', now(), now())
  ON CONFLICT ON CONSTRAINT inbound_deliveries_digest DO NOTHING;
`

/** Unused numbers for deliveries. */
const makeNumbers = () => {
  let next = 1
  return (count: number) => {
    const first = next
    next += count
    return first
  }
}

const writtenAtOnce = 100_000

const writeSignatures = Effect.fnUntraced(function* (
  file: string,
  templates: ReadonlyArray<Template>,
  first: number,
  count: number
) {
  const fs = yield* FileSystem.FileSystem
  for (let done = 0; done < count; done += writtenAtOnce) {
    const signatures = signaturesFrom(templates, first + done, Math.min(writtenAtOnce, count - done))
    yield* fs.writeFileString(file, signatures, { flag: done === 0 ? "w" : "a" })
  }
})

const contestant = Effect.fnUntraced(function* (
  name: string,
  { pids, url }: RunningServer,
  templates: ReadonlyArray<Template>,
  take: (count: number) => number,
  isApplied: boolean
) {
  const { directory, options } = yield* Arena.Arena
  const fs = yield* FileSystem.FileSystem
  const file = `${directory}/${name.replaceAll(/\W+/g, "-")}`
  const lines = templates.map(({ after, before, line }) => [line.path, before, after].join("\t"))
  yield* fs.writeFileString(`${file}.templates`, `${lines.join("\n")}\n`)
  return {
    name,
    pids,
    run: Effect.fnUntraced(function* (seconds: number) {
      const count = seconds * signedPerSecond
      const first = take(count)
      yield* writeSignatures(`${file}.signatures`, templates, first, count)
      if (isApplied) yield* letDeliveries
      const { connections } = options
      const words = [`${file}.templates`, `${file}.signatures`, first, count, threadsFor(connections)].map(String)
      const load = yield* wrk({ url, script: signedDeliveries, words, connections, seconds })
      yield* requireAnswered(name, load)
      yield* holdDeliveries
      const { applied, parked, waiting } = yield* deliveryStates
      yield* clearDeliveries
      const stored = applied + parked + waiting
      if (stored < load.requests || parked > 0) {
        const output = `Of ${load.requests} deliveries that were acknowledged, ${stored} are stored, and ${parked} could not be read.`
        return yield* new ToolFailed({ tool: name, output })
      }
      if (isApplied) yield* Console.log(`        ${applied} of ${stored} were worked through meanwhile`)
      return { perSecond: load.requests / load.seconds, load }
    })
  }
})

const printGoals = (name: string, rounds: ReadonlyArray<Round>) => {
  const own = rounds.filter(({ contestant }) => contestant === name)
  const p50 = median(own.map(({ load }) => load?.p50 ?? Number.NaN))
  const p99 = median(own.map(({ load }) => load?.p99 ?? Number.NaN))
  const perSecond = median(own.map((round) => round.perSecond))
  const verdict = (isReached: boolean) => (isReached ? "reached" : "missed")
  return Console.log(
    `${name}: p50 ${figure(p50, 1)} ms, at most ${most.p50}: ${verdict(p50 <= most.p50)}; p99 ${figure(p99, 1)} ms, at most ${most.p99}: ${verdict(p99 <= most.p99)}; ${figure(perSecond)}/s, at least ${leastPerSecond}: ${verdict(perSecond >= leastPerSecond)}`
  )
}

const run = Effect.fnUntraced(function* (
  provider: Provider,
  own: ReadonlyArray<Line>,
  platform: ReadonlyArray<Line>,
  hasWorkers: boolean
) {
  const { grounds, options } = yield* Arena.Arena
  const sql = yield* SqlClient.SqlClient
  yield* connectLines(provider, [...own, ...platform])
  yield* holdDeliveries
  const server = yield* parley(grounds)
  const take = makeNumbers()
  const templates = { own: templatesOf(own), platform: templatesOf(platform) }
  let body = ""
  for (const [template] of [templates.own, templates.platform]) {
    if (template !== undefined) body = yield* requireSignedOnly(server, template, take(2))
  }
  const contestants = [
    yield* contestant("own app", server, templates.own, take, false),
    yield* contestant("platform app", server, templates.platform, take, false),
    // The follow-up work of applied deliveries continues for a while and slows the rounds of other contestants.
    ...(hasWorkers ? [yield* contestant("own app, processed concurrently", server, templates.own, take, true)] : [])
  ]
  const pgbench = yield* byPgbench(scriptFor(options.organizations, body))
  const inserting = { ...pgbench, run: (seconds: number) => Effect.tap(pgbench.run(seconds), () => clearDeliveries) }
  const rounds = yield* interleave([...contestants, inserting])
  yield* sql`TRUNCATE inbound_deliveries, lanes`
  const names = contestants.map(({ name }) => name)
  yield* conclude(
    "webhooks",
    rounds,
    names.map((name) => ({ ...ratioOf(name, "pgbench", rounds), atLeast: 0.75 }))
  )
  yield* Console.log("")
  yield* Effect.forEach(names, (name) => printGoals(name, rounds), { discard: true })
})

/** P9: signed deliveries over HTTP, each answered after its commit, compared with the bare insert of the same row. */
export const webhooks = Command.make(
  "webhooks",
  { ...flags, ...noWorkersFlag, ...processesFlag },
  Effect.fnUntraced(function* ({ noWorkers, processes, ...given }) {
    const options = { ...(yield* optionsOf(given)), rows: 640 }
    const places = Array.from({ length: options.organizations }, (_, place) => place)
    const [own, platform] = [places.map(ownLine), places.map(platformLine)]
    yield* Effect.gen(function* () {
      const provider = yield* startProvider([...own, ...platform])
      yield* run(provider, own, platform, !noWorkers).pipe(
        Effect.scoped,
        Effect.provide(Arena.layer(options, { chat: provider.chat, hasWorkers: !noWorkers, processes }))
      )
    }).pipe(Effect.scoped)
  })
).pipe(
  Command.withDescription(
    "How many signed webhooks are acknowledged a second, through both kinds of app, against pgbench"
  )
)
