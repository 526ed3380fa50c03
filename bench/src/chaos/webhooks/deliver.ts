import { Effect } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import type { Part, Written } from "./batches.ts"

/** Progress of the deliveries, for observers. */
export interface Progress {
  acknowledged: number
  /** Number of repeated deliveries after a missing acknowledgement. */
  again: number
  /** Answers that neither acknowledge nor request patience. */
  readonly odd: Array<string>
  readonly parts: Map<string, Part>
}

export const noProgress = (): Progress => ({ acknowledged: 0, again: 0, odd: [], parts: new Map() })

const callers = 16
const mostOdd = 100
const longestPause = 1_000

/** Sends every delivery like the provider: each is repeated until its answer is 200. */
export const deliverAll = Effect.fnUntraced(function* (url: string, deliveries: Iterator<Written>, progress: Progress) {
  const client = yield* HttpClient.HttpClient

  const post = ({ body, path, signature }: Written) =>
    HttpClientRequest.post(`${url}${path}`).pipe(
      HttpClientRequest.bodyText(body, "application/json"),
      HttpClientRequest.setHeader("x-hub-signature-256", signature),
      client.execute,
      Effect.flatMap((response) => Effect.as(response.text, response.status)),
      Effect.timeout("10 seconds"),
      Effect.orElseSucceed(() => null)
    )

  const deliver = Effect.fnUntraced(function* (delivery: Written) {
    for (let attempt = 1; ; attempt++) {
      const status = yield* post(delivery)
      if (status === 200) break
      if (status !== null && status < 500 && status !== 429 && progress.odd.length < mostOdd) {
        progress.odd.push(`${delivery.path} was answered with ${status}`)
      }
      progress.again += 1
      yield* Effect.sleep(Math.min(longestPause, 25 * 2 ** attempt))
    }
    progress.acknowledged += 1
    for (const part of delivery.parts) progress.parts.set(`${part.organizationId} ${part.digest}`, part)
  })

  const caller = Effect.gen(function* () {
    for (let next = deliveries.next(); next.done !== true; next = deliveries.next()) yield* deliver(next.value)
  })
  yield* Effect.replicateEffect(caller, callers, { concurrency: "unbounded", discard: true })
})
