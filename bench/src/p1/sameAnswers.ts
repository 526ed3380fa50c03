import { Effect, Equal, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import type { RunningServer } from "../servers/launch.ts"
import { automationIdAt } from "../tenants/seededIds.ts"
import type { Caller, Population } from "../tenants/Population.ts"

/** A server has other answers than the others, so its speed is not comparable. */
export class AnswersDiffer extends Schema.TaggedError<AnswersDiffer>()("AnswersDiffer", {
  server: Schema.String,
  problem: Schema.String
}) {
  override get message() {
    return `${this.server}: ${this.problem}`
  }
}

const Automation = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  enabled: Schema.Boolean,
  disabledReason: Schema.NullOr(Schema.String),
  position: Schema.Int,
  when: Schema.Null,
  if: Schema.Struct({}),
  then: Schema.Tuple([]),
  faults: Schema.Tuple([]),
  createdAt: Schema.String,
  updatedAt: Schema.String,
  version: Schema.Int
})

const decode = Schema.decodeUnknownEffect(Automation, { onExcessProperty: "error" })

const read = (server: RunningServer, place: number, headers: Record<string, string>) =>
  Effect.flatMap(HttpClient.HttpClient, (client) =>
    client.execute(
      HttpClientRequest.get(`${server.url}/api/v1/automations/${automationIdAt(place)}`).pipe(
        HttpClientRequest.setHeaders(headers)
      )
    )
  )

/** Headers of a call in a session. */
export const headersOf = (caller: Pick<Caller, "accessToken" | "organizationId">) => ({
  authorization: `Bearer ${caller.accessToken}`,
  "x-organization-id": caller.organizationId
})

/** The token with another signature. */
export const forged = (token: string) => `${token.slice(0, -8)}${token.endsWith("AAAAAAAA") ? "BBBBBBBA" : "AAAAAAAA"}`

const examine = Effect.fnUntraced(function* (name: string, server: RunningServer, { callers }: Population) {
  const [caller] = callers
  const stranger = callers.find(({ organizationId }) => organizationId !== caller?.organizationId)
  if (caller === undefined || stranger === undefined) return yield* Effect.die(new Error("Nobody is there to call."))
  const good = headersOf(caller)
  const differ = (problem: string) => new AnswersDiffer({ server: name, problem })
  const refusals: ReadonlyArray<readonly [string, number, number, Record<string, string>]> = [
    ["another tenant's automation", 404, stranger.first, good],
    ["a call without a token", 401, caller.first, { "x-organization-id": caller.organizationId }],
    ["a forged token", 401, caller.first, { ...good, authorization: `Bearer ${forged(caller.accessToken)}` }],
    ["another tenant", 403, stranger.first, { ...good, "x-organization-id": stranger.organizationId }]
  ]
  yield* Effect.forEach(refusals, ([what, expected, place, headers]) =>
    Effect.flatMap(read(server, place, headers), ({ status }) =>
      status === expected ? Effect.void : differ(`${what} is answered with ${status}, not ${expected}.`)
    )
  )
  const answer = yield* read(server, caller.first, good)
  const body = yield* Effect.mapError(Effect.flatMap(answer.json, decode), (error) => differ(error.message))
  if (!answer.headers["x-request-id"] || !answer.headers["ratelimit"]) return yield* differ("It leaves headers out.")
  return body
})

/** Fails unless every server answers and refuses correctly, and all answers are the same. */
export const requireSameAnswers = Effect.fnUntraced(function* (
  servers: ReadonlyArray<readonly [string, RunningServer]>,
  population: Population
) {
  const answers = yield* Effect.forEach(servers, ([name, server]) => examine(name, server, population))
  const [first] = answers
  const odd = servers.find((_, index) => !Equal.equals(answers[index], first))
  if (odd !== undefined) return yield* new AnswersDiffer({ server: odd[0], problem: "It answers otherwise." })
})
