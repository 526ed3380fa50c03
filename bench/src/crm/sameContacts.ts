import { Effect, Equal, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import type { Target } from "../load/wrk.ts"
import { AnswersDiffer, forged, headersOf } from "../p1/sameAnswers.ts"
import type { RunningServer } from "../servers/launch.ts"

/** A server and its requests: the first two from separate visitors. */
export interface Asked {
  readonly name: string
  readonly server: RunningServer
  readonly targets: ReadonlyArray<Target>
}

const get = ({ url }: RunningServer, path: string, headers: Record<string, string>) =>
  Effect.flatMap(HttpClient.HttpClient, (client) =>
    client.execute(HttpClientRequest.get(`${url}${path}`).pipe(HttpClientRequest.setHeaders(headers)))
  )

// Cursors are opaque, each server's own.
const decode = Schema.decodeUnknownEffect(Schema.Record(Schema.String, Schema.Json))
const withoutCursor = (body: Readonly<Record<string, Schema.Json>>) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== "nextCursor"))

const examine = Effect.fnUntraced(function* ({ name, server, targets }: Asked) {
  const differ = (problem: string) => new AnswersDiffer({ server: name, problem })
  const [one] = targets
  const other = targets.find(({ organizationId }) => organizationId !== one?.organizationId)
  if (one === undefined || other === undefined) return yield* Effect.die(new Error("Nobody is there to call."))
  const good = headersOf(one)
  const refusals: ReadonlyArray<readonly [string, number, Record<string, string>]> = [
    ["a call without a token", 401, { "x-organization-id": one.organizationId }],
    ["a forged token", 401, { ...good, authorization: `Bearer ${forged(one.accessToken)}` }],
    ["another tenant", 403, { ...good, "x-organization-id": other.organizationId }]
  ]
  yield* Effect.forEach(refusals, ([what, expected, headers]) =>
    Effect.flatMap(get(server, one.path, headers), ({ status }) =>
      status === expected ? Effect.void : differ(`${what} is answered with ${status}, not ${expected}.`)
    )
  )
  return yield* Effect.forEach(
    [one, other, ...targets.slice(1, 20)],
    Effect.fnUntraced(function* (target) {
      const answer = yield* get(server, target.path, headersOf(target))
      if (answer.status !== 200) return yield* differ(`${target.path} is answered with ${answer.status}.`)
      if (!answer.headers["x-request-id"] || !answer.headers["ratelimit"])
        return yield* differ("It leaves headers out.")
      return yield* Effect.mapBoth(Effect.flatMap(answer.json, decode), {
        onFailure: (error) => differ(error.message),
        onSuccess: withoutCursor
      })
    })
  )
})

/** Fails unless every server refuses invalid callers, and all servers return the same answers. */
export const requireSameContacts = Effect.fnUntraced(function* (all: ReadonlyArray<Asked>) {
  const answers = yield* Effect.forEach(all, examine)
  const [first] = answers
  const odd = all.find((_, index) => !Equal.equals(answers[index], first))
  if (odd !== undefined) return yield* new AnswersDiffer({ server: odd.name, problem: "It answers otherwise." })
})
