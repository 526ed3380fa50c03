import { Effect, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import type { Caller } from "../../tenants/Population.ts"
import type { Drawing } from "../drawing.ts"

/** A requested contact, with the answer. */
export interface Wish {
  readonly name: string
  readonly key: string | null
  /** `unknown`: the caller cannot know whether it is stored. */
  state: "taken" | "refused" | "unknown"
  id: string | null
}

/** How calls were answered. */
export interface Answers {
  readonly statuses: Map<string, number>
  readonly faults: Array<string>
  longest: number
}

export const noAnswers = (): Answers => ({ statuses: new Map(), faults: [], longest: 0 })

const Taken = Schema.fromJsonString(Schema.Struct({ id: Schema.String }))
const Unavailable = Schema.fromJsonString(
  Schema.Struct({ code: Schema.Literal("service_unavailable"), outcomeUnknown: Schema.Boolean })
)

const reads = ["/api/v1/contacts", "/api/v1/tags", "/api/v1/auth/me", "/api/v1/conversations"]

/** The bound of the service, and some time for a busy machine. */
export const boundMillis = 5_000 + 1_000

/** Makes calls as drawn: reads, writes with a key and writes without. */
export const makeCalling = Effect.fnUntraced(function* (url: string, caller: Caller, draws: Drawing) {
  const client = yield* HttpClient.HttpClient
  const wishes: Array<Wish> = []
  const own = (request: HttpClientRequest.HttpClientRequest) =>
    request.pipe(
      HttpClientRequest.bearerToken(caller.accessToken),
      HttpClientRequest.setHeader("x-organization-id", caller.organizationId),
      client.execute,
      Effect.flatMap((response) => Effect.map(response.text, (body) => ({ body, response }))),
      Effect.timeout("30 seconds"),
      Effect.orElseSucceed(() => null)
    )

  const ask = (wish: Wish) => {
    const plain = HttpClientRequest.post(`${url}/api/v1/contacts`)
    const request = wish.key === null ? plain : HttpClientRequest.setHeader(plain, "idempotency-key", wish.key)
    return own(HttpClientRequest.bodyJsonUnsafe(request, { name: wish.name }))
  }

  const call = Effect.fnUntraced(function* (answers: Answers) {
    const kind = draws.between(0, 2)
    const number = wishes.length
    const wish: Wish | null =
      kind === 0
        ? null
        : { name: `Wish ${number}`, key: kind === 1 ? `wish-${number}` : null, state: "unknown", id: null }
    if (wish !== null) wishes.push(wish)
    const path = draws.pick(reads)
    const what = wish === null ? `GET ${path}` : `${wish.name} with the key ${wish.key}`
    const begun = performance.now()
    const answer = yield* wish === null ? own(HttpClientRequest.get(`${url}${path}`)) : ask(wish)
    const millis = performance.now() - begun
    answers.longest = Math.max(answers.longest, millis)
    const fault = (text: string) => answers.faults.push(`${what}: ${text} after ${Math.round(millis)} ms`)
    const seen = (status: string) => answers.statuses.set(status, (answers.statuses.get(status) ?? 0) + 1)
    if (millis > boundMillis) fault("answered too late")
    if (answer === null) {
      seen("no answer")
      return fault("no answer")
    }
    const { body, response } = answer
    if (response.status === (wish === null ? 200 : 201)) {
      seen(String(response.status))
      if (wish === null) return
      wish.state = "taken"
      wish.id = (yield* Schema.decodeEffect(Taken)(body)).id
      return
    }
    const problem = Schema.decodeOption(Unavailable)(body)
    if (response.status !== 503 || problem._tag === "None") {
      seen(String(response.status))
      return fault(`${response.status} ${body.slice(0, 200)}`)
    }
    const isUnknown = problem.value.outcomeUnknown
    seen(isUnknown ? "503 (outcome unknown)" : "503")
    if (wish !== null && !isUnknown) wish.state = "refused"
    if (!/^[1-9]\d*$/u.test(response.headers["retry-after"] ?? "")) fault("503 without Retry-After")
  })

  return {
    wishes,
    /** This number of calls, spread over this time. */
    callFor: Effect.fnUntraced(function* (count: number, millis: number) {
      const answers = noAnswers()
      yield* Effect.forEach(
        Array.from({ length: count }, (_, place) => (place * millis) / count),
        (delay) => Effect.delay(call(answers), delay),
        { concurrency: "unbounded", discard: true }
      )
      return answers
    }),
    /** Repeats all unacknowledged calls with a key under the same key. Returns the errors. */
    insist: Effect.gen(function* () {
      const faults: Array<string> = []
      for (const wish of wishes) {
        if (wish.key === null || wish.state === "taken") continue
        const answer = yield* ask(wish)
        if (answer?.response.status !== 201) {
          faults.push(`${wish.name}: ${answer?.response.status ?? "no answer"} ${answer?.body ?? ""}`)
          continue
        }
        wish.state = "taken"
        wish.id = (yield* Schema.decodeEffect(Taken)(answer.body)).id
      }
      return faults
    })
  }
})
