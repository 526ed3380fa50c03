import { Data } from "effect"

/**
 * Why a request is not taken for a delivery: a header lacks, its time is not within the tolerance, no signature is by one of the
 * secrets, or what is signed is no event.
 */
export type WebhookFault = "header_missing" | "timestamp_out_of_tolerance" | "signature_invalid" | "body_invalid"

/** A request that is no delivery, or not one of now. Answer it with 400 or 401. */
export class WebhookRefused extends Data.TaggedError("WebhookRefused")<{
  readonly fault: WebhookFault
  readonly message: string
}> {}
