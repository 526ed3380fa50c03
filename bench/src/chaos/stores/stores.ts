import { connectStore, syncStore } from "@parley/domain"
import { codeChallenge, finishJourney } from "@parley/testkit"
import { defaultStoreApp, type RunningStoreSimulator, startStoreSimulator } from "@parley/simulators/store"
import { Console, Effect, Exit, Scope } from "effect"
import { Command } from "effect/cli"
import { within } from "../../campaigns/given.ts"
import { ownLine } from "../../chat/provider.ts"
import { seed as seedTenants } from "../../tenants/seed.ts"
import { cutOffConnections } from "../cutOff.ts"
import { type Drawing, drawing } from "../drawing.ts"
import { freePort, layerPreparing, layerWatching, logFile, makeGrounds } from "../grounds.ts"
import { makeMortal, type Mortal } from "../mortal.ts"
import { commonFlags, commonOptions, count } from "../options.ts"
import { conclude, same } from "../verdict.ts"
import { miscounted, readFound, sightings, waiting } from "./found.ts"
import { judge } from "./judge.ts"
import { passTime, type Store } from "./passing.ts"
import { goOnSelling } from "./people.ts"
import { goWrong, timeoutMillis } from "./provider.ts"

const day = 86_400_000

const shopOf = (place: number, seed: number, orders: number) => ({
  domain: `shop-${place}.myshopify.com`,
  seed: `${seed} ${place}`,
  customers: Math.ceil(orders / 4),
  orders,
  products: 60,
  abandonedCheckouts: 40,
  historyMillis: 300 * day,
  points: 100_000,
  pointsPerSecond: 100_000
})

/** A member of the organization connects the shop. */
const connect = Effect.fnUntraced(function* (simulator: RunningStoreSimulator, organizationId: string, shop: string) {
  const begun = yield* connectStore({
    provider: "shopify",
    shopDomain: shop,
    makeContacts: "reachable",
    codeChallenge
  }).pipe(within(organizationId))
  const { searchParams } = new URL(simulator.decide(begun.authorizeUrl, true))
  yield* finishJourney(begun.id, Object.fromEntries(searchParams)).pipe(within(organizationId))
  return { id: begun.id, organizationId, shop } satisfies Store
})

/** Kills the servers in turn at random moments. */
const killAgain = Effect.fnUntraced(function* (draws: Drawing, kills: number, servers: ReadonlyArray<Mortal>) {
  for (let kill = 0; kill < kills; kill += 1) {
    yield* Effect.sleep(draws.between(1_000, 5_000))
    const server = draws.pick(servers)
    yield* server.kill
    yield* Effect.sleep(draws.between(0, 1_500))
    yield* server.restart
  }
})

const isAtRest = Effect.map(waiting, ({ deliveries, marks, syncs }) => deliveries === 0 && marks === 0 && syncs === 0)

/** Longer than a delivery is tried for. */
const longerThanTries = 5 * 3_600_000

const toRest = Effect.fnUntraced(function* (simulator: RunningStoreSimulator, deadlineMillis: number) {
  const rest = Effect.gen(function* () {
    if (simulator.isUpToDate() && !simulator.isIdle()) {
      simulator.advance(longerThanTries)
      // Access that was just renewed is expired. A second expiry directly afterwards would look like a shop that
      // refuses all access.
      yield* Effect.sleep("5 seconds")
    }
    return simulator.isIdle() && (yield* isAtRest)
  })
  yield* Effect.repeat(Effect.delay(rest, "200 millis"), { until: (is) => is }).pipe(
    Effect.timeoutOption(deadlineMillis)
  )
})

const run = Effect.fnUntraced(function* (
  options: Effect.Success<ReturnType<typeof commonOptions>> & {
    readonly organizations: number
    readonly orders: number
    readonly workers: number
    readonly cuts: number
  }
) {
  const { cutEvery, cuts, databaseUrl, deadlineMillis, kills, orders, organizations, seed, workers } = options
  yield* Console.log(
    `The seed is ${seed}: ${organizations} shops of ${orders} orders, read by ${workers} processes; ${kills} kills, ${cuts} connections cut off.`
  )
  const shops = Array.from({ length: organizations }, (_, place) => shopOf(place, seed, orders))
  const simulator = yield* startStoreSimulator({ shops, bulkMillis: 1_000, attempts: 9 })
  const ports = yield* Effect.replicateEffect(freePort, workers)
  const publicUrl = `http://127.0.0.1:${ports[0] ?? 0}`
  const grounds = yield* makeGrounds(databaseUrl, {
    shops: { url: simulator.url, publicUrl, timeoutMillis, ...defaultStoreApp }
  })
  yield* seedTenants({ organizations, sessionsEach: 1, automations: organizations }).pipe(
    Effect.provide(layerPreparing(grounds))
  )
  const log = yield* logFile("stores", seed)
  const servers = yield* Effect.forEach(ports, (port) => makeMortal(grounds, { port, log }))
  let [cutOff, done] = [0, 0]

  const checks = yield* Effect.gen(function* () {
    const stores = yield* Effect.forEach(shops, ({ domain }, place) =>
      connect(simulator, ownLine(place).organizationId, domain)
    ).pipe(Effect.provide(layerPreparing(grounds)))
    const begun = performance.now()
    const say = (what: string) => Console.log(`${((performance.now() - begun) / 1_000).toFixed(1)} s  ${what}`)
    const domains = shops.map(({ domain }) => domain)
    const trouble = yield* Scope.fork(yield* Effect.scope)
    const cutting = cutOffConnections(drawing(seed + 1), cutEvery, () => {
      cutOff += 1
    })
    yield* Effect.forkIn(cutting, trouble)
    yield* Effect.forkIn(goWrong(simulator, drawing(seed + 2)), trouble)
    yield* Effect.forkIn(
      passTime(simulator, stores, drawing(seed + 3)).pipe(Effect.provide(layerPreparing(grounds))),
      trouble
    )
    yield* Effect.forkIn(
      goOnSelling(simulator, domains, drawing(seed + 4), () => {
        done += 1
      }),
      trouble
    )
    yield* killAgain(drawing(seed + 5), kills, servers)
    yield* Effect.repeat(Effect.sleep("100 millis"), { until: () => cutOff >= cuts || cutEvery === 0 })
    yield* Scope.close(trouble, Exit.void)
    simulator.behave()
    yield* say(`nothing is broken any more; people have done ${done} things`)
    yield* toRest(simulator, deadlineMillis)
    const faults = (all: ReadonlyArray<{ readonly faults: ReadonlyArray<string> }>) =>
      all.reduce((sum, each) => sum + each.faults.length, 0)
    const judged = Effect.map(
      Effect.forEach(stores, (store) =>
        Effect.map(readFound(store), (found) => judge(store.shop, found, simulator.books(store.shop)))
      ),
      (all) => all.flat()
    )
    yield* say(
      `all deliveries are processed; ${faults(yield* judged)} records differ because their deliveries were lost`
    )
    yield* Effect.forEach(stores, ({ id, organizationId }) => within(organizationId)(syncStore({ id, full: true })), {
      discard: true
    }).pipe(Effect.provide(layerPreparing(grounds)))
    yield* toRest(simulator, deadlineMillis)
    const deliveries = simulator.deliveries()
    yield* say(
      `everything is read; ${simulator.calls().length} calls, ${deliveries.length} deliveries (${deliveries.filter(({ attempts }) => attempts === 0).length} lost, ${deliveries.filter(({ attempts }) => attempts > 1).length} sent more than once), ${kills} kills, ${cutOff} connections cut off`
    )
    return [
      same("nothing waits at the end, and nothing is parked", yield* waiting, {
        deliveries: 0,
        parked: 0,
        marks: 0,
        syncs: 0
      }),
      same("the records of finished syncs are deleted", yield* sightings, 0),
      same("the purchases of contacts are counted correctly", yield* miscounted, []),
      ...(yield* judged)
    ]
  }).pipe(Effect.provide(layerWatching(grounds)))
  yield* conclude(seed, log, checks)
})

/** Stores that are imported, updated and reconciled by killed and disconnected servers, with a provider that injects errors. */
export const stores = Command.make(
  "stores",
  {
    ...commonFlags,
    organizations: count("organizations", 3, 60, "How many organizations connect a shop"),
    orders: count("orders", 1_500, 1_000_000, "How many orders each shop has when it is connected"),
    workers: count("workers", 2, 12, "How many processes there are; the first one is delivered to"),
    cuts: count("cuts", 10, 10_000, "How many connections are cut off at least")
  },
  Effect.fnUntraced(function* ({ cuts, orders, organizations, workers, ...given }) {
    yield* run({ ...(yield* commonOptions(given)), cuts, orders, organizations, workers }).pipe(Effect.scoped)
  })
).pipe(
  Command.withDescription(
    "Has shops imported, followed and reconciled while people buy and delete there, deliveries come doubled, late, reversed and never, and the servers are killed, and compares what is stored with the shops' own books"
  )
)
