/** A refusal as the provider writes it. */
export interface Refusal {
  readonly status: number
  readonly code: number
  readonly message: string
  readonly details: string
  readonly subcode?: number
}

const titles: Readonly<Record<number, readonly [status: number, message: string]>> = {
  0: [401, "AuthException"],
  1: [400, "API Unknown"],
  2: [503, "API Service"],
  4: [429, "API Too Many Calls"],
  10: [403, "Permission Denied"],
  100: [400, "Invalid parameter"],
  190: [401, "Access token has expired"],
  368: [403, "Temporarily blocked for policies violations"],
  80_007: [429, "Rate limit issues"],
  130_429: [429, "Rate limit hit"],
  130_472: [400, "User's number is part of an experiment"],
  131_000: [500, "Something went wrong"],
  131_008: [400, "Required parameter is missing"],
  131_009: [400, "Parameter value is not valid"],
  131_016: [500, "Service unavailable"],
  131_026: [400, "Message undeliverable"],
  131_031: [403, "Account has been locked"],
  131_042: [400, "Business eligibility payment issue"],
  131_047: [400, "Re-engagement message"],
  131_048: [429, "Spam rate limit hit"],
  131_049: [400, "Message not delivered to maintain healthy ecosystem engagement"],
  131_050: [400, "User has stopped marketing messages from this business"],
  131_051: [400, "Unsupported message type"],
  131_052: [400, "Media download error"],
  131_053: [400, "Media upload error"],
  131_056: [429, "(Business Account, Consumer Account) pair rate limit hit"],
  131_057: [429, "Account in maintenance mode"],
  132_000: [400, "Template parameter count mismatch"],
  132_001: [404, "Template does not exist"],
  132_015: [400, "Template is paused"],
  132_016: [400, "Template is disabled"]
}

/** The refusal with this code. */
export const refusal = (code: number, details: string, status?: number, subcode?: number): Refusal => {
  const [usual, message] = titles[code] ?? [400, "Unknown error"]
  return {
    status: status ?? usual,
    code,
    message: `(#${code}) ${message}`,
    details,
    ...(subcode === undefined ? {} : { subcode })
  }
}

/** Returns the provider's response body for the failure. */
export const refusalBody = ({ code, details, message, subcode }: Refusal) => ({
  error: {
    message,
    type: code === 190 || code === 0 ? "OAuthException" : "GraphMethodException",
    code,
    ...(subcode === undefined ? {} : { error_subcode: subcode }),
    error_data: { messaging_product: "whatsapp", details },
    fbtrace_id: "AsimulatedTraceAAAA"
  }
})
