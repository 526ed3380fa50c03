import { Effect, Option, Predicate, Schema } from "effect"

/** The received answer; status 0 without an answer. */
export interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
  readonly json: unknown
}

const readJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** Sends a request as it is, and waits for all of the answer. */
export const ask = (url: string, init: RequestInit): Effect.Effect<Answer> =>
  Effect.tryPromise(async () => {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) })
    const text = await response.text()
    const type = response.headers.get("content-type") ?? ""
    return { status: response.status, type, text, json: Option.getOrNull(readJson(text)) }
  }).pipe(Effect.catch(({ cause }) => Effect.succeed({ status: 0, type: "", text: String(cause), json: null })))

/** A field of an answer as text. */
export const fieldOf = (value: unknown, name: string): string =>
  Predicate.hasProperty(value, name) ? String(value[name]) : ""
