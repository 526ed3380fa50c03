import { codesWithoutDetails, statusOf, titleOf } from "./errorCodes.ts"

/** A refusal as the provider writes it. */
export interface Refusal {
  readonly status: number
  readonly code: number
  readonly message: string
  /** Null: the answer has no `error_data`. */
  readonly details: string | null
  readonly subcode?: number
  /** Title and text for users, in the answers to management calls. */
  readonly user?: { readonly title: string; readonly message: string }
}

/** The refusal with this code. */
export const refusal = (code: number, details: string, status?: number): Refusal => ({
  status: status ?? statusOf(code),
  code,
  message: `(#${code}) ${titleOf(code)}`,
  details: codesWithoutDetails.has(code) ? null : details
})

/** The refusal of a management call, whose message is in the answer and not in its details. */
export const plainRefusal = (code: number, message: string, subcode?: number): Refusal => ({
  status: statusOf(code),
  code,
  message,
  details: null,
  ...(subcode === undefined ? {} : { subcode })
})

/** The refusal of a template or another object, with a text for users. Subcode null: the provider documents none. */
export const userRefusal = (subcode: number | null, title: string, message: string): Refusal => ({
  status: 400,
  code: 100,
  message: "Invalid parameter",
  details: null,
  ...(subcode === null ? {} : { subcode }),
  user: { title, message }
})

/** Returns the provider's response body for the failure. */
export const refusalBody = ({ code, details, message, subcode, user }: Refusal) => ({
  error: {
    message,
    type: "OAuthException",
    code,
    ...(subcode === undefined ? {} : { error_subcode: subcode }),
    ...(user === undefined ? {} : { is_transient: false, error_user_title: user.title, error_user_msg: user.message }),
    ...(details === null ? {} : { error_data: { messaging_product: "whatsapp", details } }),
    fbtrace_id: "AsimulatedTraceAAAA"
  }
})

export const isRefusal = (value: object): value is Refusal =>
  "code" in value && "message" in value && "details" in value
