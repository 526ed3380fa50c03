import { events } from "./calls.generated.ts"
import type { Follow } from "./methods.ts"
import { type ParleyProblem, problemIn } from "./problem.ts"
import { readEndpoint } from "./request.ts"
import type { FeedEvent } from "./schemas.generated.ts"
import type { Connection } from "./send.ts"
import { backoff, type Sleep } from "./transport.ts"

/** The service sends a heartbeat every 15 seconds. After three times that, the connection is lost. In milliseconds. */
const longestSilence = 45_000

/** Waits between connections, in milliseconds. */
const waits = { firstWait: 200, longestWait: 10_000 }

/** A complete block of an event stream. Without data it is a heartbeat. */
interface Block {
  readonly id: string | null
  readonly data: string
}

const readBlock = (text: string): Block => {
  let id: string | null = null
  const data: Array<string> = []
  for (const line of text.split(/\r\n|[\r\n]/u)) {
    const value = line.slice(line.indexOf(":") + 1).replace(/^ /u, "")
    if (line.startsWith("id:")) id = value
    if (line.startsWith("data:")) data.push(value)
  }
  return { id, data: data.join("\n") }
}

/** The next bytes. Null when the connection is lost: closed, cut off, or silent. */
const nextBytes = async (reader: ReadableStreamDefaultReader<Uint8Array>, sleep: Sleep) => {
  const read = new AbortController()
  const silence = sleep(longestSilence, read.signal).then(() => null)
  const arrived = await Promise.race([reader.read(), silence]).catch(() => null)
  read.abort()
  return arrived?.value ?? null
}

/** The complete blocks of a stream. The rest of a stream that is cut off comes again with the next connection. */
const blocksOf = async function* (body: ReadableStream<Uint8Array>, sleep: Sleep): AsyncGenerator<Block> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ""
  try {
    for (let bytes = await nextBytes(reader, sleep); bytes !== null; bytes = await nextBytes(reader, sleep)) {
      text += decoder.decode(bytes, { stream: true })
      const blocks = text.split(/\r\n\r\n|\n\n|\r\r/u)
      text = blocks.pop() ?? ""
      yield* blocks.map(readBlock)
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

const isLost = ({ code, status }: ParleyProblem) =>
  code === "connection_failed" || code === "timed_out" || [502, 503, 504].includes(status)

const eventStream = "text/event-stream"

/** Follows the feed of events, and reconnects after the last event or heartbeat. */
export const followEvents = ({ send, sleep }: Connection): Follow =>
  async function* ({ after, since, type } = {}, { onConnection = () => {}, ...options } = {}) {
    const { signal = new AbortController().signal } = options
    const endpoint = { ...readEndpoint(events.list), answer: "stream" } as const
    const headers = { ...options.headers, accept: eventStream }
    let lastEventId = after
    let failures = 0
    while (!signal.aborted) {
      const from = lastEventId === undefined ? { since, type } : { lastEventId, type }
      const { problem, response } = await send(endpoint, from, { ...options, headers })
      if (signal.aborted) return
      if (problem !== undefined && !isLost(problem)) throw problem
      if (problem === undefined) {
        const isFeed = response.headers.get("content-type")?.startsWith(eventStream) === true
        if (!isFeed || response.body === null) throw problemIn(response, "")
        onConnection(true)
        for await (const { data, id } of blocksOf(response.body, sleep)) {
          failures = 0
          lastEventId = id ?? lastEventId
          if (data !== "") yield JSON.parse(data) as FeedEvent
        }
        onConnection(false)
      }
      await sleep(backoff(failures++, waits), signal)
    }
  }
