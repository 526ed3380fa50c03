import { Console, Effect, type Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import * as Arena from "../Arena.ts"
import { checkpoint } from "../database/checkpoint.ts"
import { ToolFailed } from "../load/ToolFailed.ts"
import { machineFacts } from "../machine/facts.ts"
import { waitUntilIdle } from "../machine/idle.ts"
import { withShares } from "../machine/shares.ts"
import { median } from "../report/median.ts"
import { printFacts } from "../report/print.ts"
import { figure, table } from "../report/table.ts"
import { writeReport } from "../report/write.ts"
import { other, parley, rootOf } from "../servers/contenders.ts"
import { drain, sameStates } from "./applied.ts"
import { clearDeliveries, deliveryStates, holdDeliveries, letDeliveries } from "./lanes.ts"
import { connectLines, type Line, type Provider } from "./provider.ts"
import { seedOutbound } from "./seedOutbound.ts"
import { makeTraffic, messagesFor, type Traffic } from "./traffic.ts"

const storedAtOnce = 2_000

/** Stores deliveries like the service, without notifications. */
const store = Effect.fnUntraced(function* (traffic: Traffic, count: number) {
  const sql = yield* SqlClient.SqlClient
  for (let done = 0; done < count; done += storedAtOnce) {
    const rows = Array.from({ length: Math.min(storedAtOnce, count - done) }, traffic.next)
    yield* sql`
      INSERT INTO inbound_deliveries (organization_id, id, source, provider, state, digest, body, received_at, due_at)
      SELECT row.organization_id, row.id, 'chat', 'whatsapp', 'waiting', row.digest, row.body, now(), now() FROM unnest(
        ${rows.map(({ line }) => line.organizationId)}::uuid[], ${rows.map(() => SecureRandom.uuidV7Unsafe())}::uuid[],
        ${rows.map(({ body }) => createHash("sha256").update(body).digest("base64url"))}::text[],
        ${rows.map(({ body }) => Buffer.from(body))}::bytea[]
      ) AS row (organization_id, id, digest, body)`
  }
})

/** Time of processing by the server's clock, which equals the clock of this machine. */
const secondsSinceFirst = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly first: number }>`
    SELECT extract(epoch FROM min(applied_at))::float8 AS first FROM inbound_deliveries`
  return Date.now() / 1_000 - (row?.first ?? Number.NaN)
})

/** Idle time of a server after its start, until it owns its lanes. */
const settling = "3 seconds"

/** Measures the rate of applying stored deliveries, with this Parley and another one in turn. */
export const applying = Effect.fnUntraced(function* (
  provider: Provider,
  own: ReadonlyArray<Line>,
  { beside, deliveries }: { readonly beside: Option.Option<string>; readonly deliveries: number }
) {
  const { grounds, options } = yield* Arena.Arena
  const rounds = options.rounds + 1
  const roots = [
    ["parley", undefined] as const,
    ...(beside._tag === "None" ? [] : [[other, rootOf(beside.value)] as const])
  ]
  const audience = { lines: yield* connectLines(provider, own), contacts: options.quick ? 500 : 20_000 }
  yield* seedOutbound(audience.lines, { ...audience, messages: messagesFor(deliveries * rounds * roots.length) })
  const traffic = makeTraffic(audience)
  const facts = yield* machineFacts

  const measure = Effect.fnUntraced(function* (name: string, root: string | undefined) {
    yield* clearDeliveries
    yield* holdDeliveries
    yield* store(traffic, deliveries)
    yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`VACUUM ANALYZE`)
    const server = yield* parley(grounds, { name, ...(root !== undefined && { root }) })
    yield* Effect.sleep(settling)
    yield* checkpoint
    yield* waitUntilIdle(options.idleMillis)
    const { shares, value: seconds } = yield* withShares(
      { server: server.pid, generator: process.pid },
      facts.cores,
      Effect.gen(function* () {
        yield* letDeliveries
        const { waiting } = yield* drain
        if (waiting > 0) return yield* new ToolFailed({ tool: name, output: `${waiting} deliveries still wait.` })
        return yield* secondsSinceFirst
      })
    )
    const { parked } = yield* deliveryStates
    if (parked > 0) return yield* new ToolFailed({ tool: name, output: `${parked} deliveries were parked.` })
    yield* sameStates(traffic, audience)
    return { name, perSecond: deliveries / seconds, shares }
  }, Effect.scoped)

  const measured: Array<Effect.Success<ReturnType<typeof measure>>> = []
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, root] of roots) {
      const figures = yield* measure(name, root)
      const { perSecond, shares } = figures
      yield* Console.log(
        `${round === 0 ? "Warmed up" : `Round ${round}`}, ${name}: ${figure(perSecond)}/s; of ${facts.cores} cores the server ${figure(100 * shares.server, 1)} %, PostgreSQL for it ${figure(100 * shares["PostgreSQL for the server"], 1)} %`
      )
      if (round > 0) measured.push(figures)
    }
  }
  yield* printFacts(facts)
  yield* Console.log(
    table(
      [`applying ${deliveries} deliveries`, "per s (median)"],
      roots.map(([name]) => [
        name,
        figure(median(measured.filter((each) => each.name === name).map(({ perSecond }) => perSecond)))
      ])
    )
  )
  if (!options.quick) yield* writeReport("webhooks-applying", { facts, deliveries, measured })
})
