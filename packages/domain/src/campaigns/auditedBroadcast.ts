import { Schema } from "effect"
import { Broadcast, definitionFields } from "./Broadcast.ts"

const encode = Schema.encodeSync(Broadcast)

/** What the audit trail stores of a broadcast: what it says, and where it is. */
export const auditedBroadcast = (broadcast: Broadcast): Readonly<Record<string, Schema.Json>> => {
  const written = encode(broadcast)
  return { ...Object.fromEntries(definitionFields.map((field) => [field, written[field]])), status: written.status }
}
