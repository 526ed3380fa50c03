import type { Misbehaviour } from "@parley/simulators/chat"
import type { Drawing } from "../drawing.ts"

type What = Misbehaviour["what"]

/** Longer than the service waits for an answer. */
export const timeoutMillis = 1_500
const tooLateMillis = 2 * timeoutMillis

const page = "<html><body>Bad gateway</body></html>"
const front = JSON.stringify({ error: { message: "(#2) API Service", code: 2, type: "OAuthException" } })
const half = '{"messaging_product":"whatsapp","messages":[{"i'

/** Results per hundred calls. Thirty are answered with 5xx, by the provider or by a proxy. */
const shares: ReadonlyArray<readonly [share: number, what: What]> = [
  [9, { kind: "error", code: 131_000 }],
  [9, { kind: "error", code: 131_016 }],
  [3, { kind: "raw", status: 502, body: page }],
  [3, { kind: "raw", status: 500, body: page, done: true }],
  [3, { kind: "raw", status: 503, body: front, done: true }],
  [3, { kind: "raw", status: 503, body: front }],
  [6, { kind: "reset" }],
  [2, { kind: "reset", done: false }],
  [2, { kind: "hang" }],
  [1, { kind: "hang", done: false }],
  [3, { kind: "late", millis: tooLateMillis }],
  [2, { kind: "raw", status: 200, body: page, done: true }],
  [2, { kind: "raw", status: 200, body: half, done: true }],
  [2, { kind: "truncate" }],
  [3, { kind: "fail_receipt", code: 131_026 }],
  [2, { kind: "no_receipts" }]
]

const fine: What = { kind: "latency", millis: 0 }

const tooMany: ReadonlyArray<What> = [
  { kind: "error", code: 130_429 },
  { kind: "raw", status: 429, body: "", headers: { "retry-after": "1" } }
]

const drawOne = (draws: Drawing): What => {
  let left = draws.between(1, 100)
  for (const [share, what] of shares) {
    left -= share
    if (left <= 0) return what
  }
  return fine
}

/** The behavior for this number of calls in sequence. Sometimes all calls for a while are too many. */
export const drawScript = (draws: Drawing, calls: number): ReadonlyArray<What> => {
  const script: Array<What> = []
  while (script.length < calls) {
    if (draws.chance(0.01)) {
      const storm = draws.pick(tooMany)
      script.push(...Array.from({ length: draws.between(10, 30) }, () => storm))
    } else {
      script.push(drawOne(draws))
    }
  }
  return script
}

/** Whether an answer is a certain refusal, so a retry is allowed. */
export const isCertainlyRefused = ({ kind, status }: { readonly kind: string; readonly status?: number }): boolean =>
  kind === "error" || (kind === "raw" && status === 429)
