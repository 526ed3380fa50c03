import { Metric } from "effect"

/**
 * `unowned`: no organization has connected the number or the shop. `unreadable`: the signature is valid, but the content is not a delivery.
 * `unknown_topic`: the delivery is stored, but no reader supports its topic.
 */
export type RejectionReason = "unowned" | "unreadable" | "unknown_topic"

const rejections = Metric.counter("parley_inbound_deliveries_rejected_total", {
  description: "Signed deliveries that Parley cannot assign or read, by provider and reason"
})

/** Counts deliveries that get a success status, because the provider would otherwise stop its deliveries. */
export const countRejectedDeliveries = (provider: string, reason: RejectionReason, count = 1) =>
  Metric.update(Metric.withAttributes(rejections, { provider, reason }), count)
