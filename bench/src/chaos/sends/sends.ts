import { connectChatAccount, CurrentActor, CurrentOrganization, OrganizationId } from "@parley/domain"
import { Console, Effect, Exit, Redacted, Scope, Struct } from "effect"
import { Command } from "effect/cli"
import { SqlClient } from "effect/sql"
import { fileURLToPath } from "node:url"
import { type Line, ownLine } from "../../chat/provider.ts"
import { launch } from "../../servers/launch.ts"
import { seed as seedTenants } from "../../tenants/seed.ts"
import type { Caller } from "../../tenants/Population.ts"
import { cutOffConnections } from "../cutOff.ts"
import { type Drawing, drawing } from "../drawing.ts"
import { checkFeeds } from "../feed.ts"
import { freePort, layerPreparing, layerWatching, logFile, makeGrounds } from "../grounds.ts"
import { makeMortal, type Mortal } from "../mortal.ts"
import { commonFlags, commonOptions, count } from "../options.ts"
import { check, conclude, same } from "../verdict.ts"
import { type Control, controlOf, type ProviderLog } from "./control.ts"
import { type Kept, judge } from "./judge.ts"
import { noLetters, type Talk, writeAll } from "./letters.ts"
import { timeoutMillis } from "./script.ts"

export const app = { appId: "300000000000001", appSecret: "app-secret-of-the-platform" }

/** More calls than attempts. Later calls succeed. */
const callsEach = 6

export const startProvider = (lines: ReadonlyArray<Line>, seed: number, messages: number) =>
  launch({
    name: "provider",
    entry: fileURLToPath(new URL("provider.ts", import.meta.url)),
    env: {
      CHAOS_PROVIDER: JSON.stringify({
        seed,
        calls: messages * callsEach,
        numbers: lines.map(Struct.pick(["phoneId", "businessId", "displayPhone", "accessToken"]))
      })
    }
  })

export const connect = ({ accessToken, appSecret, businessId, organizationId, phoneId }: Line) =>
  connectChatAccount({
    externalAccountId: businessId,
    externalPhoneId: phoneId,
    accessToken: Redacted.make(accessToken),
    appSecret: Redacted.make(appSecret)
  }).pipe(
    Effect.provideService(CurrentOrganization, { id: OrganizationId.make(organizationId) }),
    Effect.provideService(CurrentActor, { kind: "operator", name: "chaos" })
  )

/** Has customers write to every number, and waits until the team may write to them. */
export const openTalks = Effect.fnUntraced(function* (
  control: Control,
  url: string,
  lines: ReadonlyArray<Line>,
  customers: number,
  callers: ReadonlyArray<Caller>
) {
  const sql = yield* SqlClient.SqlClient
  for (const { appSecret, businessId, path, phoneId } of lines) {
    yield* control.deliverTo(businessId, `${url}${path}`, appSecret)
    for (let customer = 0; customer < customers; customer++) {
      yield* control.write(phoneId, `49151${String(customer).padStart(8, "0")}`)
    }
  }
  const all = lines.length * customers
  const open = sql<{ readonly organizationId: string; readonly conversationId: string }>`
    SELECT organization_id AS "organizationId", id AS "conversationId" FROM conversations ORDER BY organization_id, contact_id`
  const opened = yield* Effect.repeat(Effect.delay(open, "50 millis"), { until: ({ length }) => length === all }).pipe(
    Effect.timeout("1 minute")
  )
  return opened.flatMap(({ conversationId, organizationId }): ReadonlyArray<Talk> => {
    const caller = callers.find((candidate) => candidate.organizationId === organizationId)
    return caller === undefined ? [] : [{ conversationId, caller }]
  })
})

const killAgain = Effect.fnUntraced(function* (draws: Drawing, kills: number, server: Mortal) {
  for (let kill = 0; kill < kills; kill++) {
    yield* Effect.sleep(draws.between(1_000, 6_000))
    yield* server.kill
    yield* Effect.sleep(draws.between(0, 500))
    yield* server.restart
  }
})

export const left = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly sends: number; readonly waiting: number; readonly parked: number }>`
    SELECT (SELECT count(*) FROM send_queue)::integer AS sends,
      (SELECT count(*) FROM inbound_deliveries WHERE state = 'waiting')::integer AS waiting,
      (SELECT count(*) FROM inbound_deliveries WHERE state = 'parked')::integer AS parked`
  return row ?? { sends: 0, waiting: 0, parked: 0 }
})

/** No sends, no reports and no deliveries are waiting. */
export const isAtRest = Effect.fnUntraced(function* (control: Control) {
  if ((yield* left).sends > 0 || !(yield* control.isIdle)) return false
  const { sends, waiting } = yield* left
  return sends === 0 && waiting === 0
})

export const readKept = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Kept>`
    SELECT id, conversation_id AS "conversationId", text, status, provider_message_id AS "providerId"
    FROM messages WHERE direction = 'outbound'`
})

/** How many are in doubt though the provider was never called: their sender died, or was cut off, right before that. */
const neverCalled = (kept: ReadonlyArray<Kept>, { calls }: ProviderLog) => {
  const called = new Set(calls.map(({ reference }) => reference))
  return kept.filter(({ id, status }) => status === "in_doubt" && !called.has(id)).length
}

const statusesOf = (kept: ReadonlyArray<Kept>) =>
  Object.entries(Object.groupBy(kept, ({ status }) => status))
    .map(([status, messages]) => `${messages?.length ?? 0} ${status}`)
    .join(", ")

const run = Effect.fnUntraced(function* (
  options: Effect.Success<ReturnType<typeof commonOptions>> & {
    readonly messages: number
    readonly organizations: number
    readonly people: number
  }
) {
  const { cutEvery, databaseUrl, deadlineMillis, kills, messages, organizations, people, seed } = options
  const each = Math.max(1, Math.round(messages / (organizations * people)))
  const all = each * organizations * people
  yield* Console.log(`The seed is ${seed}: ${all} messages of ${organizations} numbers, ${kills} kills.`)
  const lines = Array.from({ length: organizations }, (_, place) => ownLine(place))
  const provider = yield* startProvider(lines, seed, all)
  const control = yield* controlOf(provider.url)
  const grounds = yield* makeGrounds(databaseUrl, { chat: { ...app, url: provider.url, timeoutMillis } })
  const { callers } = yield* Effect.gen(function* () {
    const population = yield* seedTenants({ organizations, sessionsEach: 1, automations: organizations })
    yield* Effect.forEach(lines, connect, { discard: true })
    return population
  }).pipe(Effect.provide(layerPreparing(grounds)))

  const log = yield* logFile("sends", seed)
  const port = yield* freePort
  const url = `http://127.0.0.1:${port}`
  const server = yield* makeMortal(grounds, { port, log })
  const letters = noLetters()
  let cutOff = 0

  const checks = yield* Effect.gen(function* () {
    const talks = yield* openTalks(control, url, lines, people, callers)
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
          writeAll(url, talks, each, letters, (talk) => drawing(seed + 100 + talk)),
          Effect.suspend(() => Console.log(`${since()} s  everything is written`))
        ),
        killAgain(drawing(seed + 2), kills, server)
      ],
      { concurrency: 2, discard: true }
    )
    const rest = Effect.repeat(Effect.delay(isAtRest(control), "200 millis"), { until: (is) => is })
    yield* Effect.timeoutOption(rest, deadlineMillis)
    yield* Scope.close(trouble, Exit.void)
    const provided = yield* control.log
    const kept = yield* readKept
    yield* Console.log(
      `${since()} s  ${provided.calls.length} calls, ${provided.accepted.length} messages accepted; ${statusesOf(kept)} (${neverCalled(kept, provided)} of those in doubt without a call); ${kills} kills, ${cutOff} connections cut off, ${letters.again} messages written again`
    )
    return [
      check("answers take a message, or ask for patience", letters.odd, (answer) => answer),
      check("no unscripted refusal occurs", provided.refused, ({ code, details }) => `${code}: ${details}`),
      same("nothing waits at the end, and nothing is parked", yield* left, { sends: 0, waiting: 0, parked: 0 }),
      same("as many messages as were written", [letters.taken.size, kept.length], [all, all]),
      ...judge(provided, kept, letters.taken),
      ...(yield* checkFeeds(new Set(lines.map(({ organizationId }) => organizationId)), {
        received: talks.length,
        opened: talks.length,
        contacts: talks.length,
        outbound: new Map(kept.map(({ id, status }) => [id, { before: "queued", after: status }]))
      }))
    ]
  }).pipe(Effect.provide(layerWatching(grounds)))
  yield* conclude(seed, log, checks)
})

/** R3: messages to a provider that misbehaves, from a server that is killed and cut off. */
export const sends = Command.make(
  "sends",
  {
    ...commonFlags,
    messages: count("messages", 400, 1_000_000, "How many messages are written, or a few more"),
    organizations: count("organizations", 4, 60, "Number of organizations, one number each"),
    people: count("people", 16, 10_000, "To how many people each of them writes")
  },
  Effect.fnUntraced(function* ({ messages, organizations, people, ...given }) {
    yield* run({ ...(yield* commonOptions(given)), messages, organizations, people }).pipe(Effect.scoped)
  })
).pipe(
  Command.withDescription(
    "Sends messages to a provider that refuses, hangs and loses its answers, through a server that is killed again and again, and compares what came of them with the provider's own log"
  )
)
