import type { DeliveryReading } from "@parley/domain"

/** What the provider says when it verifies a webhook. */
export const handshakeIn: DeliveryReading["handshake"] = ({
  "hub.challenge": challenge,
  "hub.mode": mode,
  "hub.verify_token": token = ""
}) => (mode !== "subscribe" || challenge === undefined ? null : { token, challenge })
