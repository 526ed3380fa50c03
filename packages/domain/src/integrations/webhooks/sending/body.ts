import { DateTime, type Schema } from "effect"
import { utf8Bytes } from "../../../platform/files/index.ts"
import type { ActorRef, Causation, OrganizationId } from "../../../kernel/index.ts"

/** A larger body goes without its resource: the receiver reads that by itself. */
export const mostBodyBytes = 256 * 1024

/** What is posted. */
export interface WebhookBody {
  readonly type: string
  readonly timestamp: DateTime.Utc
  readonly version: "v1"
  readonly id: string
  readonly organizationId: OrganizationId
  readonly position: number | null
  readonly cursor: string | null
  readonly actor: ActorRef
  readonly causation: Causation | null
  readonly data: Readonly<Record<string, unknown>>
  readonly resource: Schema.Json
  /** Only in a test. */
  readonly test?: true
}

const written = (body: WebhookBody) => JSON.stringify({ ...body, timestamp: DateTime.formatIso(body.timestamp) })

/** The text of a body: what is signed is sent byte for byte. */
export const textOf = (body: WebhookBody): string => {
  const text = written(body)
  return body.resource === null || utf8Bytes(text).length <= mostBodyBytes ? text : written({ ...body, resource: null })
}
