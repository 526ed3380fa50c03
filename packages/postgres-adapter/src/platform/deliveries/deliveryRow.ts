import { InboundDelivery, type InboundDeliveryId, type InboundDeliveryState } from "@parley/domain/platform"
import { asWritten, type Instant, utc, utcOrNull } from "../../kernel/columns.ts"

/** Columns of an inbound delivery. */
export const deliveryColumns = `id, source, provider, state, received_at AS "receivedAt", applied_at AS "appliedAt", attempts, reason,
  event_count AS events, unknown_count AS unknown`

/** A row of deliveries, without its body. */
export interface DeliveryRow {
  readonly id: InboundDeliveryId
  readonly source: string
  readonly provider: string
  readonly state: InboundDeliveryState
  readonly receivedAt: Instant
  readonly appliedAt: Instant | null
  readonly attempts: number
  readonly reason: string | null
  readonly events: number | null
  readonly unknown: number | null
}

export const deliveryOf = ({
  appliedAt,
  attempts,
  events,
  id,
  provider,
  reason,
  receivedAt,
  source,
  state,
  unknown
}: DeliveryRow) =>
  new InboundDelivery(
    {
      id,
      source,
      provider,
      state,
      receivedAt: utc(receivedAt),
      appliedAt: utcOrNull(appliedAt),
      attempts,
      reason,
      events,
      unknown
    },
    asWritten
  )
