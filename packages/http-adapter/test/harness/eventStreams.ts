import { Effect, Redacted, Schema } from "effect"
import { Sse } from "effect/encoding"

/** The follower, and the start of the stream. */
export interface Following {
  readonly token: Redacted.Redacted
  readonly organization: string
  readonly lastEventId?: string | null
  readonly query?: string
  readonly accept?: string
}

/** A row of the feed, as far as tests look at it. */
export interface Row {
  readonly cursor: string
  readonly position: number
  readonly type: string
}

/** A stream that is open, or was. */
export interface Followed {
  readonly status: number
  readonly headers: Headers
  /** Received events so far. */
  readonly rows: ReadonlyArray<Row & { readonly id: string; readonly name: string; readonly arrivedAt: number }>
  /** Last position that the server has sent. */
  readonly lastId: () => string | null
  /** All of it so far, as it was written. */
  readonly text: () => string
  readonly hasEnded: () => boolean
  readonly ended: Effect.Effect<"ended" | "cut">
}

const readRow = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      cursor: Schema.String,
      position: Schema.Int,
      event: Schema.Struct({ type: Schema.String })
    })
  )
)

/** The last id of a block that is complete, whether or not it has data. */
const lastIdIn = (text: string) => {
  const whole = text.slice(0, text.lastIndexOf("\n\n") + 1)
  return Array.from(whole.matchAll(/^id: (.*)$/gmu), ([, id]) => id ?? "").at(-1) ?? null
}

/** Opens a stream of events at the port of this machine. It is cut when the scope ends. */
export const follow = Effect.fnUntraced(function* (port: number, following: Following) {
  const cutting = yield* Effect.acquireRelease(
    Effect.sync(() => new AbortController()),
    (controller) => Effect.sync(() => controller.abort())
  )
  const { accept = "text/event-stream", lastEventId = null, organization, query = "", token } = following
  const response = yield* Effect.promise(() =>
    fetch(`http://127.0.0.1:${port}/api/v1/events${query}`, {
      signal: cutting.signal,
      headers: {
        accept,
        authorization: `Bearer ${Redacted.value(token)}`,
        "x-organization-id": organization,
        ...(lastEventId !== null && { "last-event-id": lastEventId })
      }
    })
  )
  const rows: Array<Followed["rows"][number]> = []
  let text = ""
  let end: "ended" | "cut" | null = null
  const parser = Sse.makeParser((event) => {
    if (event._tag !== "Event") return
    const { event: inner, ...row } = readRow(event.data)
    rows.push({ ...row, type: inner.type, id: event.id ?? "", name: event.event, arrivedAt: performance.now() })
  })
  const reading = (async () => {
    if (response.body === null) return
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body) {
        const part = decoder.decode(chunk, { stream: true })
        text += part
        parser.feed(part)
      }
      end = "ended"
    } catch {
      end = "cut"
    }
  })()
  return {
    status: response.status,
    headers: response.headers,
    rows,
    text: () => text,
    lastId: () => lastIdIn(text),
    hasEnded: () => end !== null,
    ended: Effect.promise(async () => {
      await reading
      return end ?? "ended"
    })
  } satisfies Followed
})

/** Waits, in real time, until it is so. */
export const until = (what: string, isSo: () => boolean, withinMillis = 3_000) =>
  Effect.gen(function* () {
    const begun = performance.now()
    while (!isSo()) {
      if (performance.now() - begun > withinMillis) return yield* Effect.die(new Error(`Not so in time: ${what}`))
      yield* Effect.sleep("5 millis")
    }
    return performance.now() - begun
  })
