import { assert } from "@effect/vitest"
import { TestKit } from "@parley/testkit"
import { Config, Console, Effect, Option } from "effect"
import { assertProblem } from "./harness/answers.ts"
import { type Endpoint, endpoints } from "./harness/contract.ts"
import { fuzz } from "./harness/fuzz.ts"
import { type Answer, call } from "./harness/Http.ts"
import { validRequest, type ValidRequest } from "./harness/requests.ts"
import { overHttp } from "./harness/service.ts"
import { givenTenant } from "./harness/tenants.ts"
import { assertDeclared } from "./openapi/declared.ts"
import { described } from "./openapi/document.ts"

/** The number of requests to all operations together, and the seed of the changes. */
const settings = Config.all({
  requests: Config.option(Config.Int("PARLEY_TEST_FUZZ")),
  seed: Config.withDefault(Config.Int("PARLEY_TEST_FUZZ_SEED"), 1)
})

const requestsByDefault = 1_500

const isSuccess = ({ status }: Answer) => status >= 200 && status < 300

const reached = new Set<string>()
const statuses = new Map<number, number>()

const send = Effect.fnUntraced(function* ({ id, method }: Endpoint, { path, ...what }: ValidRequest) {
  const answer = yield* call(method, path, what)
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  if (isSuccess(answer)) reached.add(id)
  return answer
})

/** A valid request, and a valid request of another tenant. */
const givenRequests = Effect.fnUntraced(function* (endpoint: Endpoint) {
  const tenant = yield* givenTenant()
  const other = yield* givenTenant()
  return {
    request: yield* validRequest(endpoint, { tenant, person: tenant.owner }),
    foreign: yield* validRequest(endpoint, { tenant: other, person: other.owner })
  }
})

/** Fails unless the contract declares the answer. A path that providers call has no description, but has problems. */
const assertInContract = (endpoint: Endpoint, answer: Answer, what: string) => {
  assert.isBelow(answer.status, 500, what)
  // A replayed problem has the id of the first request.
  const isReplayed = answer.headers.get("idempotency-replayed") === "true"
  if (answer.status >= 400 && !isReplayed) assertProblem(answer, answer.status, String(answer.body.code))
  const operation = described.find((one) => one.endpoint === endpoint.contract)
  if (operation !== undefined) assertDeclared(operation, answer, what)
}

overHttp("changed requests", TestKit.layer, (it) => {
  it.effect.each(endpoints)(
    "$id answers as the contract declares",
    (endpoint) =>
      Effect.gen(function* () {
        const { requests, seed } = yield* settings
        const perOperation = Math.ceil(Option.getOrElse(requests, () => requestsByDefault) / endpoints.length)
        let given = yield* givenRequests(endpoint)
        const first = yield* send(endpoint, given.request)
        assertInContract(endpoint, first, `${endpoint.id}: ${first.status} ${first.text}`)
        let isUsed = isSuccess(first)
        for (let round = 1; round < perOperation; round += 1) {
          // A success may have deleted the resource or ended the session: the next request needs new ones.
          if (isUsed && endpoint.method !== "GET") given = yield* givenRequests(endpoint)
          const { changes, request } = yield* fuzz(
            endpoint,
            given.request,
            given.foreign,
            `${seed} ${endpoint.id} ${round}`
          )
          const answer = yield* send(endpoint, request)
          isUsed = isSuccess(answer)
          const sent = (request.text ?? JSON.stringify(request.body) ?? "").slice(0, 500)
          const what = `${endpoint.id}, round ${round}, ${changes.join(", ")}: ${request.path.slice(0, 300)} ${sent}`
          assertInContract(endpoint, answer, `${what}\n${answer.status} ${answer.text.slice(0, 1_000)}`)
        }
      }),
    3_600_000
  )

  it.effect("each operation succeeds at least once", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        endpoints.flatMap(({ id }) => (reached.has(id) ? [] : [id])),
        []
      )
      if (Option.isNone((yield* settings).requests)) return
      const byStatus = Array.from(statuses).toSorted(([one], [other]) => one - other)
      const report = Console.log(
        `${byStatus.reduce((sum, [, count]) => sum + count, 0)} requests, ${reached.size} of ${endpoints.length} operations with a success, ` +
          byStatus.map(([status, count]) => `${status}: ${count}`).join(", ")
      )
      // The console of tests prints nothing.
      yield* report.pipe(Effect.provideService(Console.Console, globalThis.console))
    })
  )
})
