import type { Answering, Received } from "../../webhooks/receivers.ts"
import { taking } from "../../webhooks/receivers.ts"
import type { Drawing } from "../drawing.ts"

/** Deliveries that arrived at the receivers. */
export interface Ledger {
  readonly received: Array<Received>
}

const shakyShare = 0.1

/** Those called shaky refuse a delivery now and then, or break off, once each: a third attempt would come after minutes. All others take everything. */
export const answersOf = (draws: Drawing) => {
  const refused = new Set<string>()
  return ({ id, receiver }: Received): Answering => {
    if (!receiver.startsWith("shaky") || refused.has(id) || !draws.chance(shakyShare)) return taking
    refused.add(id)
    return (response) => {
      if (draws.chance(0.5)) response.writeHead(503).end()
      else response.destroy()
    }
  }
}
