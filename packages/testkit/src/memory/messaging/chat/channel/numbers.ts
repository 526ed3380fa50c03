import { type NumberDetails, type NumberHealth, unknownDetails } from "@parley/domain/messaging"
import { Effect } from "effect"
import { createHmac } from "node:crypto"
import { authorized, type Provider, refused } from "./provider.ts"
import type { WholeChannel } from "./WholeChannel.ts"

/** Returns a distinct number for each provider id. */
const phoneOf = (phoneId: string) =>
  `+1 555-${String(createHmac("sha256", "phone").update(phoneId).digest().readUIntBE(0, 4) % 10_000_000).padStart(7, "0")}`

/** Details of a number that is registered and needs nothing else. */
const registeredDetails: NumberDetails = {
  ...unknownDetails,
  status: "connected",
  codeVerification: "verified",
  verifiedName: "Memory",
  nameStatus: "approved",
  platform: "cloud_api",
  mode: "live",
  throughput: "standard",
  isPinEnabled: true,
  isOnBusinessApp: false,
  canSend: "available",
  health: [{ kind: "business_account", externalId: null, canSend: "available", issues: [], limits: [] }]
}

export const healthy = (phoneId: string): NumberHealth => ({
  displayPhone: phoneOf(phoneId),
  verifiedName: "Memory",
  quality: "green",
  messagingLimit: "TIER_2K",
  throughputPerSecond: 80,
  sending: "available",
  issues: [],
  details: registeredDetails
})

export const healthOf = ({ health }: Provider, phoneId: string) => health.get(phoneId) ?? healthy(phoneId)

export const setDetails = (provider: Provider, phoneId: string, details: Partial<NumberDetails>) => {
  const before = healthOf(provider, phoneId)
  provider.health.set(phoneId, { ...before, details: { ...before.details, ...details } })
}

export const makeChecking = (provider: Provider): WholeChannel["checking"] => {
  const { forgotten } = provider
  return {
    check: Effect.fnUntraced(function* (line) {
      yield* authorized(provider, line)
      const { phoneId } = line
      if (forgotten.has(phoneId)) return yield* refused(100, "give_up", `Object with ID '${phoneId}' does not exist.`)
      return healthOf(provider, phoneId)
    })
  }
}
