import { Metric } from "effect"
import type { Sent } from "./settle.ts"

const outcomes = Metric.counter("parley_sends_total", {
  description: "What came of messages that were sent, by our code and the provider's where they failed",
  incremental: true
})

const attributesOf = (sent: Sent): Readonly<Record<string, string>> =>
  sent.kind === "failed"
    ? { outcome: "failed", code: sent.error.code, provider_code: String(sent.error.providerCode ?? "none") }
    : { outcome: sent.kind, code: "none", provider_code: "none" }

/** Counts what came of a message that was sent. */
export const countOutcome = (sent: Sent) => Metric.update(Metric.withAttributes(outcomes, attributesOf(sent)), 1)
