import { Effect, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import type { Line } from "../../chat/provider.ts"
import type { Caller } from "../../tenants/Population.ts"
import type { Control } from "../sends/control.ts"

/** Observations of callers, for observers. */
export interface Seen {
  /** The acknowledged contacts: by name, under which id. */
  readonly taken: Map<string, string>
  /** When each write was acknowledged, and each read served. */
  readonly written: Array<number>
  readonly read: Array<number>
  readonly odd: Array<string>
  again: number
  refusedReads: number
  /** Phones of the customers who wrote in the meantime. */
  readonly customers: Array<string>
}

export const nothingSeen = (): Seen => ({
  taken: new Map(),
  written: [],
  read: [],
  odd: [],
  again: 0,
  refusedReads: 0,
  customers: []
})

const Taken = Schema.fromJsonString(Schema.Struct({ id: Schema.String }))

const writers = 8
const readers = 4

/** Writes with keys and reads concurrently until the time is over. Unacknowledged writes are repeated. */
export const callAgain = Effect.fnUntraced(function* (url: string, caller: Caller, seen: Seen, endsAt: number) {
  const client = yield* HttpClient.HttpClient
  const own = (request: HttpClientRequest.HttpClientRequest) =>
    request.pipe(
      HttpClientRequest.bearerToken(caller.accessToken),
      HttpClientRequest.setHeader("x-organization-id", caller.organizationId),
      client.execute,
      Effect.flatMap((response) => Effect.map(response.text, (body) => ({ status: response.status, body }))),
      Effect.timeout("10 seconds"),
      Effect.orElseSucceed(() => ({ status: 0, body: "" }))
    )

  const write = Effect.fnUntraced(function* (name: string) {
    const request = HttpClientRequest.post(`${url}/api/v1/contacts`).pipe(
      HttpClientRequest.setHeader("idempotency-key", name.replaceAll(" ", "-")),
      HttpClientRequest.bodyJsonUnsafe({ name })
    )
    for (;;) {
      const { body, status } = yield* own(request)
      if (status === 201) {
        seen.taken.set(name, (yield* Schema.decodeEffect(Taken)(body)).id)
        return seen.written.push(performance.now())
      }
      // 409: the same key is under way, in a unit of work that is not over.
      if (status !== 503 && status !== 409) seen.odd.push(`${name}: ${status} ${body.slice(0, 200)}`)
      seen.again += 1
      yield* Effect.sleep("100 millis")
    }
  })

  const writer = Effect.fnUntraced(function* (place: number) {
    for (let number = 0; performance.now() < endsAt; number++) {
      yield* write(`Wish ${place} ${number}`)
      yield* Effect.sleep("40 millis")
    }
  })

  const reader = Effect.gen(function* () {
    while (performance.now() < endsAt) {
      const { body, status } = yield* own(HttpClientRequest.get(`${url}/api/v1/contacts?limit=5`))
      if (status === 200) seen.read.push(performance.now())
      else seen.refusedReads += 1
      if (status !== 200 && status !== 503) seen.odd.push(`GET contacts: ${status} ${body.slice(0, 200)}`)
      yield* Effect.sleep("50 millis")
    }
  })

  const all = [
    ...Array.from({ length: writers }, (_, place) => writer(place)),
    ...Array.from({ length: readers }, () => reader)
  ]
  yield* Effect.all(all, { concurrency: "unbounded", discard: true })
})

/** One new customer after the other writes until the time is over. The provider repeats each delivery until it is accepted. */
export const haveCustomersWrite = Effect.fnUntraced(function* (
  control: Control,
  { phoneId }: Line,
  seen: Seen,
  endsAt: number
) {
  while (performance.now() < endsAt) {
    const phone = `49160${String(seen.customers.length).padStart(8, "0")}`
    yield* control.write(phoneId, phone)
    seen.customers.push(phone)
    yield* Effect.sleep("200 millis")
  }
})
