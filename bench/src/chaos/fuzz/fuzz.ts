import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { parley } from "../../servers/contenders.ts"
import { drawing } from "../drawing.ts"
import { layerPreparing, logFile, makeGrounds } from "../grounds.ts"
import { commonFlags, commonOptions, count } from "../options.ts"
import { conclude } from "../verdict.ts"
import { ask } from "./ask.ts"
import { type Caller, prepareCallers, signIn } from "./callers.ts"
import { type Operation, operationsOf, reader } from "./contract.ts"
import { type Drawn, type Known, requestDrawing } from "./draw.ts"
import { learn, makeJudge } from "./judge.ts"

// The port has no listener: calls of the chat provider end with a declared failure.
const nowhere = { appId: "300000000000001", appSecret: "app-secret-of-the-platform", url: "http://127.0.0.1:9" }

const areaOf = ({ path }: Operation) =>
  path.split("/").findLast((segment) => segment !== "" && !segment.startsWith("{")) ?? ""

const headersOf = ({ organization, token }: Caller) => ({
  "x-organization-id": organization,
  ...(token !== null && { authorization: `Bearer ${token}` })
})

const tell = (number: number, caller: Caller, { method }: Operation, { body, path, wrong }: Drawn) =>
  `request ${number}, ${caller.name}: ${method} ${path.slice(0, 400)} ${body?.slice(0, 1_000) ?? ""}${wrong === null ? "" : ` (${wrong})`}`

const run = Effect.fnUntraced(function* (
  requests: number,
  { databaseUrl, seed }: Effect.Success<ReturnType<typeof commonOptions>>
) {
  yield* Console.log(`The seed is ${seed}: ${requests} requests.`)
  const grounds = yield* makeGrounds(databaseUrl, { chat: nowhere })
  const { owner, strangers } = yield* Effect.provide(prepareCallers, layerPreparing(grounds))
  const log = yield* logFile("fuzz", seed)
  const { url } = yield* parley(grounds, { log })
  const { json: contract } = yield* ask(`${url}/openapi.json`, {})
  const operations = operationsOf(contract)
  const newToken = operations.find(({ name }) => name === "issueAutomationToken")?.body?.example
  const others = [...strangers, ...(yield* signIn(url, owner, newToken))]

  // The custom field in the examples of contacts and segments.
  yield* ask(`${url}/api/v1/contact_fields`, {
    method: "POST",
    headers: { ...headersOf(owner), "content-type": "application/json" },
    body: JSON.stringify({ key: "city", name: "City", type: "text" })
  })

  const draws = drawing(seed)
  const known: Known = new Map()
  const drawRequest = requestDrawing(draws, reader(contract), known)
  const judge = makeJudge()
  const statuses = new Map<number, number>()
  const succeeded = new Set<string>()
  for (let number = 0; number < requests; number++) {
    const operation = draws.pick(operations)
    const caller = draws.chance(0.6) ? owner : draws.pick(others)
    const drawn = drawRequest(operation)
    const answer = yield* ask(url + drawn.path, {
      method: operation.method,
      headers: { ...headersOf(caller), ...(drawn.type !== null && { "content-type": drawn.type }) },
      body: drawn.body
    })
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    judge.look(
      operation,
      drawn,
      answer,
      `${tell(number, caller, operation, drawn)}\n    ${answer.status} ${answer.text.slice(0, 600)}`
    )
    if (answer.status < 400) succeeded.add(operation.name)
    if (answer.status < 400 && caller.organization === owner.organization) learn(answer.json, areaOf(operation), known)
  }
  const counts = [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, times]) => `${times} x ${status}`)
  yield* Console.log(`${counts.join(", ")}; ${succeeded.size} of ${operations.length} calls went well at least once`)
  yield* conclude(seed, log, judge.checks())
})

/** Valid and bent requests of all kinds of callers, compared with the contract. */
export const fuzz = Command.make(
  "fuzz",
  {
    databaseUrl: commonFlags.databaseUrl,
    seed: commonFlags.seed,
    requests: count("requests", 8_000, 10_000_000, "How many requests are sent")
  },
  Effect.fnUntraced(function* ({ requests, ...given }) {
    const options = yield* commonOptions({ ...given, kills: 0, cutEvery: 0, deadline: 0 })
    yield* Effect.scoped(run(requests, options))
  })
).pipe(
  Command.withDescription(
    "Sends valid and bent requests that are drawn from the contract, as callers of every role, and compares the answers with what the contract declares"
  )
)
