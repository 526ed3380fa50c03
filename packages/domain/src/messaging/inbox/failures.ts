import type { Remedy } from "../chat/index.ts"
import type { MessageError } from "./Message.ts"

/** Why a message has failed, by what follows from it. These codes are for programs, and stay as they are. */
export const messageErrorCodes: Readonly<Record<Remedy, string>> = {
  retry: "provider_unavailable",
  slow_down: "rate_limited",
  delay_recipient: "recipient_busy",
  skip_recipient: "recipient_unreachable",
  skip_for_now: "recipient_limit_reached",
  opt_out: "recipient_opted_out",
  needs_template: "service_window_closed",
  refresh_template: "template_mismatch",
  stop_account: "chat_account_stopped",
  reauthorize: "chat_account_unauthorized",
  give_up: "refused"
}

/** What the provider has said against a message, as it is kept with the message. */
export const errorOf = (refusal: {
  readonly remedy: Remedy
  readonly code: number
  readonly reason: string
}): MessageError => ({ code: messageErrorCodes[refusal.remedy], providerCode: refusal.code, reason: refusal.reason })
