import { Effect, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import type { Caller } from "../../tenants/Population.ts"
import type { Drawing } from "../drawing.ts"

/** An open conversation and its writer. */
export interface Talk {
  readonly conversationId: string
  readonly caller: Caller
}

/** Writes that the service acknowledged, for observers. */
export interface Letters {
  /** By text: under which id. */
  readonly taken: Map<string, string>
  readonly odd: Array<string>
  again: number
}

export const noLetters = (): Letters => ({ taken: new Map(), odd: [], again: 0 })

const Taken = Schema.Struct({ id: Schema.String })

const mostOdd = 100

/**
 * Writes a number of texts to each conversation in sequence. Unacknowledged ones are repeated with the same key, and some acknowledged ones too:
 * these must give the same message.
 */
export const writeAll = Effect.fnUntraced(function* (
  url: string,
  talks: ReadonlyArray<Talk>,
  each: number,
  letters: Letters,
  drawsOf: (talk: number) => Drawing
) {
  const client = yield* HttpClient.HttpClient

  const post = ({ caller, conversationId }: Talk, key: string, text: string) =>
    HttpClientRequest.post(`${url}/api/v1/conversations/${conversationId}/messages`).pipe(
      HttpClientRequest.bearerToken(caller.accessToken),
      HttpClientRequest.setHeaders({ "x-organization-id": caller.organizationId, "idempotency-key": key }),
      HttpClientRequest.bodyJsonUnsafe({ kind: "text", text }),
      client.execute,
      Effect.flatMap((response) => Effect.map(response.text, (body) => ({ status: response.status, body }))),
      Effect.timeout("10 seconds"),
      Effect.orElseSucceed(() => ({ status: 0, body: "" }))
    )

  const note = (fault: string) => {
    if (letters.odd.length < mostOdd) letters.odd.push(fault)
  }

  // 409: the same key is in use, in a unit of work whose process may be dead.
  const isLater = (status: number) => status === 0 || status === 409 || status === 429 || status >= 500

  const write = Effect.fnUntraced(function* (talk: Talk, key: string, text: string) {
    for (;;) {
      const { body, status } = yield* post(talk, key, text)
      if (status === 202) {
        const { id } = yield* Schema.decodeEffect(Schema.fromJsonString(Taken))(body)
        const before = letters.taken.get(text)
        if (before !== undefined && before !== id) note(`"${text}" is ${before}, and after a repetition ${id}`)
        letters.taken.set(text, id)
        return
      }
      if (!isLater(status)) return note(`"${text}" was answered with ${status}: ${body.slice(0, 200)}`)
      letters.again += 1
      yield* Effect.sleep("200 millis")
    }
  })

  yield* Effect.forEach(
    talks,
    Effect.fnUntraced(function* (talk, place) {
      const draws = drawsOf(place)
      for (let number = 0; number < each; number++) {
        yield* Effect.sleep(draws.between(0, 3_000))
        const [key, text] = [`letter-${place}-${number}`, `Letter ${place} ${number}`]
        yield* write(talk, key, text)
        if (draws.chance(0.1)) yield* write(talk, key, text)
      }
    }),
    { concurrency: "unbounded", discard: true }
  )
})
